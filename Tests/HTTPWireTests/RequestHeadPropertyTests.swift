// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// A reader of a request's head that goes by texts, line by line, and knows no limit but those of a method and of content.
private struct PlainReader {
    struct Refusal: Error {
        let status: Int
    }

    private let line: Regex<AnyRegexOutput>
    private let field: Regex<AnyRegexOutput>
    private let absolute: Regex<AnyRegexOutput>

    init() throws {
        func expression(_ text: String) throws -> Regex<AnyRegexOutput> {
            try Regex(text).matchingSemantics(.unicodeScalar)
        }
        let token = #"([!#$%&'*+\-.^_`|~0-9A-Za-z]+)"#
        line = try expression(token + #" ([!-"$-~]+) HTTP/([0-9])\.([0-9])"#)
        field = try expression(
            token + #":[ \t]*((?:[\x21-\x7E\x80-\xFF](?:[\t\x20-\x7E\x80-\xFF]*[\x21-\x7E\x80-\xFF])?)?)[ \t]*"#)
        absolute = try expression(#"[A-Za-z][A-Za-z0-9+\-.]*://([^/?]*)([^?]*)(\?.*)?"#)
    }

    /// - Parameter text: scalars that are bytes.
    func read(_ text: String) throws -> (request: Reading.Request, fields: [String]) {
        // By scalars: CR LF is one character.
        var lines: [String] = [""]
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                guard lines[lines.count - 1].unicodeScalars.last == "\r" else { throw Refusal(status: 400) }
                lines[lines.count - 1].unicodeScalars.removeLast()
                lines.append("")
            } else {
                lines[lines.count - 1].unicodeScalars.append(scalar)
            }
        }
        func words(_ match: Regex<AnyRegexOutput>.Match) -> [String?] {
            match.output.map { $0.substring.map(String.init) }
        }
        guard let first = try line.wholeMatch(in: lines[0]).map(words), let method = first[1], let target = first[2]
        else { throw Refusal(status: 400) }
        if method.utf8.count > RequestLimits.maxMethod { throw Refusal(status: 501) }
        if first[3] != "1" { throw Refusal(status: 505) }
        let isOld = first[4] == "0"
        var fields: [(name: String, value: String)] = []
        for line in lines[1...].prefix(while: { !$0.isEmpty }) {
            guard let match = try field.wholeMatch(in: line).map(words), let name = match[1], let value = match[2]
            else {
                throw Refusal(status: 400)
            }
            fields.append((name, value))
        }
        func all(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }
        func members(_ name: String) -> [String] {
            all(name).flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks.lowercased() }.filter { !$0.isEmpty }
        }
        let (path, query, named) = try parts(of: target, method)
        let hosts = all("host")
        if hosts.count > 1 || hosts.isEmpty && !isOld { throw Refusal(status: 400) }
        if let host = hosts.first, !isAuthority(host, allowsEmpty: isOld) { throw Refusal(status: 400) }
        let authority = named ?? hosts.first ?? ""
        // The target's host goes before that of the line.
        if named != nil, method != "CONNECT" {
            fields = fields.map { $0.name.lowercased() == "host" ? ($0.name, authority) : $0 }
        }
        let (isChunked, length) = try framing(
            all("transfer-encoding"), members("transfer-encoding"), all("content-length"), isOld)
        let hasContent = isChunked || length ?? 0 > 0
        if method == "CONNECT", hasContent { throw Refusal(status: 400) }
        let connection = members("connection")
        var request = Reading.Request(method: method, path: path, query: query, authority: authority)
        request.keepsAlive = !connection.contains("close") && (!isOld || connection.contains("keep-alive"))
        let expectations = members("expect")
        if !isOld, !expectations.isEmpty {
            if expectations.contains(where: { $0 != "100-continue" }) { throw Refusal(status: 417) }
            if !isChunked, length == nil, ["POST", "PUT", "PATCH"].contains(method) { throw Refusal(status: 411) }
            request.expectsContinue = hasContent
        }
        return (request, fields.map { "\($0.name): \($0.value)" })
    }

    private func isAuthority(_ text: String, allowsEmpty: Bool = false) -> Bool {
        Authority.isValid(
            text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }[...], allowsEmpty: allowsEmpty)
    }

    /// RFC 9112 §3.2.
    private func parts(of target: String, _ method: String) throws -> (path: String, query: String?, authority: String?)
    {
        let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if method == "CONNECT" {
            guard target.contains(":"), target.last?.isNumber == true, isAuthority(target) else {
                throw Refusal(status: 400)
            }
            return (target, nil, target)
        }
        if target.hasPrefix("/") { return (sides[0], sides.count > 1 ? sides[1] : nil, nil) }
        if target == "*" {
            guard method == "OPTIONS" else { throw Refusal(status: 400) }
            return ("*", nil, nil)
        }
        guard let match = try absolute.wholeMatch(in: target), let host = match.output[1].substring.map(String.init),
            isAuthority(host)
        else { throw Refusal(status: 400) }
        let path = match.output[2].substring.map(String.init) ?? ""
        return (path.isEmpty ? "/" : path, (match.output[3].substring?.dropFirst()).map(String.init), host)
    }

    /// RFC 9112 §6.
    private func framing(
        _ codingLines: [String], _ codings: [String], _ lengths: [String], _ isOld: Bool
    ) throws -> (isChunked: Bool, length: Int?) {
        guard codingLines.isEmpty else {
            if !lengths.isEmpty || isOld || codings.isEmpty { throw Refusal(status: 400) }
            guard codings.contains("chunked") else { throw Refusal(status: 501) }
            // A line without members behind it has nothing for the last coding.
            let lastOfLine = codingLines.last?.split(separator: ",").map { $0.trimmingBlanks.lowercased() }.last {
                !$0.isEmpty
            }
            guard lastOfLine == "chunked", codings.filter({ $0 == "chunked" }).count == 1 else {
                throw Refusal(status: 400)
            }
            guard codings.count == 1 else { throw Refusal(status: 501) }
            return (true, nil)
        }
        guard let digits = lengths.first else { return (false, nil) }
        guard lengths.count == 1, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(digits)
        else { throw Refusal(status: 400) }
        if length > RequestLimits().maxBody { throw Refusal(status: 413) }
        return (false, length)
    }
}

/// Heads at random, right ones and those that are nearly so, beside a reader that goes by texts.
@Suite(.supervised) struct RequestHeadPropertyTests {
    private static let methods = ["GET", "GET", "POST", "PUT", "PATCH", "OPTIONS", "CONNECT", "connect", "M-!~"]
    private static let targets = [
        "/", "/a?b", "/a?b?c", "/?", "*", "**", "a:1", "a:", "a", "a:b", "[::1]:80", "http://a", "http://a/",
        "HTTP://a:1?x",
        "x+1-.://b/c?d", "1a://b", "+a://b", "://b", "http:/a", "http:a", "http:///a", "http://u@a/", "a_b://c",
        "http://a?", "h://",
        "http://a/?", "h:",
    ]
    private static let lines = [
        "Host: a", "Host: a", "Host: a", "hOST:\tb:1 \t", "Host:", "Host: a b", "Connection: close",
        "Connection: Keep-Alive",
        "Connection: ,\t,keep-alive ,", "connection: x,close", "Connection: keep-alive\t, x",
        "Connection: x,\tclose \t,", "Connection: closed, keep-alives", "Content-Length: 0",
        "Content-Length: 7",
        "Content-Length: 007", "Content-Length: 1 1", "Content-Length:", "Content-Length: 16777216",
        "Content-Length: 16777217",
        "Content-Length: +1", "Content-Length: 9223372036854775807", "Content-Length: 9223372036854775808",
        "Transfer-Encoding: chunked", "Transfer-Encoding:Chunked,", "Transfer-Encoding: gzip", "Transfer-Encoding: ,",
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, gzip", "Expect: 100-Continue",
        "Expect: 100-continue,,",
        "Expect: x", "Expect:", "X: a\u{E9}b", "X:  \t a\tb \t", "x:", "X:\u{80}", "Y: \u{1}", " Y: a", "Y : a",
        "\tY: a", ": a", "Y",
    ]

    private static func head(_ random: inout SplitMix) -> String {
        let version = random.pick(["1.1", "1.1", "1.1", "1.0", "1.7"])
        var lines = (0..<random.below(random.pick([1, 2, 5]))).map { _ in random.pick(Self.lines) }
        if random.chance(80) { lines.insert("Host: a.example", at: 0) }
        let text =
            ["\(random.pick(methods)) \(random.pick(["/", random.pick(targets)])) HTTP/\(version)"] + lines + ["", ""]
        var scalars = Array(text.joined(separator: "\r\n").unicodeScalars)
        guard random.chance(25) else { return text.joined(separator: "\r\n") }
        // A byte more, less, or another one; the empty line stays.
        let place = random.below(scalars.count - 4)
        let byte = random.pick(Array("\0\t\n\r !\"#(,/:?@A[a~\u{7F}\u{80}\u{FF}".unicodeScalars) + [scalars[place]])
        switch random.below(3) {
        case 0: scalars[place] = byte
        case 1: scalars.insert(byte, at: place)
        default: scalars.remove(at: place)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test func `a head is read, or refused, as a reader of texts does it`() throws {
        let plain = try PlainReader()
        var random = SplitMix(seed: UInt64(Thoroughness.rounds(9112, thorough: .random(in: 0..<1 << 31))))
        var counts = (read: 0, refused: 0)
        for _ in 0..<Thoroughness.rounds(4_000, thorough: 100_000) {
            let text = Self.head(&random)
            let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            let input = ByteBuffer()
            input.append(bytes)
            var parser = HTTP1Parser()
            let event = parser.next(input)
            do {
                let (expected, fields) = try plain.read(text)
                counts.read += 1
                guard case .head = event else {
                    Issue.record("\(text.debugDescription): \(event)")
                    continue
                }
                let head = parser.head
                let request = Reading.Request(
                    method: head.string(head.method), path: head.string(head.path), query: head.query.map(head.string),
                    authority: head.string(head.authority), keepsAlive: parser.keepsAlive,
                    expectsContinue: parser.expectsContinue)
                if request != expected { Issue.record("\(text.debugDescription): \(request), not \(expected)") }
                let names = head.fields.map { "\(head.string($0.name)): \(head.string($0.value))" }
                if names != fields { Issue.record("\(text.debugDescription): \(names)") }
            } catch let refusal as PlainReader.Refusal {
                counts.refused += 1
                guard case .invalid(let error) = event, error.status == refusal.status else {
                    Issue.record("\(text.debugDescription): \(event), not \(refusal.status)")
                    continue
                }
            }
        }
        #expect(counts.read > 800 && counts.refused > 800, "\(counts)")
    }
}
