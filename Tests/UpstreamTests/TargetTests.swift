// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiUpstream

/// Rules for the servers that may be asked.
@Suite(.supervised) struct TargetTests {
    /// Allowed and denied rules, and hosts with whether the name alone may be asked.
    @Test(arguments: [
        ([], [], "any.test", true), (["a.test"], [], "a.test:80", true), (["a.test"], [], "A.TEST.", true),
        (["a.test"], [], "b.a.test", false), (["*.a.test"], [], "b.a.test", true), (["*.a.test"], [], "a.test", false),
        (["*a*b*"], [], "xaxbx", true), (["*a*b*"], [], "xbxax", false), (["a*aa"], [], "aaa", true),
        (["a*aa"], [], "aa", false), (["*"], ["a.test"], "a.test", false), (["*"], ["a.test"], "b.test", true),
        ([], ["*.test"], "a.test", false), ([], ["10.1.2.3"], "10.1.2.3:8080", false),
        ([], ["10.1.2.3"], "10.1.2.4", true), ([], ["192.168.10.1-192.168.11.254"], "192.168.10.255", false),
        ([], ["192.168.10.1-192.168.11.254"], "192.168.11.255", true),
        ([], ["192.168.10.1 - 192.168.11.254"], "192.168.11.254", false),
        (["10.0.0.1"], [], "10.0.0.2", false), (["10.0.0.1"], [], "[::ffff:10.0.0.1]:1", true),
        ([], ["::1"], "[::1]", false), ([], ["fe80::-fe80::ffff"], "[fe80::1]", false),
        ([], ["0.0.0.0-255.255.255.255"], "[::1]", true), ([], ["a.test."], "a.test", false),
        ([], ["127.0.0.1"], "0.0.0.0", false), ([], ["::1"], "[::]", false), (["0.0.0.0"], [], "0.0.0.0:1", true),
        ([], ["0.0.0.0"], "127.0.0.1", true), ([], ["b.test"], "%61.test", false), ([], ["b.test"], "ä.test", false),
        ([], ["b.test"], "[fe80::1%25eth0]", false), (["*"], [], "", false),
        ([], ["my-host_1.test"], "my-host_1.test", false),
    ]) func `a name or an address is judged by its rules`(
        allowed: [String], denied: [String], host: String, isTaken: Bool
    ) throws {
        let targets = try UpstreamTargets(allowed: allowed, denied: denied)
        #expect((targets.refusal(of: "http://\(host)/a?b", isProxied: false) == nil) == isTaken)
    }

    @Test func `the address that a name leads to counts, too`() throws {
        func isTaken(_ targets: UpstreamTargets, _ url: String, at address: String? = nil, isProxied: Bool = false)
            -> Bool
        {
            (address.map { targets.refusal(of: url, at: $0) } ?? targets.refusal(of: url, isProxied: isProxied)) == nil
        }
        let (inner, own) = ("http://inner.test", "http://a.test")
        let denying = try UpstreamTargets(allowed: [], denied: ["10.0.0.0-10.255.255.255"])
        #expect(isTaken(denying, inner) && !isTaken(denying, inner, at: "10.2.3.4"))
        #expect(isTaken(denying, inner, at: "11.0.0.0"))
        let allowing = try UpstreamTargets(allowed: ["10.0.0.1", "a.test"], denied: [])
        #expect(isTaken(allowing, inner) && !isTaken(allowing, inner, at: "10.0.0.2"))
        #expect(isTaken(allowing, inner, at: "10.0.0.1") && isTaken(allowing, own, at: "10.0.0.2"))
        // Behind a proxy nobody learns to which address a name leads.
        #expect(!isTaken(denying, inner, isProxied: true) && isTaken(denying, "http://11.0.0.0", isProxied: true))
        #expect(!isTaken(allowing, inner, isProxied: true) && isTaken(allowing, own, isProxied: true))
        #expect(isTaken(allowing, "http://10.0.0.1", isProxied: true))
        let named = try UpstreamTargets(allowed: [], denied: ["a.test"])
        #expect(isTaken(named, inner, isProxied: true) && !isTaken(named, own, isProxied: true))
    }

    @Test(arguments: [
        "10.0.0.0/8", "[::1]", "host:8080", "10.0.0.9-10.0.0.1", "10.0.0.1-10.0.0.256", "10.0.0-10.0.0.9",
        "10.0.0.1-::1",
        "10.0.0.*", "10.0.0.256", "http://a.test", "", ".", "bücher.test", "a b", "%61.test",
    ]) func `a rule that cannot be read is an error`(rule: String) {
        #expect(throws: UpstreamTargets.Mistake.self) { try UpstreamTargets(allowed: [], denied: ["a.test", rule]) }
        #expect(throws: UpstreamTargets.Mistake.self) { try UpstreamTargets(allowed: [rule], denied: []) }
    }

    @Test func `a proxy's exception is judged by the address that it leads to, and another name by its name alone`()
        async throws
    {
        let (proxy, server) = (try RawServer(), try RawServer())
        var configuration = UpstreamConfiguration()
        configuration.proxies = UpstreamProxies(plain: proxy.base, exceptions: "localhost")
        configuration.targets = try UpstreamTargets(allowed: [], denied: ["127.0.0.1", "::1"])
        let client = UpstreamClient(configuration)
        let url = server.base.replacing("127.0.0.1", with: "localhost")
        let direct = await failure { _ = try await client.send(UpstreamRequest("GET", url)) }
        #expect(direct?.text == "the server is among the denied targets")
        let proxied = await failure { _ = try await client.send(UpstreamRequest("GET", "http://svc.invalid/")) }
        #expect(proxied?.text.hasPrefix("the proxy looks the name up") == true)
    }

    @Test(arguments: [
        ([], ["127.0.0.1-127.255.255.255", "::1"], "the server is among the denied targets"),
        (["127.0.0.1", "::1"], [], nil),
        (["10.0.0.1"], [], "the server is not one that may be asked; name it among the allowed targets"),
    ]) func `no connection is made to an address that is denied`(allowed: [String], denied: [String], reason: String?)
        async throws
    {
        let server = try RawServer()
        var configuration = UpstreamConfiguration()
        configuration.targets = try UpstreamTargets(allowed: allowed, denied: denied)
        let client = UpstreamClient(configuration)
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        for host in ["127.0.0.1", "localhost"] {
            let url = server.base.replacing("127.0.0.1", with: host)
            if reason == nil {
                async let asked = server.answer(ok)
                #expect(try await client.send(UpstreamRequest("GET", url)).text == "ok")
                _ = try await asked
                continue
            }
            let error = await failure { _ = try await client.send(UpstreamRequest("GET", url)) }
            #expect(error?.kind == .connect)
            #expect(error?.text == reason)
            // The first connection that the server gets is another client's.
            async let asked = server.answer(ok)
            #expect(try await UpstreamClient().send(UpstreamRequest("GET", server.base + "/next")).text == "ok")
            #expect(try await asked.first == "GET /next HTTP/1.1")
        }
    }

    @Test(
        arguments: [
            ([nil], nil), (["a"], "a"), (["a", "b"], "b"), (["a", nil], nil), ([nil, "b"], nil),
            (["a", nil, "c"], nil), ([], nil),
        ] as [([String?], String?)])
    func `a rule is the cause only if it forbids all addresses that were tried`(refusals: [String?], denial: String?) {
        var addresses = JudgedAddresses()
        for refusal in refusals { #expect(addresses.add(refusal) == (refusal == nil)) }
        #expect(addresses.denial == denial)
    }
}
