// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMatchingSupport
import MockapiTestSupport
import MockapiUpstream
import Testing

@testable import MockapiProxy

/// Heads of random lines, each line held against the rule for its name.
@Suite(.supervised) struct HeadsPassedOnTests {
    private typealias Lines = [(name: String, value: String)]

    private static func drawn(_ lines: Lines, _ random: inout SplitMix) -> Lines {
        (0..<random.below(7)).map { _ in random.pick(lines) }
    }

    /// The names that Connection lines give.
    private static func named(in lines: Lines) -> Set<String> {
        Set(
            lines.filter { $0.name.lowercased() == "connection" }
                .flatMap { $0.value.split(separator: ",").map { $0.lowercased().trimmingPrefix(" ") } }.map(String.init)
        )
    }

    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    // MARK: Requests

    private static let requestLines: Lines = [
        ("Accept", "a"), ("X-Hop", "1"), ("Connection", "close"), ("connection", "X-Hop"),
        ("Connection", "keep-alive, x-hop"), ("Host", "h.example"), ("Expect", "100-continue"), ("Trailer", "X"),
        ("TE", "trailers"), ("te", "gzip"), ("Via", "1.1 other"), ("via", "1.0 other, 1.1 me"),
        ("Via", "1.1 me (hook)"),
        ("Content-Length", "0"), ("Transfer-Encoding", "chunked"), ("X-Gone", "1"), ("x-set", "client"),
        ("Keep-Alive", "5"), ("Upgrade", "h2c"), ("Cookie", "c=1"),
    ]

    @Test func `a client's request goes on with its lines but for those of its connection and of the route`() {
        var random = SplitMix(seed: 5)
        for _ in 0..<4000 {
            let lines = Self.drawn(Self.requestLines, &random)
            let (version, number) = random.pick([(HTTPVersion.http11, "1.1"), (.http10, "1.0"), (.http2, "2.0")])
            let preservesHost = random.chance(50)
            let (path, query) = (random.pick(["/api/x", "/api", "/apix", "/other"]), random.pick([nil, "", "q=/api"]))
            let body = random.pick([[], [UInt8(1)]])
            let host = random.pick([nil, "asked.example"])
            var route = ForwardedRequest.Route(base: "http://up.example/base")
            route.prefixToRemove = random.pick(["", "/api"])
            route.addedFields = random.pick([[], [("X-Set", "route")], [("TE", "x")], [("host", "route")]]).map {
                WireField($0.0, $0.1)
            }
            route.removedNames = random.pick([[], ["x-gone"], ["te"], ["host"]])
            route.pseudonym = "me"
            let method = random.pick(["GET", "HEAD", "POST"])
            var head = RequestHead.make(method, path + (query.map { "?" + $0 } ?? ""), headers: lines, host: host)
            head.version = version
            let request = ProxiedRequest(
                ForwardedRequest(head: head, body: body, route: route, number: 7), preservesHost: preservesHost)

            let added = Set(route.addedFields.map { $0.name.lowercased() })
            let left = Self.ofConnection.union(["host", "expect", "trailer", "te", "via", "content-length"])
                .union(Self.named(in: lines)).union(added).union(route.removedNames)
            let own = lines.filter { !left.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
            var expected = own
            let takesOthers = { (name: String) in !added.contains(name) && !route.removedNames.contains(name) }
            if let host, preservesHost, takesOthers("host") { expected.append("Host: \(host)") }
            if lines.contains(where: { $0 == ("TE", "trailers") }), takesOthers("te") {
                expected += ["TE: trailers", "Connection: TE"]
            }
            expected += route.addedFields.map { "\($0.name): \($0.value)" }
            let vias = lines.filter { $0.name.lowercased() == "via" }.map(\.value)
            expected.append("Via: " + (vias + ["\(number) me"]).joined(separator: ", "))
            let upstream = request.upstream
            #expect(upstream.fields.map(\.description) == expected, "\(lines)")
            #expect(request.isLoop == vias.contains { $0.hasSuffix("1.1 me") }, "\(vias)")
            var target = path
            if route.prefixToRemove == "/api", path.hasPrefix("/api") {
                target = String(path.dropFirst(4))
                if target == "x" { target = "/x" }
            }
            #expect(request.url == "http://up.example/base" + target + (query.map { "?" + $0 } ?? ""))
            let hasLength = lines.contains { ["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
            let content: [UInt8]? =
                if case .bytes(let bytes) = upstream.body { bytes } else { nil }
            #expect(content == (method == "HEAD" || body.isEmpty && !hasLength ? nil : body))
            #expect(request.isHead == (method == "HEAD"))
        }
    }

    // MARK: Responses

    private static func head(_ status: Int, _ reason: String, _ lines: Lines) -> ReceivedHead {
        var head = ReceivedHead()
        func range(_ text: String) -> ByteRange {
            head.bytes += text.utf8
            return ByteRange(head.bytes.count - text.utf8.count, head.bytes.count)
        }
        head.status = status
        head.reason = range(reason)
        for line in lines {
            let name = range(line.name)
            head.fields.append(RequestHead.Field(name: name, value: range(line.value)))
        }
        return head
    }

    private static let framingLines: Lines = [
        ("A", "x"), ("A", "tab\there é"), ("content-length", "5"), ("Content-Length", "05"), ("Content-Length", "5, 5"),
        ("Content-Length", " 5 "), ("Content-Length", "5,6"), ("Content-Length", ""), ("Content-Length", "5,"),
        ("Content-Length", "x"), ("Content-Length", "+5"), ("Content-Length", "999999999999999999"),
        ("Content-Length", "1000000000000000000"), ("Content-Length", "00000000000000000000005"),
        ("Transfer-Encoding", "chunked"), ("transfer-encoding", "Chunked , chunked"), ("Transfer-Encoding", "identity"),
        ("Transfer-Encoding", "gzip, chunked"), ("X-Length-Content", "5"), ("X-Transfer-Coding", "x"),
    ]

    /// The rules in their order, in plain words.
    private static func flaw(_ status: Int, _ reason: String, _ lines: Lines) -> String? {
        func control(_ text: String) -> String? {
            text.utf8.first { $0 < 32 && $0 != 9 || $0 == 127 }.map(FieldText.name(ofControl:))
        }
        if status < 200 {
            return "the response has the status \(status), which is not a final one and nobody asked for"
        }
        if status > 999 { return "the response has the status \(status), which is none" }
        if let name = control(reason) { return "the reason of the response has \(name) in it" }
        for line in lines {
            if line.name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+\-.^_`|~]+/) == nil {
                return "the response has a field whose name is not a field name"
            }
            if let name = control(line.value) {
                return "the response has \(name) in the value of its field \(line.name)"
            }
        }
        let lengths = lines.filter { $0.name.lowercased() == "content-length" }
            .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimmingPrefix(" ").prefix { $0 != " " } }
        for length in lengths {
            if length.wholeMatch(of: /[0-9]+/) == nil {
                return "the response has a Content-Length that is not a number"
            }
            if length.trimmingPrefix(while: { $0 == "0" }).count > 18 {
                return "the response has a Content-Length that is larger than any content"
            }
        }
        if Set(lengths.map { Int($0) }).count > 1 {
            return "the response has two Content-Lengths that differ, so its end is not known"
        }
        let codings = lines.filter { $0.name.lowercased() == "transfer-encoding" }.map { $0.value.lowercased() }
        if codings.isEmpty { return nil }
        if !lengths.isEmpty {
            return "the response has Content-Length beside Transfer-Encoding, so its end is not known"
        }
        if codings.allSatisfy({ $0.hasPrefix("chunked") }) || codings == ["identity"] { return nil }
        let all = codings.joined(separator: ", ").replacing(" ,", with: ",")
        return "the response has the transfer coding \(all.prefix(60)), and none but chunked can be undone"
    }

    @Test func `a response that cannot be passed on has the first of its flaws`() {
        var random = SplitMix(seed: 6)
        for _ in 0..<6000 {
            var lines = Self.drawn(Self.framingLines, &random)
            if random.chance(5) { lines.append((random.pick(["", "A b", "é", "A:"]), "x")) }
            if random.chance(5) {
                lines.append(("B", "x" + random.pick(["\u{0}", "\u{8}", "\u{1F}", "\n", "\r", "\u{7F}"]) + "y"))
            }
            let status = random.chance(90) ? 200 : random.pick([0, 100, 199, 999, 1000])
            let reason = random.chance(90) ? "OK" : random.pick(["", "a\u{1}b", "a\tb", "\n"])
            let found = Self.head(status, reason, lines).flaw
            #expect(found == Self.flaw(status, reason, lines), "\(status) \(reason) \(lines)")
        }
    }

    private static let responseLines: Lines = [
        ("A", "b"), ("Date", "d"), ("dates", "x"), ("Connection", "X-Hop"), ("connection", "Close"), ("X-Hop", "1"),
        ("Alt-Svc", "h3"), ("Alt-Sic", "x"), ("strict-transport-security", "max-age=1"), ("Accept-Ranges", "bytes"),
        ("Content-Encoding", "gzip"), ("ETag", "\"a\""), ("etag", "W/\"b\""), ("Content-Digest", "x"),
        ("Set-Cookie", "a=1; Secure; Domain=aab.example"), ("Location", "https://aab.example/x"),
        ("X-Note", "see https://aab.example"), ("Content-Length", "5"), ("Content-Length", "5, 5"),
        ("Transfer-Encoding", "chunked"), ("Keep-Alive", "5"), ("Policy", "other.example"),
    ]

    @Test func `a client of a proxy sees a head without the lines that lead past it or that hold no more`() {
        var random = SplitMix(seed: 7)
        let (origin, base) = ("https://aab.example", "http://p:1")
        for _ in 0..<4000 {
            let lines = Self.drawn(Self.responseLines, &random)
            let status = random.pick([200, 200, 200, 204, 206, 304, 404])
            let (isHead, isSecure) = (random.chance(20), random.chance(50))
            let view = ProxyView(origins: [origin], bases: [base], isSecure: isSecure)
            let content = random.pick([
                SeenHead.Content.untouched, .rewritten(length: nil), .rewritten(length: 9),
            ])
            let seen = SeenHead(Self.head(status, "Why", lines), isHead: isHead, view: view)
            let isSame = content == .untouched

            var left = Self.ofConnection.union(Self.named(in: lines)).union(["alt-svc", "strict-transport-security"])
            left.insert("content-length")
            if !isSame { left.formUnion(["accept-ranges", "content-encoding", "content-digest"]) }
            let kept = lines.filter { !left.contains($0.name.lowercased()) }
            let shown = kept.flatMap { line -> [String] in
                switch line.name.lowercased() {
                case "etag" where !isSame && !line.value.hasPrefix("W/"): return ["\(line.name): W/\(line.value)"]
                case "set-cookie":
                    return SeenCookie.lines(Array(line.value.utf8)[...], isSecure: isSecure).map {
                        "\(line.name): \(String(decoding: $0, as: UTF8.self))"
                    }
                default: return ["\(line.name): \(line.value.replacing(origin, with: base))"]
                }
            }
            let length = lines.contains { $0.name == "Content-Length" } ? 5 : nil
            let hasContent = !isHead && status != 204 && status != 304
            #expect(seen.length == length && seen.hasContent == hasContent)
            let expected: ResponseHead.Framing =
                if hasContent {
                    if case .rewritten(let length) = content {
                        length.map { .length($0) } ?? .chunked
                    } else {
                        length.map { .length($0) } ?? .chunked
                    }
                } else { isHead ? length.map { .length($0) } ?? .none : .none }
            let head = seen.responseHead(content)
            let written = ResponseHead(
                status: status, reason: Array("Why".utf8), lines: Array(shown.map { $0 + "\r\n" }.joined().utf8),
                hasDate: kept.contains { $0.name == "Date" }, framing: expected)
            #expect(head.http1 == written.http1 && head.framing == written.framing, "\(lines) \(content)")
            #expect(head.hasDate == written.hasDate)
            let tag = Array("W/\"a\"".utf8)
            let isWeakened = !isSame && kept.contains { $0.value == "\"a\"" }
            #expect((view.tags.restored(tag) != tag) == isWeakened)
        }
    }
}
