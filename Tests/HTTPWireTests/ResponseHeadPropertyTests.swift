// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// The meaning of a response's head.
private struct PlainHead: Equatable {
    var line: String
    var fields: [String]
    var framing: HTTP1ResponseParser.Framing
    var keepsAlive: Bool
}

/// A reader of a response's head that goes by texts, line by line, and knows no limits.
private struct PlainReader {
    private let line: Regex<AnyRegexOutput>
    private let field: Regex<AnyRegexOutput>

    init() throws {
        func expression(_ text: String) throws -> Regex<AnyRegexOutput> {
            try Regex(text).matchingSemantics(.unicodeScalar)
        }
        line = try expression(#"HTTP/1\.([0-9]) ([1-9][0-9][0-9])(?: ([^\r\x00]*))?"#)
        field = try expression(#"([!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*):([^\r\x00]*)"#)
    }

    /// - Parameter text: scalars that are bytes.
    /// - Returns: nil for a head that is refused, or an interim one.
    func read(_ text: String, isHead: Bool) throws -> PlainHead? {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0.last == "\r" ? $0.dropLast() : $0)
        }
        guard let start = try line.wholeMatch(in: lines[0]),
            let status = start.output[2].substring.flatMap({ Int($0) }),
            status >= 200
        else { return nil }
        let isOld = start.output[1].substring == "0"
        var fields: [(name: String, value: String)] = []
        for line in lines[1...].prefix(while: { !$0.isEmpty }) {
            if let last = fields.indices.last, line.hasPrefix(" ") || line.hasPrefix("\t") {
                if line.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\0" }) { return nil }
                fields[last].value += " " + line.trimmingBlanks
                continue
            }
            guard let match = try field.wholeMatch(in: line), let name = match.output[1].substring,
                let value = match.output[2].substring
            else { return nil }
            fields.append((String(name), String(value.trimmingBlanks)))
        }
        func all(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }
        func members(_ lines: [String]) -> [String] {
            lines.flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks.lowercased() }.filter { !$0.isEmpty }
        }
        let connection = members(all("connection"))
        var keepsAlive = !connection.contains("close") && (!isOld || connection.contains("keep-alive"))
        let codings = members(all("transfer-encoding")).filter { $0 != "identity" }
        let lengths = all("content-length").flatMap { $0.isEmpty ? [""] : members([$0]) }
        guard
            lengths.allSatisfy({ (1...18).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            ),
            case let numbers = Set(lengths.compactMap { Int($0) }), numbers.count <= 1
        else { return nil }
        var framing = numbers.first.map { HTTP1ResponseParser.Framing.length($0) } ?? .connection
        if isHead || status == 204 || status == 304 {
            framing = .none
        } else if !codings.isEmpty {
            guard codings.allSatisfy({ $0 == "chunked" }), numbers.isEmpty else { return nil }
            framing = .chunked
            if isOld { keepsAlive = false }
        } else if framing == .connection {
            keepsAlive = false
        }
        return PlainHead(
            line: "\(isOld ? "HTTP/1.0" : "HTTP/1.1") \(status) \(start.output[3].substring ?? "")",
            fields: fields.map { "\($0.name): \($0.value)" }, framing: framing, keepsAlive: keepsAlive)
    }
}

/// Heads at random, right ones and those that are nearly so, beside a reader that goes by texts.
@Suite(.supervised) struct ResponseHeadPropertyTests {
    private static let starts = [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.0 200 \u{E9}", "HTTP/1.1 204",
        "HTTP/1.1 304 ",
        "HTTP/1.7 500  x ", "HTTP/1.1 2000", "HTTP/1.1 099 x", "HTTP/1.1 999 x", "HTTP/1.1 101 x", "HTTP/1.1 20 x",
        "HTTP/2 200",
    ]
    private static let lines = [
        "Connection: close", "Connection: Keep-Alive", "Connection: x , keep-alive", "Content-Length: 0",
        "Content-Length: 7",
        "Content-Length: 7, 7", "Content-Length: 7, 8", "Content-Length:", "Content-Length: ,", "Content-Length: 7,",
        "Content-Length: 123456789012345678", "Content-Length: 1234567890123456789", "Content-Length: x",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: Chunked, chunked", "Transfer-Encoding: identity", "Transfer-Encoding: gzip",
        "Transfer-Encoding: gzip, chunked",
        "X: a", "X:\t a\u{80} \t", "X : a", "X:", "x: \u{1}\u{7F}", " folded ", "\tfolded", " ", ": a", "X", "X(: a",
    ]

    private static func head(_ random: inout SplitMix) -> String {
        let lines =
            [random.pick(starts)] + (0..<random.below(random.pick([2, 5]))).map { _ in random.pick(Self.lines) }
        let text = lines.map { $0 + random.pick(["\r\n", "\r\n", "\n"]) }.joined() + random.pick(["\r\n", "\n"])
        var scalars = Array(text.unicodeScalars)
        guard random.chance(30) else { return text }
        let place = random.below(scalars.count - 4)
        let byte = random.pick(Array("\0\t\r !,/:@1A[a\u{7F}\u{80}\u{FF}".unicodeScalars))
        switch random.below(3) {
        case 0: scalars[place] = byte
        case 1: scalars.insert(byte, at: place)
        default: scalars.remove(at: place)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test func `a head is read, or refused, as a reader of texts does it`() throws {
        let plain = try PlainReader()
        var random = SplitMix(seed: UInt64(Thoroughness.rounds(9113, thorough: .random(in: 0..<1 << 31))))
        var counts = (read: 0, refused: 0)
        for _ in 0..<Thoroughness.rounds(4_000, thorough: 100_000) {
            let text = Self.head(&random)
            let isHead = random.chance(20)
            let input = ByteBuffer()
            input.append(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            var parser = HTTP1ResponseParser(maxHead: 4096)
            parser.begin(isHead: isHead)
            let event = parser.next(input)
            func scalars(_ range: ByteRange) -> String {
                String(String.UnicodeScalarView(parser.head.bytes[range.range].map { Unicode.Scalar($0) }))
            }
            var read: PlainHead?
            if case .head = event {
                let head = parser.head
                read = PlainHead(
                    line: "\(head.version.name) \(head.status) \(scalars(head.reason))",
                    fields: head.fields.map { "\(scalars($0.name)): \(scalars($0.value))" }, framing: parser.framing,
                    keepsAlive: parser.keepsAlive)
            }
            let expected = try plain.read(text, isHead: isHead)
            counts.read += expected == nil ? 0 : 1
            counts.refused += expected == nil ? 1 : 0
            if read != expected { Issue.record("\(text.debugDescription): \(event) \(read.debugDescription)") }
        }
        #expect(counts.read > 900 && counts.refused > 1_000, "\(counts)")
    }
}
