// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Responses that wait until they are released, so that a client can be looked at while it waits.
@Suite(.supervised) struct HoldTests {
    private static let held: KeyValuePairs = [
        "cart.stub.json": #"{"hold": "cart", "request": {"urlPath": "/cart"}, "response": {"jsonBody": []}}"#,
        "quick.txt": "ok",
    ]

    private static func site() -> CallSite { CallSite() }

    /// A connection on which a request has been sent.
    private func asking(_ server: TestServer, _ path: String) throws -> WireClient {
        let client = try server.connect()
        try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
    }

    private func waiting(_ server: TestServer) throws -> [String] {
        let node = try JSONParser.parse(server.get("/__admin/holds").body)
        return (node["holds"]?.array ?? []).map { String(decoding: JSONWriter.compact($0), as: UTF8.self) }
    }

    @Test func `a held request has come, and is answered when it is released`() async throws {
        try await TestServer.serving(Self.held) { server throws in
            let client = try asking(server, "/cart")
            let came = try await server.server.expect(.get("/cart"), .atLeast(1), within: .seconds(60), at: Self.site())
            #expect(came.map(\.status) == [0])
            #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":1}"#])
            #expect(try server.get("/quick.txt").text == "ok")
            try server.server.release("cart")
            #expect(try client.response().text == "[]")
            #expect(server.journal.entries.map(\.target) == ["/cart", "/quick.txt"])
            #expect(server.journal.entries.map(\.status) == [200, 200])
            // What comes later does not wait, until it is to again.
            #expect(try server.get("/cart").status == 200)
            try server.server.hold("cart")
            let later = try asking(server, "/cart")
            _ = try await server.server.expect(.get("/cart"), .atLeast(3), within: .seconds(60), at: Self.site())
            try server.server.release("cart")
            #expect(try later.response().status == 200)
            #expect(server.server.verify().map(\.text) == [])
        }
    }

    @Test func `the admin API holds and releases`() async throws {
        try await TestServer.serving(Self.held) { server throws in
            let first = try asking(server, "/cart")
            let second = try asking(server, "/cart")
            #expect(try await until({ server.journal.entries.count }, is: 2))
            #expect(try server.request("POST", "/__admin/holds/cart/release").status == 200)
            #expect(try first.response().status == 200)
            #expect(try second.response().status == 200)
            #expect(try waiting(server) == [#"{"name":"cart","holds":false,"waiting":0}"#])
            #expect(try server.request("POST", "/__admin/holds/cart/hold").status == 200)
            #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":0}"#])
            #expect(try server.request("POST", "/__admin/holds/cart/release").status == 200)
            for target in ["/reset", "/mappings/reset"] {
                #expect(try server.request("POST", "/__admin/holds/cart/release").status == 200)
                #expect(try server.request("POST", "/__admin\(target)").status == 200)
                #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":0}"#])
            }
            let unknown = try server.request("POST", "/__admin/holds/crat/release")
            #expect(unknown.status == 404)
            #expect(unknown.text.contains(#"no stub has the hold \"crat\"; stubs have \"cart\""#), "\(unknown.text)")
        }
    }

    @Test(arguments: [true, false])
    func `what waits for a stub that is removed meanwhile is listed and released`(byAdmin: Bool) async throws {
        try await TestServer.serving([:]) { server throws in
            let stub =
                #"{"id": "6b1e9f4c-3f0e-4b52-9d8e-0a3d8a7e1c11", "hold": "cart", "request": {"urlPath": "/cart"}, "response": {"jsonBody": []}}"#
            let place = "/__admin/mappings/6b1e9f4c-3f0e-4b52-9d8e-0a3d8a7e1c11"
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            let client = try asking(server, "/cart")
            #expect(try await until({ try? waiting(server) }, is: [#"{"name":"cart","holds":true,"waiting":1}"#]))
            #expect(try server.request("DELETE", place).status == 200)
            #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":1}"#])
            if byAdmin {
                #expect(try server.request("POST", "/__admin/holds/cart/release").status == 200)
            } else {
                try server.server.release("cart")
            }
            #expect(try client.response().text == "[]")
            #expect(try waiting(server) == [])
            #expect(try server.request("POST", "/__admin/holds/cart/release").status == 404)
            // What was released is forgotten with the last stub that has the name.
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":0}"#])
            try server.server.release("cart")
            #expect(try server.request("DELETE", place).status == 200)
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            #expect(try waiting(server) == [#"{"name":"cart","holds":true,"waiting":0}"#])
        }
    }

    @Test func `stubs in code are held, whatever answers`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let asked = #expect(throws: MockServerError.self) { try server.server.release("cart") }
            #expect(asked?.reason == .holdUnknown(#"no stub has a "hold", so that "cart" holds nothing"#))
            try server.server.add(
                RequestMatch.get("/written").respond(body: "written").hold("my cart"),
                RequestMatch.get("/computed").respond { _ in .json("1") }.hold("my cart"),
                RequestMatch.get("/turn").respond(inTurn: [MockResponse(202), MockResponse(200)]).hold("my cart"))
            let paths = ["/written", "/computed", "/turn", "/turn"]
            var clients: [WireClient] = []
            for (number, path) in paths.enumerated() {
                clients.append(try asking(server, path))
                #expect(try await until({ server.journal.entries.count }, is: number + 1))
            }
            #expect(server.journal.entries.map(\.status) == [0, 0, 0, 0])
            #expect(try server.request("POST", "/__admin/holds/my%20cart/release").status == 200)
            // Which step a request has is decided when it comes.
            #expect(try clients.map { try $0.response().status } == [200, 200, 202, 200])
            let other = #expect(throws: MockServerError.self) { try server.server.hold("cart") }
            #expect(other?.reason == .holdUnknown(#"no stub has the hold "cart"; stubs have "my cart""#))
        }
    }

    @Test func `a client that goes away is forgotten, and runs no code`() async throws {
        try await TestServer.serving(Self.held) { server throws in
            try server.server.add(
                RequestMatch.get("/code").respond { _ in
                    Issue.record("the code of a request that was given up has run")
                    return .json("1")
                }.hold("code"))
            do {
                _ = try asking(server, "/code")
                #expect(try await until({ server.journal.entries.count }, is: 1))
            }
            #expect(try await until({ server.journal.entries.last?.abandonment }, is: .connectionClosed))
            #expect(try await until({ try? waiting(server).last }, is: #"{"name":"code","holds":true,"waiting":0}"#))
            try server.server.release("code")
            server.server.expect(.get("/code"), .once, at: Self.site())
            #expect(server.server.verify().map(\.text) == [])
        }
    }

    @Test func `a stream that is held keeps no other back`() async throws {
        try await TestServer.serving(Self.held) { server throws in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/cart"), .request(stream: 3, "/quick.txt"))
            #expect(try await until({ server.journal.entries.map(\.status) }, is: [0, 200]))
            try server.server.release("cart")
            #expect(try await until({ server.journal.entries.map(\.status) }, is: [200, 200]))
        }
    }

    @Test func `a server that stops waits for nothing that is held`() async throws {
        try await TestServer.serving(Self.held) { server throws in
            let client = try asking(server, "/cart")
            #expect(try await until({ server.journal.entries.count }, is: 1))
            await server.server.stop()
            #expect(throws: (any Error).self) { try client.response() }
        }
    }
}
