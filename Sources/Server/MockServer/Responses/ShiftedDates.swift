// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Moves the dates in a text that were in the future when it was recorded, each in the form that it has.
///
/// They are those of RFC 3339 and of HTTP if nothing that could be a part of them stands beside them, and seconds and milliseconds since 1970 in
/// members that say how long something is valid: many numbers have as many digits.
struct ShiftedDates {
    /// Members that say how long something is valid, in lower case and without the marks that join words.
    private static let names: Set = [
        "expiresat", "expireson", "expires", "expiry", "expiration", "expirationdate", "expirationtime", "expirydate",
        "expiretime", "expiresdate", "exp", "validuntil", "validto", "notafter",
    ]
    /// Bytes of a member's name that is looked at. 32.
    private static let nameLimit = 32
    /// Bytes of a text that is looked through; a longer one stays as it is. 1 MiB.
    static let limit = 1024 * 1024
    /// A later time is not a date: 100 years.
    private static let furthest = 100 * 366 * 86_400

    /// Seconds since 1970.
    private let recordedAt: Int
    private let seconds: Int

    init(from recordedAt: Int, by seconds: Int) {
        self.recordedAt = recordedAt
        self.seconds = seconds
    }

    /// Whether a member says how long something is valid, by its name.
    static func isEnd(_ name: String) -> Bool {
        names.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
    }

    /// - Parameter isEnd: whether it is the value of a member that says how long something is valid.
    func moved(_ text: [UInt8], isEnd: Bool = false) -> [UInt8] {
        if seconds == 0 || text.count > Self.limit { return text }
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let isInside = index > 0 && Self.goesOn(text[index - 1])
            if !isInside, let (count, date) = date(in: text[index...], isEnd: isEnd, behind: text[..<index]) {
                output += date
                index += count
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }

    /// Whether a byte beside a date shows that it is a part of something else.
    private static func goesOn(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- 0x61 < 26 || "._-+/".utf8.contains(byte) || byte >= 0x80
    }

    /// Whether a text ends in front of the value of a member that says how long something is valid.
    private static func leadsToEnd(_ text: ArraySlice<UInt8>) -> Bool {
        func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
        var rest = text.last == ASCII.quote ? text.dropLast() : text
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        guard rest.popLast() == ASCII.colon else { return false }
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        guard rest.popLast() == ASCII.quote else { return false }
        let part = rest.suffix(nameLimit)
        guard let start = part.lastIndex(of: ASCII.quote) else { return false }
        return isEnd(String(decoding: part[(start + 1)...], as: UTF8.self))
    }

    /// The bytes of a date that a text begins with, and it moved.
    private func date(
        in text: ArraySlice<UInt8>, isEnd: Bool, behind before: ArraySlice<UInt8>
    ) -> (count: Int, moved: [UInt8])? {
        guard let first = text.first else { return nil }
        if ASCII.isDigit(first) {
            guard let number = number(text) else { return internetDate(text) }
            return isEnd || Self.leadsToEnd(before) ? number : nil
        }
        // Such as `Fri, 20 Nov 2026 10:00:00 GMT`.
        let count = 29
        guard "MTWFS".utf8.contains(first), text.count >= count, text[text.startIndex + 3] == ASCII.comma else {
            return nil
        }
        let bytes = text.prefix(count)
        guard let moment = HTTPDate.parse(String(decoding: bytes, as: UTF8.self), now: recordedAt), isFuture(moment)
        else { return nil }
        return (count, Array(HTTPDate.format(moment + seconds).utf8))
    }

    private func isFuture(_ moment: Int) -> Bool { moment > recordedAt && moment - recordedAt < Self.furthest }

    /// Seconds, with a fraction or without, or milliseconds.
    private func number(_ text: ArraySlice<UInt8>) -> (count: Int, moved: [UInt8])? {
        let digits = text.prefix { ASCII.isDigit($0) }
        let rest = text[digits.endIndex...]
        // A dot may end a sentence, or go on with digits.
        if digits.count == 13, let next = rest.first, Self.goesOn(next) { return nil }
        if digits.count == 10, let next = rest.first, next != UInt8(ascii: "."), Self.goesOn(next) { return nil }
        guard digits.count == 10 || digits.count == 13, let value = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        let unit = digits.count == 10 ? 1 : 1000
        guard isFuture(value / unit) else { return nil }
        return (digits.count, Array(String(value + seconds * unit).utf8))
    }

    /// As RFC 3339 has them, with the fraction, the offset and the letters that they have.
    private func internetDate(_ text: ArraySlice<UInt8>) -> (count: Int, moved: [UInt8])? {
        let bytes = text.prefix(40).prefix { ASCII.isDigit($0) || "-:.+TtZz".utf8.contains($0) }
        guard bytes.count >= 20 else { return nil }
        var count = 19
        let start = bytes.startIndex
        if bytes[start + count] == UInt8(ascii: ".") {
            count += 1 + bytes[(start + count + 1)...].prefix { ASCII.isDigit($0) }.count
        }
        guard count < bytes.count else { return nil }
        let zone = bytes[start + count]
        count += zone == ASCII.plus || zone == UInt8(ascii: "-") ? 6 : 1
        guard count <= bytes.count, text.count == count || !Self.goesOn(text[start + count]) else { return nil }
        let date = bytes.prefix(count)
        guard let moment = DateText.seconds(String(decoding: date, as: UTF8.self)), isFuture(Int(moment)),
            // The clock of its own zone.
            let local = DateText.seconds(String(decoding: date.prefix(19), as: UTF8.self) + "Z")
        else { return nil }
        var moved = Array(DateText.utc(second: Int(local) + seconds).utf8.dropLast())
        moved[10] = date[start + 10]
        return (count, moved + date.dropFirst(19))
    }
}
