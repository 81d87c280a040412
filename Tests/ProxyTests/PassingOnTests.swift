// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiUpstream
import Testing

@testable import MockapiProxy

/// What goes on to an upstream and what comes back, each held against a slow way to the same.
@Suite(.supervised) struct PassingOnTests {
    /// What a Range line of one range of bytes asks for, as the set of the bytes of a content.
    private static func asked(_ range: String, of count: Int) -> Set<Int>? {
        guard let parts = range.wholeMatch(of: /(?i:bytes)=[ \t]*(\d*)-(\d*)[ \t]*/)?.output else { return nil }
        let all = Set(0..<count)
        switch (Int(parts.1), Int(parts.2)) {
        case (nil, nil): return nil
        case (let first?, nil): return all.filter { $0 >= first }
        case (nil, let last?): return all.filter { $0 >= count - last }
        case (let first?, let last?): return last < first ? nil : all.filter { $0 >= first && $0 <= last }
        }
    }

    @Test func `a range asks for less where it names some of the bytes and not all`() {
        let ends = ["", "0", "1", "3", "4", "5", "9"]
        for (unit, gap) in [("bytes=", ""), ("Bytes=", " "), ("items=", ""), ("bytes", "")] {
            for first in ends {
                for last in ends + ["x", "1,2-3", "-"] {
                    let range = "\(unit)\(gap)\(first)-\(last)\(gap)"
                    let part = PartRequest(method: "GET", [UpstreamField("Range", range)])
                    #expect((part == nil) == (Self.asked(range, of: 5) == nil), "\(range)")
                    for count in 0...6 {
                        guard let part, let bytes = Self.asked(range, of: count) else { continue }
                        #expect(
                            part.isLess(than: count) == (!bytes.isEmpty && bytes.count < count), "\(range) of \(count)")
                    }
                }
            }
        }
        let range = UpstreamField("range", "bytes=1-2")
        #expect(PartRequest(method: "HEAD", [range]) == nil)
        #expect(PartRequest(method: "GET", [range, range]) == nil)
        #expect(PartRequest(method: "GET", [range, UpstreamField("If-Range", "x")]) == nil)
        #expect(PartRequest(method: "GET", []) == nil)
    }

    private static func request(
        _ fields: [(String, String)], method: String = "GET", target: String = "/a", body: [UInt8]? = nil
    ) throws -> OutgoingRequest {
        OutgoingRequest(
            origin: try UpstreamOrigin("http://a.example:81"), method: method, target: target,
            fields: fields.map { UpstreamField($0.0, $0.1) }, body: body)
    }

    @Test func `a request for the whole is one without conditions and ranges of bytes`() throws {
        let conditions = [
            ("If-Match", "\"a\""), ("if-none-match", "*"), ("If-Modified-Since", "x"), ("If-Unmodified-Since", "x"),
            ("If-Range", "x"),
            ("Range", "Bytes=0-1"),
        ]
        let others = [("Range", "items=0-1"), ("Accept", "a"), ("If-Other", "x")]
        for method in ["GET", "HEAD", "POST"] {
            for condition in conditions {
                let whole = try Self.request(others + [condition], method: method).whole
                #expect(
                    whole?.fields.map(\.name) == (method == "POST" ? nil : others.map(\.0)), "\(method) \(condition)")
            }
            #expect(try Self.request(others, method: method).whole == nil)
        }
        for status in [200, 204, 206, 304, 404, 412, 416] {
            #expect(OutgoingRequest.mayBeLess(status) == [206, 304, 412, 416].contains(status))
        }
    }

    @Test func `what was meant for one upstream does not go to another`() throws {
        var origin = try UpstreamOrigin("https://u:p@a.example")
        origin.fields = [UpstreamField("X-Key", "1"), UpstreamField("X-Own", "2")]
        var request = OutgoingRequest(
            origin: origin, method: "GET", target: "/",
            fields: [("Accept", "a"), ("x-own", "mine"), ("Cookie", "c=1")].map { UpstreamField($0.0, $0.1) },
            body: nil)
        request.addFieldsOfOrigin()
        #expect(
            request.fields.map(\.description) == [
                "Accept: a", "x-own: mine", "Cookie: c=1", "X-Key: 1", "Authorization: Basic dTpw",
            ])
        #expect(request.added == ["x-key", "authorization"])
        request.host = "b"
        var other = try UpstreamOrigin("http://c.example")
        other.fields = [UpstreamField("X-Other", "3")]
        request.turn(to: other)
        #expect(request.fields.map(\.description) == ["Accept: a", "X-Other: 3"])
        #expect(request.added == ["x-other"])
        #expect(request.host == nil)
        #expect(request.isSafe)
        #expect(try !Self.request([], method: "PUT").isSafe)
        #expect(origin.adds)
        #expect(other.adds)
        #expect(try !UpstreamOrigin("http://c.example").adds)
    }

    @Test func `a head of HTTP 1 is written where each part of it can stand there`() throws {
        func head(_ request: OutgoingRequest) -> String? {
            request.http1Head.map { String(decoding: $0, as: UTF8.self) }
        }
        let body: [UInt8] = [1, 2]
        #expect(
            head(try Self.request([("A", "b"), ("C", "")], method: "PUT", target: "/x?y", body: body))
                == "PUT /x?y HTTP/1.1\r\nHost: a.example:81\r\nA: b\r\nC: \r\nContent-Length: 2\r\n\r\n")
        #expect(
            head(try Self.request([], method: "HEAD", body: body)) == "HEAD /a HTTP/1.1\r\nHost: a.example:81\r\n\r\n")
        var named = try Self.request([])
        named.host = "other"
        #expect(head(named) == "GET /a HTTP/1.1\r\nHost: other\r\n\r\n")
        for byte in UInt8(0)...0x7F {
            let sign = String(Unicode.Scalar(byte))
            let isToken = sign.contains(/[A-Za-z0-9!#$%&'*+\-.^_`|~]/)
            #expect((head(try Self.request([], method: "G" + sign)) != nil) == isToken, "method \(byte)")
            #expect((head(try Self.request([("A" + sign, "b")])) != nil) == isToken, "name \(byte)")
            #expect(
                (head(try Self.request([], target: "/" + sign)) != nil) == (byte > 0x20 && byte < 0x7F),
                "target \(byte)")
            #expect((head(try Self.request([("A", sign)])) != nil) == ![0, 10, 13].contains(byte), "value \(byte)")
        }
        #expect(head(try Self.request([], method: "CONNECT")) == nil)
        #expect(head(try Self.request([], target: "*")) == nil)
    }

    @Test func `a weakened tag goes back as the strong one it was`() {
        var random = SplitMix(seed: 3)
        let tags = WeakenedTags()
        let value = { (text: String) in String(decoding: tags.restored(Array(text.utf8)), as: UTF8.self) }
        #expect(value(#"W/"a""#) == #"W/"a""#)
        for tag in [#""a""#, #""b,c""#, #""""#] { tags.insert(Array(tag.utf8)[...]) }
        for _ in 0..<2000 {
            let pieces = [#"W/"a""#, #"W/"b,c""#, #"W/"""#, #"W/"d""#, #""a""#, ", ", "*"]
            let text = (0..<random.below(7)).map { _ in random.pick(pieces) }.joined()
            let known = [#""a""#, #""b,c""#, #""""#]
            let expected = text.replacing(/W\/("[^"]*")/) { known.contains(String($0.1)) ? $0.1 : $0.0 }
            #expect(value(text) == expected, "\(text)")
        }
        #expect(value(#"W/"a"#) == #"W/"a"#)
        for name in ["if-match", "if-none-match", "if-range"] { #expect(WeakenedTags.areSent(in: name)) }
        #expect(!WeakenedTags.areSent(in: "etag"))
    }

    @Test func `the fields of a connection are those that are known and those that it names`() {
        var fields = ConnectionFields()
        #expect(fields.contain("transfer-encoding"))
        #expect(!fields.contain("x-a"))
        fields.add(connection: " X-A ,\tclose, ,X-b")
        for name in ["x-a", "x-b"] { #expect(fields.contain(name)) }
        #expect(!fields.contain("close"))
        #expect(!fields.contain("x-c"))
        var usual = ConnectionFields()
        for value in ["Close", "keep-alive"] { usual.add(connection: value) }
        #expect(!usual.contain("close"))
        for (value, expected) in [
            ("trailers", true), ("gzip, Trailers;q=1", true), ("gzip;trailers", false), ("", false),
            (" trailers ", true),
        ] {
            #expect(ConnectionFields.takesTrailers(value) == expected, "\(value)")
        }
    }

    @Test func `a text is searched for origins as one that is read from each of its places`() {
        var random = SplitMix(seed: 9)
        let view = ProxyView(
            origins: ["https://aab.example", "http://[::1]:8080"], bases: ["http://p:1", "http://p:2"], isSecure: false)
        for _ in 0..<3000 {
            let pieces = [
                "https://", "HTTPS://", "aab.example", "AaB.eXample", "aaab.example", "http://[::1]:8080", "[::1]",
                "/x", " ", "a", "b.example", "\"", "é",
            ]
            let text = (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
            // Whether the scanner lets a text pass must not change what the rewriter makes of it.
            guard var rewriter = view.streamRewriter(for: "text/plain") else {
                Issue.record("text passes as it is")
                return
            }
            let slow = rewriter.rewrite(Array(text.utf8)) + rewriter.finish()
            #expect(view.rewritten(Array(text.utf8)) == slow, "\(text)")
            let mayStand = ["aab.example", "::1"].contains { text.lowercased().contains($0) }
            #expect(view.mayStand(in: Array(text.utf8)) == mayStand, "\(text)")
        }
        // Clients compare the name of an issuer with that in a token, which is signed.
        let issuer = #"{"issuer": "https://aab.example", "jwks_uri": "https://aab.example/k"}"#
        let seen = view.rewritten(Array(issuer.utf8), mediaType: "application/json")
        #expect(
            String(decoding: seen, as: UTF8.self) == #"{"issuer": "https://aab.example", "jwks_uri": "http://p:1/k"}"#)
        #expect(view.returned("http://p:2/a http://p:1/b") == "http://[::1]:8080/a https://aab.example/b")
    }

    @Test func `a proxied response keeps its lines but for those of the connection`() {
        func head(_ status: Int, _ fields: [(String, String)], isHead: Bool = false, version: UpstreamVersion = .http11)
            -> String
        {
            let head = UpstreamHead(
                version: version, status: status, reason: "Why", fields: fields.map { UpstreamField($0.0, $0.1) })
            let seen = ProxiedResponse(head, isHead: isHead, further: []).head
            return "\(seen.framing) \(seen.hasDate) "
                + String(decoding: seen.http1, as: UTF8.self).replacing("\r\n", with: "|")
        }
        let fields = [
            ("Date", "x"), ("Connection", "X-Hop"), ("X-Hop", "1"), ("content-length", "5"), ("A", "b"),
            ("Transfer-Encoding", "y"),
        ]
        let lines = "HTTP/1.1 200 Why|Date: x|A: b|"
        #expect(head(200, fields) == "length(5) true \(lines)Content-Length: 5|")
        #expect(head(200, [("A", "b")]) == "chunked false HTTP/1.1 200 Why|A: b|Transfer-Encoding: chunked|")
        #expect(head(200, [("Content-Length", "-3")]) == "length(0) false HTTP/1.1 200 Why|Content-Length: 0|")
        #expect(head(200, [], version: .http2) == "chunked false HTTP/1.1 200 OK|Transfer-Encoding: chunked|")
        for status in [100, 199, 204, 304] {
            #expect(head(status, fields) == "none true HTTP/1.1 \(status) Why|Date: x|A: b|")
        }
        #expect(head(304, fields, isHead: true) == "length(5) true HTTP/1.1 304 Why|Date: x|A: b|Content-Length: 5|")
        #expect(head(200, [], isHead: true) == "none false HTTP/1.1 200 Why|")
    }
}
