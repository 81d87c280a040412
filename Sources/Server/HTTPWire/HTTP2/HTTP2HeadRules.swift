// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The rules for the field lines of a request (RFC 9113 §8.2, §8.3), and the messages about breaches: they name the field, never its value.
///
/// nghttp2 has the same rules, but it responds to a breach with a reset that does not say why.
struct HTTP2HeadRules {
    private struct Pseudo: OptionSet {
        let rawValue: UInt8

        static let method = Pseudo(rawValue: 1)
        static let scheme = Pseudo(rawValue: 2)
        static let authority = Pseudo(rawValue: 4)
        static let path = Pseudo(rawValue: 8)
    }

    private var pseudo: Pseudo = []
    private var isBehindPseudo = false
    private var hasHost = false
    private var hasLength = false

    /// Judges a line of the header section as it comes; nil if it is allowed.
    mutating func flaw(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> RequestError? {
        if name.first == ASCII.colon { return flawOfPseudo(name, value) }
        isBehindPseudo = true
        if let flaw = Self.flawOfField(name, value) { return flaw }
        switch name.count {
        case 4 where name.isText("host"):
            guard !hasHost else { return RequestError(400, "the request has more than one host line") }
            hasHost = true
        case 14 where name.isText("content-length"):
            guard !hasLength else { return RequestError(400, "the request has more than one content-length") }
            hasLength = true
            guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else {
                return RequestError(400, "content-length is not a decimal number")
            }
        default: break
        }
        return nil
    }

    /// Judges a line of the trailer section.
    static func flawOfTrailer(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> RequestError? {
        if name.first == ASCII.colon {
            return RequestError(400, "the trailers have the pseudo-header field \(told(name))")
        }
        if name.isText("host") || name.isText("content-length") {
            return RequestError(400, "a trailer cannot be \(told(name))")
        }
        return flawOfField(name, value)
    }

    /// Judges the section as a whole.
    ///
    /// - Parameter isOrigin: whether the scheme is one whose paths begin with a slash.
    func flaw(of head: borrowing RequestHead, isOrigin: Bool) -> RequestError? {
        guard pseudo.contains(.method) else { return RequestError(400, "the request has no :method") }
        if head.equals(head.method, "CONNECT") {
            return pseudo == [.method, .authority]
                ? nil : RequestError(400, "CONNECT has :authority, and neither :scheme nor :path")
        }
        guard pseudo.contains(.scheme) else { return RequestError(400, "the request has no :scheme") }
        guard pseudo.contains(.path) else { return RequestError(400, "the request has no :path") }
        guard pseudo.contains(.authority) || hasHost else {
            return RequestError(400, "the request has neither :authority nor host")
        }
        guard isOrigin, head.target.count > 0, head.bytes[Int(head.target.start)] != ASCII.slash else { return nil }
        guard head.equals(head.target, "*") else { return RequestError(400, ":path does not start with /") }
        return head.equals(head.method, "OPTIONS") ? nil : RequestError(400, "only OPTIONS may have the target *")
    }

    private mutating func flawOfPseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> RequestError? {
        guard !isBehindPseudo else { return RequestError(400, "\(Self.told(name)) stands behind other fields") }
        let kind: Pseudo
        let isWellFormed: Bool
        switch name.count {
        case 7 where name.isText(":method"): (kind, isWellFormed) = (.method, value.allSatisfy(ASCII.isToken))
        case 7 where name.isText(":scheme"): (kind, isWellFormed) = (.scheme, Self.isScheme(value))
        case 10 where name.isText(":authority"): (kind, isWellFormed) = (.authority, true)
        // The characters of a target are judged with the target.
        case 5 where name.isText(":path"): (kind, isWellFormed) = (.path, true)
        default: return RequestError(400, "\(Self.told(name)) is not a pseudo-header field of a request")
        }
        guard pseudo.insert(kind).inserted else {
            return RequestError(400, "the request has more than one \(Self.told(name))")
        }
        guard !value.isEmpty else { return RequestError(400, "\(Self.told(name)) is empty") }
        return isWellFormed ? nil : RequestError(400, "\(Self.told(name)) has a byte that cannot stand there")
    }

    private static func flawOfField(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> RequestError? {
        guard !name.isEmpty else { return RequestError(400, "a field name is empty") }
        for byte in name where !ASCII.isToken(byte) || byte &- 0x41 < 26 {
            return byte &- 0x41 < 26
                ? RequestError(400, "the field name \(told(name)) has capital letters, which HTTP/2 does not allow")
                : RequestError(400, "a field name has byte 0x\(HTTP1Parser.hex(byte)), which cannot stand in one")
        }
        if FieldNames.isOfConnection(name) {
            return RequestError(400, "\(told(name)) is a field of HTTP/1.1's connections, and has no place in HTTP/2")
        }
        if name.count == 2, name.isText("te"), !value.isTextIgnoringCase("trailers") {
            return RequestError(400, "te says something other than trailers")
        }
        return flawOfValue(name, value)
    }

    private static func flawOfValue(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> RequestError? {
        let rest = value[ByteWords.printableEnd(in: value, from: 0, to: value.count)...]
        for byte in rest where (byte < 0x20 && byte != ASCII.tab) || byte == 0x7F {
            return RequestError(400, "the value of \(told(name)) has the control byte 0x\(HTTP1Parser.hex(byte))")
        }
        guard let first = value.first, let last = value.last else { return nil }
        guard isBlank(first) || isBlank(last) else { return nil }
        let side = isBlank(first) ? "in front of" : "behind"
        return RequestError(400, "the value of \(told(name)) has white space \(side) it, which HTTP/2 does not allow")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    private static func isScheme(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = value.first, (first | 0x20) &- 0x61 < 26 else { return false }
        return value.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || ASCII.isDigit(byte) || byte == ASCII.plus || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
    }

    /// The longest part of a name that a message shows. 64 bytes.
    private static let maxTold = 64

    private static func told(_ name: UnsafeBufferPointer<UInt8>) -> String {
        let shown = String(
            decoding: name.prefix(maxTold).map { $0 < 0x7F && $0 > 0x20 ? $0 : ASCII.question }, as: UTF8.self)
        return name.count > maxTold ? shown + "…" : shown
    }
}
