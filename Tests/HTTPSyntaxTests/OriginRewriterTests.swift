// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct OriginRewriterTests {
    private static let rewriter = OriginRewriter([
        ("https://images.example.com", "http://127.0.0.1:1"), ("https://images.example.com:444", "http://127.0.0.1:2"),
        ("http://a.example", "http://b"), ("HTTP://A.example", "http://c"), ("http://[::1]:8080", ""),
    ])

    private static let texts: [(text: String, expected: String)] = [
        ("", ""), ("h", "h"), ("https://images.example.com", "http://127.0.0.1:1"),
        ("https://images.example.com.", "http://127.0.0.1:1."), ("https://images.example.com:", "http://127.0.0.1:1:"),
        ("https://images.example.com:444", "http://127.0.0.1:2"),
        ("https://images.example.com:444/https://images.example.com/", "http://127.0.0.1:2/http://127.0.0.1:1/"),
        ("https://images.example.com:4445", "https://images.example.com:4445"),
        ("https://images.example.com:44", "https://images.example.com:44"),
        ("https://images.example.com@x", "https://images.example.com@x"),
        ("https://images.example.com@", "http://127.0.0.1:1@"),
        ("https://images.example.co", "https://images.example.co"),
        (#"{"u": "https:\/\/images.example.com\/a"}"#, #"{"u": "http:\/\/127.0.0.1:1\/a"}"#),
        (#"https:\/\/images.example.com:444 https:\"#, #"http:\/\/127.0.0.1:2 https:\"#),
        ("hhttp://a.example.hhttp://a.example, http://a.exampleh", "hhttp://a.example.hhttp://b, http://a.exampleh"),
        ("HTTP://A.example http://[::1]:8080/x http://[::1]:80801", "http://b /x http://[::1]:80801"),
        ("u=http%3A%2F%2Fa.example%2Fx&v=http%3a%2f%2fA.example", "u=http%3A%2F%2Fb%2Fx&v=http%3A%2F%2Fb"),
        (
            "http%3A%2F%2Fa.example%3A8080 http%3A%2F%2Fa.example%40x",
            "http%3A%2F%2Fa.example%3A8080 http%3A%2F%2Fa.example%40x"
        ),
        ("http://a.example:80/x http://a.example:8080/x", "http://b/x http://a.example:8080/x"),
        ("http:&#x2F;&#x2F;a.example&#x2F;x http:&#47;&#47;a.example", "http:&#x2F;&#x2F;b&#x2F;x http:&#47;&#47;b"),
        (#"http:\u002f\u002fa.example\u002Fx"#, #"http:\u002F\u002Fb\u002Fx"#),
        ("ünï http://a.example ü", "ünï http://b ü"),
        (
            #"<a xmlns="http://a.example/n" xmlns:x = 'http://a.example' href="http://a.example/n" axmlns="http://a.example">"#,
            #"<a xmlns="http://a.example/n" xmlns:x = 'http://a.example' href="http://b/n" axmlns="http://b">"#
        ),
        (
            #"{"@context" : ["http:\/\/a.example/c", "http://a.example/d"], "$id": "http://a.example", "issuer":"http://a.example"}"#,
            #"{"@context" : ["http:\/\/a.example/c", "http://a.example/d"], "$id": "http://a.example", "issuer":"http://b"}"#
        ),
        (#"{"id": ["@context", "http://a.example"]}"#, #"{"id": ["@context", "http://b"]}"#),
    ]

    /// The text in pieces that end at these places.
    private func pieces(_ text: [UInt8], _ ends: [Int]) -> [UInt8] {
        var rewriter = Self.rewriter
        var output: [UInt8] = []
        var start = 0
        for end in ends + [text.count] {
            output += rewriter.rewrite(Array(text[start..<end]))
            start = end
        }
        return output + rewriter.finish()
    }

    @Test(arguments: texts)
    func `an origin is replaced wherever the text is split`(text: String, expected: String) {
        let bytes = Array(text.utf8)
        #expect(String(decoding: Self.rewriter.rewritten(bytes), as: UTF8.self) == expected)
        #expect(pieces(bytes, Array(0..<bytes.count)) == Array(expected.utf8))
        for first in 0...bytes.count {
            for second in first...bytes.count { #expect(pieces(bytes, [first, second]) == Array(expected.utf8)) }
        }
    }

    @Test(arguments: 0..<200)
    func `a text made of scraps of origins comes out the same in any pieces`(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func draw(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let scraps = [
            "https://images.example.com", "http://a.example", "HTTP://A.example", "https:", "//", #":\/\/"#,
            #"https:\/\/images"#, ".example.com",
            "h", "t", ":444", ":4", ".", ":", "@", "-", "a", " ", "/", #"\/"#, "é", "http://[::1]:8080", "%3A", "%2F",
            "%", "http%3A%2F%2Fa.example", ":80",
        ]
        let text = (0..<30).flatMap { _ in Array(scraps[draw(scraps.count)].utf8) }
        let whole = Self.rewriter.rewritten(text)
        #expect(pieces(text, Array(0..<text.count)) == whole)
        for _ in 0..<20 {
            let ends = (0..<1 + draw(8)).map { _ in draw(text.count + 1) }.sorted()
            #expect(pieces(text, ends) == whole)
        }
    }

    @Test func `only what may be the beginning of an origin is held back`() {
        var rewriter = Self.rewriter
        let steps: [(String, String)] = [
            ("a text without any", "a text without any"), ("https", ""), ("! http", "https! "),
            ("s://images.example.co", ""),
            ("m", ""), (":4", ""), ("5", "https://images.example.com:45"), ("https://images.example.com", ""),
            (".", ""),
            (" ", "http://127.0.0.1:1. "), ("https://images.example.com", ""),
        ]
        for (bytes, expected) in steps {
            #expect(String(decoding: rewriter.rewrite(Array(bytes.utf8)), as: UTF8.self) == expected, "behind \(bytes)")
        }
        #expect(String(decoding: rewriter.finish(), as: UTF8.self) == "http://127.0.0.1:1")
        #expect(rewriter.finish().isEmpty)
        #expect(rewriter.rewrite(Array("another.".utf8)) == Array("another.".utf8))
    }

    @Test(arguments: [
        (
            #"{"issuer" : "http://a.example", "u": "http://a.example"}"#,
            #"{"issuer" : "http://a.example", "u": "http://b"}"#
        ),
        (
            "/cb?iss=http%3A%2F%2Fa.example&next=http%3A%2F%2Fa.example",
            "/cb?iss=http%3A%2F%2Fa.example&next=http%3A%2F%2Fb"
        ),
        ("/cb?code=1&iss=http%3A%2F%2Fa.example", "/cb?code=1&iss=http%3A%2F%2Fa.example"),
        ("/cb?miss=http://a.example", "/cb?miss=http://b"),
        (#"{"issuers": "http://a.example"}"#, #"{"issuers": "http://b"}"#),
    ]) func `the name of an issuer stays where its tokens are signed`(text: String, expected: String) {
        let rewriter = OriginRewriter([("http://a.example", "http://b")], keepsIssuers: true)
        #expect(String(decoding: rewriter.rewritten(Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test func `without origins nothing is held back or changed`() {
        var rewriter = OriginRewriter([])
        #expect(rewriter.rewrite(Array("http".utf8)) == Array("http".utf8))
        #expect(rewriter.finish().isEmpty)
    }
}
