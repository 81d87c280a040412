// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Requests that are counted, found and forgotten over HTTP, and what is nearest to them.
@Suite(.supervised) struct RequestAdminTests {
    private static let stub =
        #"{"name": "a", "request": {"method": "GET", "urlPath": "/a"}, "response": {}, "metadata": {"n": 1}}"#

    private func admin(
        _ server: TestServer, _ method: String, _ target: String, _ body: String = ""
    ) throws -> JSONNode {
        let answer = try server.request(method, "/__admin\(target)", body: body)
        #expect(answer.status == 200)
        return try JSONParser.parse(answer.body)
    }

    private func urls(_ node: JSONNode, _ name: String = "requests") -> [String] {
        (node[name]?.array ?? []).map { ($0["url"] ?? $0["request"]?["url"])?.string ?? "" }
    }

    private func serving(_ body: (TestServer) async throws -> Void) async throws {
        try await TestServer.serving(stub: Self.stub) { server async throws in
            #expect(try server.get("/a?n=1").status == 200)
            #expect(try server.get("/b").status == 404)
            #expect(try server.request("POST", "/a", ["X-A: 1"], body: #"{"k": 5}"#).status == 405)
            try await body(server)
        }
    }

    @Test func `requests are counted and found by a pattern`() async throws {
        try await serving { server throws in
            #expect(try admin(server, "POST", "/requests/count", "{}")["count"]?.number?.integer == 3)
            let pattern =
                #"{"method": "POST", "urlPath": "/a", "headers": {"X-A": {"equalTo": "1"}}, "bodyPatterns": [{"matchesJsonPath": "$.k"}]}"#
            let counted = try admin(server, "POST", "/requests/count", pattern)
            #expect(counted["count"]?.number?.integer == 1 && counted["requestJournalDisabled"]?.bool == false)
            #expect(urls(try admin(server, "POST", "/requests/find", #"{"urlPath": "/a"}"#)) == ["/a?n=1", "/a"])
            let refused = try server.request(
                "POST", "/__admin/requests/find", body: #"{"headers": {"A": {"matches": "("}}}"#)
            #expect(refused.status == 422)
            #expect(
                try JSONParser.parse(refused.body)["errors"]?.array?.first?["source"]?["pointer"]?.string
                    == "/headers/A")
        }
    }

    @Test func `a search whose pattern runs away is given up and told, and nothing is forgotten by it`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            for _ in 0..<3 { #expect(try server.get("/x" + String(repeating: "1", count: 20_000)).status == 404) }
            let pattern = #"{"urlPathPattern": ".*[0-9]+x"}"#
            for path in [
                "/requests/count", "/requests/find", "/requests/remove", "/near-misses/request-pattern",
            ] {
                let refused = try server.request("POST", "/__admin\(path)", body: pattern)
                #expect(refused.status == 422)
                #expect(
                    refused.text.contains(
                        "the search was given up: the pattern takes more steps than allowed on a request of the journal"
                    ),
                    "\(refused.text)")
            }
            #expect(server.journal.entries.count == 3)
        }
    }

    @Test func `what is near to requests that nothing answered is not told where stubs take too much`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            let line = "X: x" + String(repeating: "1", count: 20_000)
            for _ in 0..<40 { #expect(try server.request("GET", "/y", [line]).status == 404) }
            #expect(try server.get("/__admin/requests/unmatched/near-misses").status == 200)
            for number in 0..<3 {
                let stub =
                    #"{"request": {"urlPath": "/y", "headers": {"X": {"matches": ".*[0-9]+x\#(number)"}}}, "response": {}}"#
                #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            }
            let refused = try server.get("/__admin/requests/unmatched/near-misses")
            #expect(refused.status == 422)
            #expect(
                refused.text.contains(
                    "the search was given up: the stubs take more steps than allowed on the requests of the journal"),
                "\(refused.text.prefix(200))")
        }
    }

    @Test func `what is near to one request is not told where stubs take too much`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            let ask = { (text: String) in
                try server.request(
                    "POST", "/__admin/near-misses/request", body: #"{"url": "/y", "headers": {"X": "\#(text)"}}"#)
            }
            let stub =
                #"{"request": {"urlPath": "/y", "headers": {"X": {"matches": ".*[0-9]+x"}}}, "response": {}}"#
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            #expect(try ask("x11").status == 200)
            let refused = try ask("x" + String(repeating: "1", count: 20_000))
            #expect(refused.status == 422)
            let reason = "the search was given up: the stubs take more steps than allowed on the request"
            #expect(refused.text.contains(reason), "\(refused.text.prefix(200))")
        }
    }

    @Test func `a search for metadata is given up, and neither stubs nor requests are forgotten by it`() async throws {
        let metadata = #"{"a": "x\#(String(repeating: "1", count: 20_000))"}"#
        let stub = #"{"request": {"urlPath": "/m"}, "response": {}, "metadata": \#(metadata)}"#
        try await TestServer.serving(stub: stub) { server throws in
            #expect(try server.get("/m").status == 200)
            let matcher = #"{"matches": ".*[0-9]+x"}"#
            for path in [
                "/mappings/find-by-metadata", "/mappings/remove-by-metadata", "/requests/remove-by-metadata",
            ] {
                let refused = try server.request("POST", "/__admin\(path)", body: matcher)
                #expect(refused.status == 422, "\(path)")
                let reason =
                    "the search was given up: the matcher takes more steps than allowed on the metadata of a stub"
                #expect(refused.text.contains(reason), "\(path): \(refused.text.prefix(200))")
            }
            #expect(try server.get("/m").status == 200 && server.journal.entries.count == 2)
        }
    }

    @Test func `a search that nobody waits for ends`() throws {
        let stop = WorkStop()
        let pattern = try JSONParser.parse(#"{"bodyPatterns": [{"contains": "b"}]}"#)
        let search = try AdminContent.search(pattern)
        search.boundWork(stop: stop)
        let body = [UInt8](repeating: 0x61, count: 4 * Meter.certain)
        #expect(!search.matches(content: body) && !search.hasGivenUp)
        stop.ask()
        for _ in 0..<8 { #expect(!search.matches(content: body)) }
        #expect(search.hasGivenUp)
    }

    @Test func `requests are forgotten one by one, by a pattern, by metadata and all at once`() async throws {
        try await serving { server throws in
            let newest = try #require(
                try admin(server, "GET", "/requests?limit=1")["requests"]?.array?.first?["id"]?.string)
            #expect(try admin(server, "DELETE", "/requests/\(newest)").object?.members.isEmpty == true)
            #expect(try server.get("/__admin/requests/\(newest)").status == 404)
            #expect(urls(try admin(server, "GET", "/requests")) == ["/b", "/a?n=1"])
            #expect(try admin(server, "GET", "/requests")["meta"]?["total"]?.number?.integer == 2)
            #expect(urls(try admin(server, "POST", "/requests/remove", #"{"url": "/b"}"#), "serveEvents") == ["/b"])
            #expect(server.journal.entries.count == 1)
            let byMetadata = try admin(server, "POST", "/requests/remove-by-metadata", #"{"matchesJsonPath": "$.n"}"#)
            #expect(urls(byMetadata, "serveEvents") == ["/a?n=1"])
            #expect(server.journal.entries.isEmpty)
            #expect(try server.get("/c").status == 404)
            #expect(server.journal.entries.map(\.target) == ["/c"])
            #expect(try admin(server, "POST", "/requests/reset").object?.members.isEmpty == true)
            #expect(server.journal.entries.isEmpty)
        }
    }

    @Test func `the nearest stubs and requests are told`() async throws {
        try await serving { server throws in
            let stubs = try admin(
                server, "POST", "/near-misses/request", #"{"method": "PUT", "url": "/a", "headers": {"A": "b"}}"#)
            let near = try #require(stubs["nearMisses"]?.array?.first)
            #expect(near["stubMapping"]?["name"]?.string == "a" && near["request"]?["url"]?.string == "/a")
            #expect(near["matchResult"]?["distance"]?.number?.double ?? 0 > 0)
            let requests = try admin(
                server, "POST", "/near-misses/request-pattern",
                #"{"method": "GET", "urlPath": "/b", "headers": {"X": {"equalTo": "1"}}}"#)
            #expect(urls(requests, "nearMisses").first == "/b")
            #expect(urls(try admin(server, "GET", "/requests/unmatched/near-misses"), "nearMisses").contains("/a"))
        }
    }

    @Test func `a delay of all responses is set and taken back`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            _ = try admin(
                server, "POST", "/settings",
                #"{"fixedDelay": 3, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 1}}"#)
            #expect(try server.get("/a").status == 200)
            #expect(server.journal.entries.last?.addedDelay == .milliseconds(4))
            let told = try admin(server, "GET", "/settings")["settings"]
            #expect(
                told?["fixedDelay"]?.number?.integer == 3 && told?["delayDistribution"]?["type"]?.string == "uniform")
            #expect(
                try server.request("PUT", "/__admin/settings", body: #"{"settings": {"fixedDelay": "x"}}"#).status
                    == 422)
            _ = try admin(server, "PUT", "/settings", "{}")
            #expect(try server.get("/a").status == 200)
            #expect(server.journal.entries.last?.addedDelay == .zero)
        }
    }
}
