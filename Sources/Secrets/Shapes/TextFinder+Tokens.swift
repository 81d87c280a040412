// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

extension TextFinder {
    /// A JSON Web Token or an encrypted one (RFC 7519, RFC 7516): parts of Base64 with dots between, the first of them a JSON object.
    mutating func jsonWebToken(at index: Int) -> Int? {
        guard text.has(Array("eyJ".utf8), at: index) else { return nil }
        var end = runs.base64URL(from: index, in: text)
        guard end - index >= 10, end - index <= 4096, end + 1 < text.count, text[end] == UInt8(ascii: ".") else {
            return nil
        }
        guard let header = Base64.decode(text.slice(index..<end)), header.last == UInt8(ascii: "}"),
            (try? JSONParser.check(header)) != nil
        else { return nil }
        var parts = 1
        while parts < 5, end < text.count, text[end] == UInt8(ascii: ".") {
            end = runs.base64URL(from: end + 1, in: text)
            parts += 1
        }
        return parts >= 3 ? end : nil
    }

    /// Three parts of Base64, the first of them the bot's number.
    func discordToken(at index: Int) -> Int? {
        let first = text.end(of: .base64URL, from: index, limit: index + 29)
        guard (24...28).contains(first - index), first < text.count, text[first] == UInt8(ascii: ".") else {
            return nil
        }
        let second = text.end(of: .base64URL, from: first + 1, limit: first + 8)
        guard second - first == 7, second < text.count, text[second] == UInt8(ascii: ".") else { return nil }
        let end = text.end(of: .base64URL, from: second + 1, limit: second + 46)
        guard end - second > 27 else { return nil }
        return Look(text.slice(index..<end)).isToken(least: 50) ? end : nil
    }

    /// `123456789:AA…`, the bot's number and its secret.
    func telegramToken(around colon: Int) -> Range<Int>? {
        guard colon + 1 < text.count, text[colon + 1] == UInt8(ascii: "A") else { return nil }
        var start = colon
        while start > 0, colon - start < 11, ByteClass.digits.contains(text[start - 1]) { start -= 1 }
        guard (8...10).contains(colon - start) else { return nil }
        let end = text.end(of: .base64URL, from: colon + 1, limit: colon + 37)
        return end - colon == 36 ? start..<end : nil
    }

    /// A private key in PEM with its two lines; without its last where that is missing.
    func privateKey(at index: Int) -> Int? {
        let mark = Array("-----".utf8)
        guard text.has(Array("-----BEGIN ".utf8), at: index) else { return nil }
        let label = text.end(of: Self.label, from: index + 11, limit: index + 60)
        guard text.has(mark, at: label), isPrivate(index + 11..<label) else { return nil }
        var end = label + mark.count
        while end < text.count, !(text[end] == UInt8(ascii: "-") && text.has(mark, at: end)) {
            // The value ends, and the key with it.
            if "\"<'`".utf8.contains(text[end]) { return end }
            end += 1
        }
        guard text.has(Array("-----END ".utf8), at: end) else { return end }
        let closing = text.end(of: Self.label, from: end + 9, limit: end + 60)
        return text.has(mark, at: closing) ? closing + mark.count : closing
    }

    private static let label = ByteClass.alphanumeric.union(" ")

    private func isPrivate(_ label: Range<Int>) -> Bool {
        let words = Array("PRIVATE KEY".utf8)
        return label.count >= words.count
            && (label.lowerBound...label.upperBound - words.count).contains { text.has(words, at: $0) }
    }
}
