// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import Testing

/// The line with the size of a chunk beside expressions: all short texts, and each byte at each place of a long one.
@Suite(.supervised) struct ChunkLineTests {
    private static let token = #"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"#
    private static let quoted = #""(?:[\t\x20\x21\x23-\x5B\x5D-\x7E\x80-\xFF]|\\[\t\x20-\x7E\x80-\xFF])*""#
    /// RFC 9112 §7.1.1.
    private static let ofRequests =
        #"[0-9A-Fa-f]{1,15}(?:[ \t]*;[ \t]*\#(token)(?:[ \t]*=[ \t]*(?:\#(token)|\#(quoted)))?)*"#
    /// White space may pad the size, and extensions are passed over.
    private static let ofResponses = #"[0-9A-Fa-f]{1,15}[ \t]*(?:;[\t\x20-\x7E\x80-\xFF]*)?"#

    private static func expression(_ text: String) throws -> Regex<AnyRegexOutput> {
        try Regex(text).matchingSemantics(.unicodeScalar)
    }

    /// Texts in which a scalar is a byte.
    private static let texts: [String] = {
        let signs: [Unicode.Scalar] = ["1", "g", ";", "=", " ", "\t", "\"", "\\", "\u{7F}"]
        var (all, last): ([String.UnicodeScalarView], [String.UnicodeScalarView]) = ([], [.init()])
        for _ in 0..<4 {
            last = last.flatMap { start in signs.map { start + [$0] } }
            all += last
        }
        let long = Array("1f ;\ta = \"b\\c \\\" d\" ; e=f;g".unicodeScalars)
        for place in long.indices {
            // Where a line ends is for other tests.
            for byte in UInt8.min ... .max where byte != 0x0A {
                all.append(.init(long[..<place] + [Unicode.Scalar(byte)] + long[(place + 1)...]))
            }
        }
        all += (0..<18).map { .init(Array(repeating: "0", count: $0) + ["1"]) }
        return all.map { String($0) }
    }()

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    @Test func `the chunk of a request has the extensions that the grammar has`() throws {
        let expression = try Self.expression(Self.ofRequests)
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for text in Self.texts + Self.texts.map({ "1;g=\($0)" }) {
            let refusal = Feeding.whole.read(head + Self.bytes(text) + [0x0D, 0x0A]).refusal
            if (refusal?.status != 400) != ((try expression.wholeMatch(in: text)) != nil) {
                Issue.record("\(text.debugDescription): \(refusal?.text ?? "read")")
            }
        }
    }

    @Test func `the chunk of a response has a size, and extensions behind a semicolon`() throws {
        let expression = try Self.expression(Self.ofResponses)
        let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for text in Self.texts {
            let input = ByteBuffer()
            input.append(head + Self.bytes(text) + [0x0D, 0x0A])
            var parser = HTTP1ResponseParser(maxHead: 4096)
            parser.begin(isHead: false)
            var fault: ResponseFault?
            reading: while true {
                switch parser.next(input) {
                case .invalid(let found):
                    fault = found
                    break reading
                case .needsMore: break reading
                default: continue
                }
            }
            if (fault == nil) != ((try expression.wholeMatch(in: text)) != nil) {
                Issue.record("\(text.debugDescription): \(fault?.text ?? "read")")
            }
        }
    }

    @Test func `extensions may have a bound of bytes more than the content before them`() {
        // Each chunk but the last has 1,000 bytes of them, and each a byte of content.
        let rest = RequestLimits.maxExtensions + 1_049 - 1_049 * 1_000
        let chunk = "1;\(String(repeating: "a", count: 999))\r\nx\r\n"
        let text =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 1_049)
        for (count, words) in [
            (rest, nil),
            (rest + 1, "the chunk extensions of the request are more than 1048576 bytes longer than its content"),
        ] {
            let last = "1;\(String(repeating: "a", count: count - 1))\r\n"
            #expect(Feeding.whole.read(Array((text + last).utf8)).refusal?.text == words)
        }
    }
}
