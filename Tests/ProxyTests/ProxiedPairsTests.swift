// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMatchingSupport
import MockapiTestSupport
import MockapiUpstream
import Testing

@testable import MockapiProxy

/// A proxy's request to its upstream, and the text of responses, beside the rules for them.
@Suite(.supervised) struct ProxiedPairsTests {
    private typealias Lines = [(name: String, value: String)]

    private static let lines: Lines = [
        ("Accept", "a"), ("Accept-Encoding", "gzip"), ("accept-encoding", "compress"), ("Accept-Encoding", "br, x"),
        ("Host", "p:1"), ("Expect", "100-continue"), ("Trailer", "X"), ("TE", "trailers"), ("te", "gzip"),
        ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("Content-Length", "9"),
        ("Transfer-Encoding", "chunked"), ("Content-Digest", "d"), ("Digest", "d"), ("X-Key", "mine"),
        ("Referer", "http://p:1/back"), ("If-Match", "W/\"a\", W/\"b\""), ("X-Tag", "W/\"a\""), ("Cookie", "c=1"),
    ]
    private static let left: Set<String> = [
        "accept-encoding", "host", "expect", "trailer", "te", "connection", "keep-alive", "content-length",
        "transfer-encoding",
    ]

    @Test func `a request goes on with the URLs and the tags that its upstream knows`() throws {
        var random = SplitMix(seed: 31)
        let loop = try EventLoopGroup(count: 1).next()
        let view = ProxyView(origins: ["https://aab.example"], bases: ["http://p:1"], isSecure: false)
        view.tags.insert(Array("\"a\"".utf8)[...])
        var origin = try UpstreamOrigin("https://u:p@aab.example")
        origin.fields = [UpstreamField("X-Key", "ours")]
        for _ in 0..<4000 {
            var lines = (0..<random.below(7)).map { _ in random.pick(Self.lines) }
            let type = random.pick([nil, "text/plain", "image/png"])
            let isCoded = random.chance(20)
            if let type { lines.append(("Content-Type", type)) }
            if isCoded { lines.append(("Content-Encoding", "gzip")) }
            let text = random.pick(["", "a", "see http://p:1/x"])
            let path = random.pick(["/a", "/to/http://p:1/b"])
            let query = random.pick([nil, "", "q=1"])
            let method = random.pick(["GET", "POST"])
            let host = random.pick([nil, "asked.example"])
            origin.keepsHost = random.chance(50)
            let head = RequestHead.make(method, path + (query.map { "?" + $0 } ?? ""), headers: lines, host: host)
            let request = OutgoingRequest(
                UnmatchedRequest(
                    head: head, body: Array(text.utf8), connection: ConnectionInfo(id: 1, peer: .none), loop: loop,
                    namesServer: true), to: origin, seenAs: view)

            let isText = type == "text/plain" && !isCoded
            let sent = isText ? text.replacing("http://p:1", with: "https://aab.example") : text
            var dropped = Self.left
            if lines.contains(where: { $0.name == "Connection" }) { dropped.insert("x-hop") }
            if sent != text { dropped.formUnion(["content-digest", "digest"]) }
            var expected: [String] = []
            let codings = lines.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value)
            var isPlaced = false
            for line in lines {
                if line.name.lowercased() == "accept-encoding", !isPlaced {
                    isPlaced = true
                    expected.append("Accept-Encoding: " + AcceptedCodings.reduced(codings.joined(separator: ", ")))
                }
                if dropped.contains(line.name.lowercased()) { continue }
                var value = line.value.replacing("http://p:1", with: "https://aab.example")
                if line.name == "If-Match" { value = "\"a\", W/\"b\"" }
                expected.append("\(line.name): \(value)")
            }
            if lines.contains(where: { $0 == ("TE", "trailers") }) { expected += ["TE: trailers", "Connection: TE"] }
            if !lines.contains(where: { $0.name == "X-Key" }) { expected.append("X-Key: ours") }
            expected.append("Authorization: Basic dTpw")
            #expect(request.fields.map(\.description) == expected, "\(lines)")
            #expect(request.host == (origin.keepsHost ? host : nil))
            let target = path + (query.map { "?" + $0 } ?? "")
            #expect(request.target == target.replacing("http://p:1", with: "https://aab.example"))
            let hasLength = lines.contains { ["Content-Length", "Transfer-Encoding"].contains($0.name) }
            #expect(request.body == (text.isEmpty && !hasLength ? nil : Array(sent.utf8)))
            #expect(request.method == method && !request.isBound)
        }
    }

    @Test func `a request to an upstream has its target in the URL, or beside it`() throws {
        let origin = try UpstreamOrigin("http://a.example")
        for (target, url, other) in [
            ("/a?b", "http://a.example/a?b", nil), ("*", "http://a.example/", "*"),
            ("/a#b", "http://a.example/a#b", "/a#b"), ("http://c/d", "http://a.example/", "http://c/d"),
        ] as [(String, String, String?)] {
            for (method, body) in [("GET", nil), ("PUT", [UInt8(1)]), ("HEAD", [1])] as [(String, [UInt8]?)] {
                var request = OutgoingRequest(
                    origin: origin, method: method, target: target, fields: [UpstreamField("A", "1")], body: body)
                request.host = body.map { _ in "h" }
                let upstream = request.upstream(.http1)
                #expect(upstream.url == url && upstream.target == other && upstream.version == .http1)
                #expect(upstream.fields.map(\.description) == (body == nil ? [] : ["Host: h"]) + ["A: 1"])
                let content: [UInt8]? = if case .bytes(let bytes) = upstream.body { bytes } else { nil }
                #expect(content == (method == "PUT" ? body : nil))
            }
        }
    }

    @Test func `a head is the same in the form of either room`() {
        for version in [UpstreamVersion.http10, .http11, .http2] {
            var head = UpstreamHead(
                version: version, status: 299, fields: [UpstreamField("A", "b"), UpstreamField("C", bytes: [0xE9, 0])])
            head.reasonBytes = [0xFF, 0x41]
            let received = ReceivedHead(head)
            #expect(received.status == 299 && received.fields.count == 2)
            #expect(UpstreamHead(received) == head)
        }
    }

    private static func head(_ type: String?, _ coding: String?) -> ReceivedHead {
        var head = UpstreamHead(version: .http11, status: 200)
        if let type { head.fields.append(UpstreamField("Content-Type", type)) }
        if let coding { head.fields.append(UpstreamField("Content-Encoding", coding)) }
        return ReceivedHead(head)
    }

    @Test func `text is rewritten if it can be decoded, whole and within its bounds`() throws {
        let view = ProxyView(origins: ["https://aab.example"], bases: ["http://p:1"], isSecure: false)
        let limit = DecodedLimit()
        for (type, isText) in [("text/plain", true), ("image/png", false), (nil, false)] {
            for (coding, isKnown) in [(nil, true), ("gzip", true), ("compress", false)] {
                let head = Self.head(type, coding)
                #expect(ContentRewriter.mayRewrite(head, limit: limit) == (isText && isKnown))
                #expect((ContentRewriter(head, seenAs: view, limit: limit) != nil) == (isText && isKnown))
            }
        }
        func verdict(_ bytes: [UInt8], _ coding: String?, _ limit: DecodedLimit) -> String {
            switch ContentRewriter.judge(bytes, Self.head("text/plain", coding), seenAs: view, limit: limit) {
            case .untouched: "untouched"
            case .rewritten(let text): String(decoding: text, as: UTF8.self)
            case .tooLong: "too long"
            }
        }
        let text = Array("to https://aab.example/".utf8)
        var small = limit
        (small.bytes, small.factor) = (10, 0)
        #expect(verdict(text, nil, limit) == "to http://p:1/")
        #expect(verdict(text, "gzip", limit) == "untouched")
        #expect(verdict(text, "compress", limit) == "untouched")
        #expect(verdict(try ContentCoding.gzip.encode(text), "gzip", limit) == "to http://p:1/")
        #expect(verdict(try ContentCoding.gzip.encode(text).dropLast(), "gzip", limit) == "untouched")
        #expect(verdict(try ContentCoding.gzip.encode(text), "gzip", small) == "too long")
        let most = [UInt8](repeating: 97, count: ContentRewriter.wholeLimit)
        #expect(verdict(try ContentCoding.gzip.encode(most), "gzip", limit) == "untouched")
        #expect(verdict(try ContentCoding.gzip.encode(most + [97]), "gzip", limit) == "too long")

        func isMiscoded(_ bytes: [UInt8], _ coding: String?, _ limit: DecodedLimit) -> Bool {
            ContentRewriter.isMiscoded(bytes, Self.head("text/plain", coding), limit: limit)
        }
        #expect(isMiscoded(text, "gzip", limit))
        #expect(!isMiscoded(text, nil, limit) && !isMiscoded(text, "compress", limit))
        #expect(try !isMiscoded(ContentCoding.gzip.encode(text), "gzip", limit))
        #expect(try !isMiscoded(ContentCoding.gzip.encode(most), "gzip", small))
    }

    @Test func `an origin is read from each way of writing it`() throws {
        for (scheme, isSecure) in [("http://", false), ("HTTPS://", true), ("https://", true)] {
            for user in ["", "u@", "u:p@", "u@v:p@"] {
                for host in ["a.example", "A.Example", "[::1]"] {
                    for (port, number) in [
                        ("", nil), (":", nil), (":80", 80), (":443", 443), (":1", 1), (":65535", 65_535),
                    ] as [(String, Int?)] {
                        for end in ["", "/"] {
                            let origin = try UpstreamOrigin(scheme + user + host + port + end)
                            let shown = number.flatMap { $0 == (isSecure ? 443 : 80) ? nil : ":\($0)" } ?? ""
                            #expect(origin.text == scheme.lowercased() + host.lowercased() + shown)
                            #expect(origin.authority == host.lowercased() + shown)
                            #expect(origin.isSecure == isSecure && !origin.keepsHost)
                            #expect(
                                origin.authorization
                                    == (user.isEmpty ? nil : "Basic " + Base64.text(of: Array(user.dropLast().utf8))))
                            #expect(origin.adds == !user.isEmpty)
                        }
                    }
                }
            }
        }
        for url in [
            "http://", "http://:80", "http://a/b", "http://a?", "http://a#", "http://a\\", "http://a:0",
            "http://a:65536",
            "http://a:99999999999999999999", "http://a:x", "ftp://a", "a", "http://a b", "http://u@",
        ] { #expect(throws: ProxyError.self, "\(url)") { try UpstreamOrigin(url) } }
        for (host, expected) in [("[::1]", "::1"), ("a", "a"), ("[a", "[a"), ("a]", "a]"), ("[]", "")] {
            #expect(UpstreamOrigin.withoutBrackets(host) == expected)
        }
    }

    @Test func `16384 weakened tags are remembered, and with one more all others forgotten`() {
        let tags = WeakenedTags()
        let isKnown = { (number: Int) in tags.restored(Array("W/\"\(number)\"".utf8)) == Array("\"\(number)\"".utf8) }
        for number in 0..<16_384 { tags.insert(Array("\"\(number)\"".utf8)[...]) }
        #expect(isKnown(0) && isKnown(16_383))
        tags.insert(Array("\"16384\"".utf8)[...])
        #expect(!isKnown(0) && !isKnown(16_383) && isKnown(16_384))
    }
}
