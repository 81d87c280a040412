// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// HEAD, OPTIONS and GET are safe (RFC 9110 §9.2.1), on the admin API too: health checks and link checkers send them to whatever they find.
@Suite(.supervised) struct SafeMethodTests {
    private static let id = "11111111-2222-4333-8444-555555555555"
    private static let stub = #"""
        {"id": "\#(id)", "scenarioName": "s", "newScenarioState": "on", "request": {"urlPath": "/a"}, "response": {"body": "a"},
         "metadata": {"team": "ios"}}
        """#

    private static let files: KeyValuePairs = ["x.stub.json": stub, "file.txt": "a"]

    /// The paths of the API with the methods of each, as it describes itself, with something that is there for each variable.
    private static func routes(_ server: TestServer) throws -> [(target: String, methods: [String])] {
        let document = try JSONParser.parse(try server.get("/__admin/docs/openapi.json").text)
        let paths = try #require(document["paths"]?.object?.members)
        #expect(paths.count > 30)
        return paths.map { path in
            let target = path.name.replacing("{id}", with: id).replacing("{name}", with: "s")
                .replacing("{path}", with: "file.txt")
            return (target, path.value.object?.members.map { $0.name.uppercased() } ?? [])
        }
    }

    /// All that the API can show, without what is of the moment.
    private static func state(_ server: TestServer, _ targets: [String]) throws -> [String] {
        let client = try server.connect()
        return try targets.filter { $0 != "/health" }.map { target in
            let response = try client.request("GET", "/__admin\(target)")
            return "\(target): \(response.status) \(response.text)"
        }
    }

    @Test func `a safe method changes nothing, whatever it asks for`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(try server.get("/a").text == "a")
            #expect(try server.get("/none").status == 404)
            let routes = try Self.routes(server)
            let shown = routes.filter { $0.methods.contains("GET") }.map(\.target)
            #expect(shown.count > 15)
            let before = try Self.state(server, shown)
            for target in routes.map(\.target) + ["", "/", "/none", "/mappings/", "/files/none.txt"] {
                for method in ["HEAD", "OPTIONS", "GET"] {
                    let response = try server.request(method, "/__admin\(target)")
                    #expect(method != "HEAD" || response.body.isEmpty, "\(method) \(target)")
                    let second = try FrameClient(port: server.port).request(method, "/__admin\(target)")
                    #expect(second.status == response.status, "\(method) \(target)")
                    #expect(try Self.state(server, shown) == before, "\(method) \(target)")
                }
            }
            #expect(try server.get("/a").text == "a")
        }
    }

    @Test func `OPTIONS names the methods of a resource, and every other is refused`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            let before = try Self.state(server, ["/mappings", "/requests"])
            for (target, methods) in try Self.routes(server) {
                let allowed = (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted()
                let options = try server.request("OPTIONS", "/__admin\(target)")
                #expect(options.status == 204 && options["Allow"] == allowed.joined(separator: ", "), "\(target)")
                for method in ["DELETE", "PATCH", "POST", "PUT", "TRACE", "BREW"] where !methods.contains(method) {
                    let response = try server.request(method, "/__admin\(target)")
                    #expect(response.status == 405 && response["Allow"] == options["Allow"], "\(method) \(target)")
                }
            }
            #expect(try Self.state(server, ["/mappings", "/requests"]) == before)
        }
    }

    @Test func `HEAD is answered as GET without content, and is refused where GET is`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            for target in try Self.routes(server).map(\.target) {
                let get = try server.get("/__admin\(target)")
                let head = try server.request("HEAD", "/__admin\(target)")
                #expect(head.status == get.status, "\(target)")
            }
        }
    }
}
