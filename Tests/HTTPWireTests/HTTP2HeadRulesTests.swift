// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// Header sections of HTTP/2 beside their rules in plain words (RFC 9113 §8.2, §8.3).
@Suite(.supervised) struct HTTP2HeadRulesTests {
    private typealias Line = (name: String, value: String)

    private static func flaw(
        of line: Line, _ judge: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> RequestError?
    )
        -> String?
    {
        latin1(line.name).withUnsafeBufferPointer { name in
            latin1(line.value).withUnsafeBufferPointer { judge(name, $0)?.text }
        }
    }

    /// The flaw of a field by itself.
    private static func plainFlaw(of line: Line) -> String? {
        if line.name.isEmpty { return "a field name is empty" }
        for scalar in line.name.unicodeScalars {
            if ("A"..."Z").contains(scalar) {
                return "the field name \(line.name) has capital letters, which HTTP/2 does not allow"
            }
            let sign = String(scalar)
            if sign.wholeMatch(of: /[a-z0-9!#$%&'*+\-.^_`|~]/) == nil {
                return "a field name has byte 0x\(HTTP1Parser.hex(UInt8(scalar.value))), which cannot stand in one"
            }
        }
        if ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"].contains(line.name) {
            return "\(line.name) is a field of HTTP/1.1's connections, and has no place in HTTP/2"
        }
        if line.name == "te", line.value.lowercased() != "trailers" { return "te says something other than trailers" }
        for scalar in line.value.unicodeScalars where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F {
            return "the value of \(line.name) has the control byte 0x\(HTTP1Parser.hex(UInt8(scalar.value)))"
        }
        let blanks: [Unicode.Scalar] = [" ", "\t"]
        let ends = [line.value.unicodeScalars.first, line.value.unicodeScalars.last].map { end in
            end.map { blanks.contains($0) } ?? false
        }
        if ends[0] || ends[1] {
            return
                "the value of \(line.name) has white space \(ends[0] ? "in front of" : "behind") it, which HTTP/2 does not allow"
        }
        return nil
    }

    private static func plainFlaw(of line: Line, behind before: [Line]) -> String? {
        let pseudo = [":method", ":scheme", ":authority", ":path"]
        guard line.name.hasPrefix(":") else {
            if let flaw = plainFlaw(of: line) { return flaw }
            let isThere = before.contains { $0.name == line.name }
            if line.name == "host", isThere { return "the request has more than one host line" }
            if line.name == "content-length" {
                if isThere { return "the request has more than one content-length" }
                if line.value.wholeMatch(of: /[0-9]+/) == nil { return "content-length is not a decimal number" }
            }
            return nil
        }
        if before.contains(where: { !$0.name.hasPrefix(":") }) { return "\(line.name) stands behind other fields" }
        if !pseudo.contains(line.name) { return "\(line.name) is not a pseudo-header field of a request" }
        if before.contains(where: { $0.name == line.name }) { return "the request has more than one \(line.name)" }
        if line.value.isEmpty { return "\(line.name) is empty" }
        let isWellFormed =
            switch line.name {
            case ":method": line.value.wholeMatch(of: /[A-Za-z0-9!#$%&'*+\-.^_`|~]+/) != nil
            case ":scheme": line.value.wholeMatch(of: /[A-Za-z][A-Za-z0-9+\-.]*/) != nil
            default: true
            }
        return isWellFormed ? nil : "\(line.name) has a byte that cannot stand there"
    }

    private static func plainFlaw(ofAll lines: [Line], isOrigin: Bool) -> String? {
        func value(_ name: String) -> String? { lines.first { $0.name == name }?.value }
        guard let method = value(":method") else { return "the request has no :method" }
        if method == "CONNECT" {
            return value(":authority") != nil && value(":scheme") == nil && value(":path") == nil
                ? nil : "CONNECT has :authority, and neither :scheme nor :path"
        }
        if value(":scheme") == nil { return "the request has no :scheme" }
        guard let path = value(":path") else { return "the request has no :path" }
        if value(":authority") == nil, value("host") == nil { return "the request has neither :authority nor host" }
        if !isOrigin || path.hasPrefix("/") { return nil }
        if path != "*" { return ":path does not start with /" }
        return method == "OPTIONS" ? nil : "only OPTIONS may have the target *"
    }

    private static let pseudo: [Line] = [
        (":method", "GET"), (":method", "OPTIONS"), (":method", "CONNECT"), (":method", "G T"), (":method", ""),
        (":scheme", "http"), (":scheme", "h+-.9Z"), (":scheme", "9h"), (":scheme", "h{"), (":scheme", "h`"),
        (":scheme", ""),
        (":scheme", "[h"), (":authority", "a"), (":authority", "a"), (":path", "/"), (":path", "*"), (":path", "a"),
        (":path", "/*"), (":status", "200"), (":", "x"),
    ]
    private static let fields: [Line] = [
        ("host", "a"), ("host", "a"), ("content-length", "5"), ("content-length", "x"), ("content-length", ""),
        ("te", "Trailers"), ("te", "gzip"), ("tf", "gzip"), ("connection", "close"), ("upgrade", "x"), ("", "x"),
        ("Accept", "a"), ("x[", "a"), ("x y", "a"), ("x-\u{E9}", "a"), ("a", ""), ("a", "b\tc"), ("a", " b"),
        ("a", "b "), ("a", "\tb"), ("a", "b\t"), ("a", " "), ("a", "b\u{1}"), ("a", "b\u{7F}"), ("a", "b\u{1F}c"),
        ("a", "12345678\u{0}"), ("a", "caf\u{E9}"), (":path", "/"), (":method", "GET"),
    ]

    @Test func `a header section has the first of its flaws`() {
        var random = SplitMix(seed: 15)
        var whole = 0
        for _ in 0..<4000 {
            var lines = (0..<random.below(6)).map { _ in random.pick(Self.pseudo) }
            if random.chance(50) {
                lines = [
                    random.pick(Array(Self.pseudo[..<3])), Self.pseudo[5], Self.pseudo[12],
                    random.pick(Array(Self.pseudo[14...17])),
                ]
            }
            if random.chance(20), !lines.isEmpty { lines.remove(at: random.below(lines.count)) }
            lines += (0..<random.below(4)).map { _ in random.pick(Self.fields) }
            var rules = HTTP2HeadRules()
            var isFlawed = false
            for (index, line) in lines.enumerated() {
                let flaw = Self.flaw(of: line) { rules.flaw($0, $1) }
                let expected = Self.plainFlaw(of: line, behind: Array(lines[..<index]))
                #expect(flaw == expected, "\(lines)")
                isFlawed = flaw != nil || expected != nil
                if isFlawed { break }
            }
            if isFlawed { continue }
            whole += 1
            let head = Self.head(lines)
            for isOrigin in [true, false] {
                let flaw = rules.flaw(of: head, isOrigin: isOrigin)?.text
                #expect(flaw == Self.plainFlaw(ofAll: lines, isOrigin: isOrigin), "\(lines)")
            }
        }
        #expect(whole > 200)
    }

    private static func head(_ lines: [Line]) -> RequestHead {
        var head = RequestHead()
        func range(_ name: String) -> ByteRange {
            let start = head.bytes.count
            head.bytes += (lines.first { $0.name == name }?.value ?? "").utf8
            return ByteRange(start, head.bytes.count)
        }
        head.method = range(":method")
        head.target = range(":path")
        return head
    }

    @Test func `a trailer is a field that says nothing of the message's frame`() {
        for line in Self.fields + Self.pseudo {
            let flaw = Self.flaw(of: line) { HTTP2HeadRules.flawOfTrailer($0, $1) }
            let expected: String? =
                if line.name.hasPrefix(":") {
                    "the trailers have the pseudo-header field \(line.name)"
                } else if ["host", "content-length"].contains(line.name) {
                    "a trailer cannot be \(line.name)"
                } else {
                    Self.plainFlaw(of: line)
                }
            #expect(flaw == expected, "\(line)")
        }
        let long = String(repeating: "x", count: 65)
        for (name, shown) in [
            (String(long.dropLast()), String(long.dropLast())), (long, String(long.dropLast()) + "…"),
        ] {
            #expect(
                Self.flaw(of: (":" + name.dropFirst(), "")) { HTTP2HeadRules.flawOfTrailer($0, $1) }
                    == "the trailers have the pseudo-header field :" + shown.dropFirst())
        }
        let odd = Self.flaw(of: (": \u{7E}\u{7F}\u{21}\u{20}", "")) { HTTP2HeadRules.flawOfTrailer($0, $1) }
        #expect(odd == "the trailers have the pseudo-header field :?~?!?")
    }
}
