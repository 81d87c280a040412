// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that go by a proxy.
@Suite(.supervised) struct ProxyTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    @Test func `a proxy is asked by the whole URL, but for the hosts that are excepted`() async throws {
        let (proxy, server) = (try RawServer(), try RawServer())
        var configuration = UpstreamConfiguration()
        configuration.proxies = UpstreamProxies(plain: proxy.base, exceptions: "other.invalid,127.0.0.1")
        let client = UpstreamClient(configuration)
        async let asked = proxy.answer(Self.ok)
        #expect(try await client.send(UpstreamRequest("GET", "http://svc.invalid/a?b")).text == "ok")
        #expect(try await asked.first == "GET http://svc.invalid/a?b HTTP/1.1")
        async let direct = server.answer(Self.ok)
        #expect(try await client.send(UpstreamRequest("GET", server.base + "/a")).text == "ok")
        #expect(try await direct.first == "GET /a HTTP/1.1")
    }

    @Test func `a proxy that cannot be found is told`() async throws {
        var configuration = UpstreamConfiguration()
        configuration.proxies = UpstreamProxies(plain: "http://proxy.invalid:1")
        let error = await failure {
            _ = try await UpstreamClient(configuration).send(UpstreamRequest("GET", "http://svc.invalid/"))
        }
        #expect(error?.kind == .connect)
        #expect(
            error?.text.hasSuffix("; check the proxy that services are asked by") == true,
            "\(String(describing: error))")
    }

    @Test(arguments: [
        ("http://localhost:8080", true), ("http://127.0.0.1:8080/", true), ("http://me:p@[::1]:8080", true),
        ("http://127.0.0.1:8081", false), ("http://proxy.example:8080", false), ("http://localhost", false),
    ]) func `a proxy that listens on ports of one's own is left out`(url: String, isOwn: Bool) {
        let proxies = UpstreamProxies(plain: url, secure: "http://proxy.example:8080", exceptions: "a")
        #expect(
            proxies.leaving(out: [8080, 9])
                == UpstreamProxies(plain: isOwn ? nil : url, secure: "http://proxy.example:8080", exceptions: "a"))
    }
}
