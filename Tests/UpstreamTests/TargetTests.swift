// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

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
        ([], ["0.0.0.0-255.255.255.255"], "[::1]", true),
    ]) func `a name or an address is judged by its rules`(
        allowed: [String], denied: [String], host: String, isTaken: Bool
    ) {
        let targets = UpstreamTargets(allowed: allowed, denied: denied)
        #expect(targets.mayTake("http://\(host)/a?b") == isTaken)
    }

    @Test func `the address that a name leads to counts, too`() {
        let denying = UpstreamTargets(allowed: [], denied: ["10.0.0.0-10.255.255.255"])
        #expect(denying.mayTake("http://inner.test") && !denying.take("http://inner.test", at: "10.2.3.4"))
        #expect(denying.take("http://inner.test", at: "11.0.0.0"))
        let allowing = UpstreamTargets(allowed: ["10.0.0.1", "a.test"], denied: [])
        #expect(allowing.mayTake("http://inner.test") && !allowing.take("http://inner.test", at: "10.0.0.2"))
        #expect(allowing.take("http://inner.test", at: "10.0.0.1") && allowing.take("http://a.test", at: "10.0.0.2"))
    }

    @Test(arguments: [
        (UpstreamTargets(allowed: [], denied: ["127.0.0.1-127.255.255.255", "::1"]), false),
        (UpstreamTargets(allowed: ["127.0.0.1", "::1"], denied: []), true),
        (UpstreamTargets(allowed: ["10.0.0.1"], denied: []), false),
    ]) func `a request is not sent to an address that is denied`(targets: UpstreamTargets, isTaken: Bool) async throws {
        let server = try RawServer()
        var configuration = UpstreamConfiguration()
        configuration.targets = targets
        let client = UpstreamClient(configuration)
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        for host in ["127.0.0.1", "localhost"] {
            let url = server.base.replacing("127.0.0.1", with: host)
            if isTaken {
                async let asked = server.answer(ok)
                #expect(try await client.send(UpstreamRequest("GET", url)).text == "ok")
                _ = try await asked
                continue
            }
            let error = await failure { _ = try await client.send(UpstreamRequest("GET", url)) }
            #expect(error?.kind == .connect)
            #expect(error?.text == "the server is not one that may be asked; name it among the allowed targets")
        }
    }
}
