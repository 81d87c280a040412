// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiUpstream

/// Requests, routes and proxies, value by value.
@Suite(.supervised) struct RequestCheckTests {
    private func isRefused(_ request: UpstreamRequest) -> Bool {
        do throws(UpstreamError) {
            try request.check(UpstreamConfiguration())
            return false
        } catch {
            return true
        }
    }

    @Test func `a request is refused for each byte that cannot stand where it does`() {
        let url = "http://a/"
        for byte in UInt8(0)...0x7F {
            let sign = String(Unicode.Scalar(byte))
            let isToken = sign.contains(/[A-Za-z0-9!#$%&'*+\-.^_`|~]/)
            let isVisible = byte > 0x20 && byte < 0x7F
            #expect(isRefused(UpstreamRequest("GET", url + sign)) != isVisible, "URL, \(byte)")
            #expect(isRefused(UpstreamRequest("GET", url, target: "/" + sign)) != isVisible, "target, \(byte)")
            #expect(isRefused(UpstreamRequest("G" + sign, url)) != isToken, "method, \(byte)")
            #expect(
                isRefused(UpstreamRequest("GET", url, fields: [.init("A" + sign, "b")])) != isToken, "name, \(byte)")
            #expect(
                isRefused(UpstreamRequest("GET", url, fields: [.init("A", "b" + sign)])) == [0, 10, 13].contains(byte),
                "value, \(byte)")
        }
        for request in [
            UpstreamRequest("GET", url, target: ""), UpstreamRequest("", url),
            UpstreamRequest("GET", url, fields: [.init("", "b")]), UpstreamRequest("GET", "a/"),
            UpstreamRequest("PUT", url, body: .chunks(length: -1) { nil }),
            UpstreamRequest("HEAD", url, body: .chunks(length: 0) { nil }),
        ] { #expect(isRefused(request), "\(request)") }
        for request in [
            UpstreamRequest("GET", "HTTP://a"), UpstreamRequest("GET", "HTTPS://a"), UpstreamRequest("GET", url + "é"),
            UpstreamRequest("PUT", url, body: .chunks(length: 0) { nil }),
            UpstreamRequest("PUT", url, body: .chunks(length: nil) { nil }), UpstreamRequest("HEAD", url),
            UpstreamRequest("PUT", url, body: .bytes([])),
        ] { #expect(!isRefused(request), "\(request)") }
    }

    @Test func `a protocol is for URLs with TLS, for those without, or for both`() {
        let versions: [(UpstreamProtocol, [Bool])] = [
            (.automatic, [true, true]), (.http1, [true, true]), (.h2, [false, true]), (.h2c, [true, false]),
            (.h2cUpgrade, [true, false]),
        ]
        for (version, may) in versions {
            let refused = ["http://a/", "https://a/"].map { isRefused(UpstreamRequest("GET", $0, version: version)) }
            #expect(refused == may.map { !$0 }, "\(version)")
        }
    }

    @Test(arguments: [
        ("http://a@b/c", "http://b/c"), ("http://a:b@c@d", "http://d"), ("http://a/b@c", "http://a/b@c"),
        ("http://a?b@c", "http://a?b@c"), ("http://a#b@c", "http://a#b@c"), ("http://a\\b@c", "http://a\\b@c"),
        ("a@b", "a@b"), ("http://@", "http://"), ("http://a/://b@c", "http://a/://b@c"),
    ])
    func `credentials of a URL are not in an error, nor sent`(url: String, shown: String) {
        #expect(UpstreamError(.resolve, url: url, "").url == shown)
        #expect(UpstreamError.hasCredentials(url) == (url != shown))
        #expect(isRefused(UpstreamRequest("GET", url)) || url == shown)
    }

    @Test(
        arguments: [
            (nil, nil, "a", "::a:1"), ("b", 2, "a", "b:2:a:1"), ("::1", nil, "::2", "[::1]::[::2]:1"),
            ("[::1]", 2, "[::2]", "[::1]:2:[::2]:1"),
        ] as [(String?, Int?, String, String)])
    func `a route is written with IPv6 addresses in brackets`(host: String?, port: Int?, toHost: String, line: String) {
        #expect(UpstreamRoute(host: host, port: port, toHost: toHost, toPort: 1).line == line)
    }

    @Test func `proxies that listen on ports of one's own are left out, each by itself`() {
        for scheme in ["", "http://", "socks5h://"] {
            for user in ["", "me@", "me:127.0.0.1@"] {
                for (host, isLocal) in [
                    ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
                    ("proxy.example", false), ("128.0.0.1", false), ("[::2]", false), ("localhost.example", false),
                ] {
                    for (end, isPort) in [
                        (":8080", true), (":9", true), (":8080/", true), (":8080/a:1", true), (":8081", false),
                        ("", false), (":x", false),
                    ] {
                        let url = scheme + user + host + end
                        let left = isLocal && isPort ? nil : url
                        let proxies = UpstreamProxies(plain: url, secure: "http://p:1").leaving(out: [8080, 9])
                        #expect(proxies == UpstreamProxies(plain: left, secure: "http://p:1"), "\(url)")
                        let others = UpstreamProxies(secure: url, exceptions: "e").leaving(out: [8080, 9])
                        #expect(others == UpstreamProxies(secure: left, exceptions: "e"), "\(url)")
                        #expect(others.proxy(isSecure: true) == left && others.proxy(isSecure: false) == nil)
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("", "a.test", false), ("*", "a.test", true), ("a.test", "A.test.:80", true), (".a.test.", "b.a.test", true),
        ("a.test", "ba.test", false), ("b.test, a.test", "a.test", true), ("127.0.0.0/8", "127.9.9.9", true),
        ("10.0.0.0/9", "10.128.0.1", false), ("10.0.0.1", "10.0.0.1:1", true), ("10.0.0.1", "10.0.0.2", false),
        ("::1", "[::1]:2", true), ("[fe80::]/10", "[febf::1]", true), ("10.0.0.0/33", "10.0.0.0", false),
        ("10.0.0.0/-1", "10.0.0.0", false), ("0.1", "10.0.0.1", false), ("/,.,a", "a", true),
        ("0.0.0.0/0", "::1", false),
    ]) func `a proxy is asked for a host without an exception`(exceptions: String, host: String, isDirect: Bool) {
        let proxies = UpstreamProxies(plain: "http://p:1", exceptions: exceptions)
        #expect((proxies.proxy(for: "http://\(host)/a") == nil) == isDirect)
        #expect(proxies.proxy(for: "https://\(host)/a") == nil)
    }

    @Test func `a duration is the fewest whole milliseconds that hold it, up to what libcurl takes`() {
        var random = SplitMix(seed: 6)
        let limit = Int(Int32.max)
        for second in [0, 1, 9, limit / 1000 - 2] {
            for _ in 0..<50 {
                let attoseconds = random.pick([0, 1, 999, 1000]) * 1_000_000_000_000_000 + random.pick([-1, 0, 1])
                let duration =
                    Duration.seconds(second)
                    + Duration(secondsComponent: 0, attosecondsComponent: max(0, Int64(attoseconds)))
                let count = duration.milliseconds
                #expect(.milliseconds(count) >= duration && .milliseconds(count - 1) < duration, "\(duration)")
            }
        }
        for second in [limit / 1000, limit / 1000 + 1, limit, Int.max] {
            #expect(Duration.seconds(second).milliseconds == limit)
        }
    }
}
