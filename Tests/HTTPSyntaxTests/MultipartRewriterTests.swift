// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct MultipartRewriterTests {
    private static let origins = OriginRewriter([("http://a.example", "http://longer.example:8080")])

    private static func rewritten(_ text: String, _ mediaType: String) -> String? {
        ContentOrigins(origins, mediaType: mediaType).map {
            String(decoding: $0.rewritten(Array(text.replacing("\n", with: "\r\n").utf8)), as: UTF8.self)
                .replacing("\r\n", with: "\n")
        }
    }

    private static let batch = """
        preamble http://a.example
        --b
        Content-Type: application/http
        Content-Length: 111
        Content-Transfer-Encoding: binary

        HTTP/1.1 200 OK
        Content-Type: application/json
        Content-Length: 24
        Content-MD5: x

        {"u":"http://a.example"}
        --b
        Content-Type: multipart/mixed; boundary=b1

        --b1
        Content-Type: application/http

        GET http://a.example/x HTTP/1.1
        Host: a.example
        Accept: */*


        --b1--
        --b
        Content-Type: image/png

        http://a.example
        --b
        Content-Disposition: form-data; name="a"

        http://a.example
        --b
        Content-Type: text/plain
        Content-Transfer-Encoding: base64

        http://a.example
        --b--
        http://a.example
        """

    @Test func `each part that is text is rewritten, and the lengths in the heads stay right`() {
        let expected = """
            preamble http://a.example
            --b
            Content-Type: application/http
            Content-Length: 105
            Content-Transfer-Encoding: binary

            HTTP/1.1 200 OK
            Content-Type: application/json
            Content-Length: 34

            {"u":"http://longer.example:8080"}
            --b
            Content-Type: multipart/mixed; boundary=b1

            --b1
            Content-Type: application/http

            GET http://longer.example:8080/x HTTP/1.1
            Host: longer.example:8080
            Accept: */*


            --b1--
            --b
            Content-Type: image/png

            http://a.example
            --b
            Content-Disposition: form-data; name="a"

            http://longer.example:8080
            --b
            Content-Type: text/plain
            Content-Transfer-Encoding: base64

            http://a.example
            --b--
            http://a.example
            """
        #expect(Self.rewritten(Self.batch, "multipart/mixed; boundary=b") == expected)
    }

    @Test(arguments: [
        "multipart/byteranges; boundary=b", "multipart/x-mixed-replace; boundary=b", "multipart/mixed", "image/png",
        "multipart/related; type=\"application/dicom\"; boundary=b",
    ]) func `content of these types passes as it is`(mediaType: String) {
        #expect(Self.rewritten(Self.batch, mediaType) == nil)
    }

    @Test func `a head that lies, or is not one, changes nothing else`() {
        let type = "multipart/mixed; boundary=b"
        for (text, expected) in [
            ("", ""), ("--b", "--b"), ("--b--", "--b--"), ("no parts http://a.example", "no parts http://a.example"),
            ("--b\n\n--b\n\nhttp://a.example\n--b--\n", "--b\n\n--b\n\nhttp://longer.example:8080\n--b--\n"),
            (
                "--b\nContent-Length: 99\n\nhttp://a.example\n--b--",
                "--b\nContent-Length: 99\n\nhttp://longer.example:8080\n--b--"
            ),
            (
                "--b\nContent-Length: 2\n\nhttp://a.example\n--b--",
                "--b\nContent-Length: 2\n\nhttp://a.example\n--b--"
            ),
            (
                "--b\nContent-Type: image/png\nContent-Length: 9223372036854775807\n\nx\n--b--",
                "--b\nContent-Type: image/png\nContent-Length: 9223372036854775807\n\nx\n--b--"
            ),
            ("--b\nX: y", "--b\nX: y"), ("--b\n\n--bc\n--b--", "--b\n\n--bc\n--b--"),
        ] {
            #expect(Self.rewritten(text, type) == expected)
        }
    }

    @Test(arguments: 1...UInt64(Thoroughness.rounds(100, thorough: 2_000)))
    func `a content that comes in pieces comes out as the whole does`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let scraps = [
            "--b", "--b\r\n", "\r\n--b\r\n", "\n--b\n", "--b--", "\r\n", "\n", "\r", "-", "--", "x",
            "Content-Type: text/plain\r\n", "Content-Type: image/png\r\n\r\n", "Content-Length: 16\r\n", "\r\n\r\n",
            "Content-Type: application/http\r\n\r\n", "Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n\r\n",
            "http://a.example", "http://a.exa", "HTTP/1.1 200 OK\r\n", "--b1--\r\n", ": ", "Content-Length: 3\r\n\r\n",
        ]
        let text = (0..<random.below(24)).flatMap { _ in Array(random.pick(scraps).utf8) }
        guard let origins = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=b") else {
            Issue.record("the type has parts")
            return
        }
        let whole = origins.rewritten(text)
        for _ in 0..<20 {
            var pieces = origins
            var output: [UInt8] = []
            var rest = text[...]
            while !rest.isEmpty {
                let count = min(rest.count, 1 + random.below(9))
                output += pieces.rewrite(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            output += pieces.finish()
            #expect(output == whole, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
        let none = ContentOrigins(OriginRewriter([]), mediaType: "multipart/mixed; boundary=b")
        #expect(none?.rewritten(text) == text)
    }

    @Test func `a part is sent with its delimiter, before what stands behind that comes`() {
        guard var origins = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=graphql") else {
            Issue.record("the type has parts")
            return
        }
        for piece in [
            "--graphql\r\nContent-Type: application/json\r\n\r\n{\"data\":{}}\r\n--graphql",
            "\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"hasNext\":0}\r\n--graphql",
            "--", "\r\n",
        ] {
            #expect(origins.rewrite(Array(piece.utf8)) == Array(piece.utf8))
        }
        #expect(origins.finish().isEmpty)
    }

    @Test func `only what may be the beginning of a delimiter or an origin is held back`() {
        guard var origins = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=b") else {
            Issue.record("the type has parts")
            return
        }
        for (bytes, expected) in [
            ("a\n--b", "a\n--b"), ("c", "c"), ("\n--b", "\n--b"), ("-", ""), ("c", "-c"), ("\n--b\n\n", "\n--b\n"),
            ("x\n--bc", "\nx\n--bc"), ("\r", ""), ("\n", ""), ("-", ""), ("d", "\r\n-d"), ("http", ""),
            ("!\n--b-", "http!\n--b"), ("-http://a.example", "--http://a.example"),
        ] {
            let output = String(decoding: origins.rewrite(Array(bytes.utf8)), as: UTF8.self)
            #expect(output == expected, "behind \(bytes.debugDescription)")
        }
        #expect(origins.finish().isEmpty)
    }

    /// With line feeds alone no CR hides a byte too many.
    @Test(arguments: [1, 100, 1024 * 1024 + 100])
    func `a part is as long as its head says, and the next one is read behind it`(count: Int) {
        let content = String(repeating: "x", count: count)
        for type in ["image/png", "application/http"] {
            for length in [count, count - 1] {
                let head = "--b\nContent-Type: \(type)\nContent-Length: \(length)\n\n"
                let rest = "\n--b\n\nhttp://a.example\n--b--\n"
                let text = Array((head + content + rest).utf8)
                let output = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=b")?.rewritten(text)
                let expected = head + content + rest.replacing("a.example", with: "longer.example:8080")
                #expect(output == Array(expected.utf8), "\(type) \(length)")
            }
        }
    }

    @Test(arguments: ["Content-MD5", "Digest", "X-Goog-Hash", "X-Other"])
    func `a checksum of a part that has changed is left out`(name: String) {
        let type = "multipart/mixed; boundary=b"
        for (content, isDropped) in [("http://a.example", name != "X-Other"), ("http://b.example", false)] {
            let line = isDropped ? "" : "\(name): x\n"
            #expect(
                Self.rewritten("--b\n\(name): x\n\n\(content)\n--b--\n", type)
                    == "--b\n\(line)\n\(content.replacing("a.example", with: "longer.example:8080"))\n--b--\n")
        }
    }

    @Test func `content without a type is text`() {
        #expect(Self.rewritten("http://a.example/", "") == "http://longer.example:8080/")
        #expect(Self.rewritten("http://a.example/", "text/plain") == "http://longer.example:8080/")
    }

    @Test(arguments: ["--b", "--b--", "--b ", "--b\r\nContent-Type: text/plain\r\n\r\n--b", "--b\r\n"])
    func `a line without end is not held back`(start: String) {
        guard var origins = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=b") else {
            Issue.record("the type has parts")
            return
        }
        let headLimit = 16 * 1024
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1024)
        var input = start.utf8.count
        var output = origins.rewrite(Array(start.utf8)).count
        for _ in 0..<4096 {
            input += piece.count
            output += origins.rewrite(piece).count
            guard output >= input - 2 * headLimit else { break }
        }
        #expect(input == start.utf8.count + 4096 * piece.count && output >= input - 2 * headLimit)
        #expect(output + origins.finish().count == input)
    }

    @Test func `parts within parts without end are read to a depth`() {
        let head = "Content-Type: application/http\r\n\r\n"
        let deep = "--b\r\n" + String(repeating: head, count: 20_000)
        let output = ContentOrigins(Self.origins, mediaType: "multipart/mixed; boundary=b")?.rewritten(Array(deep.utf8))
        #expect(output == Array(deep.utf8))
    }
}
