// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Stubs that are added, changed and taken away over HTTP.
@Suite(.supervised) struct StubAdminTests {
    private static let id = "11111111-2222-4333-8444-555555555555"

    private static let root: KeyValuePairs = [
        "mappings/a.json": #"""
        {"id": "\#(id)", "request": {"urlPath": "/a"}, "response": {"body": "file"}, "metadata": {"team": "ios"}}
        """#,
        "__files/b.txt": "from a file",
    ]

    private func admin(
        _ server: TestServer, _ method: String, _ target: String, _ body: String = ""
    ) throws -> (status: Int, node: JSONNode) {
        let answer = try server.request(method, "/__admin\(target)", ["Content-Type: application/json"], body: body)
        return (answer.status, answer.body.isEmpty ? .null : try JSONParser.parse(answer.body))
    }

    private func bodies(_ server: TestServer, _ query: String = "") throws -> [String] {
        let listed = try admin(server, "GET", "/mappings\(query)").node
        return (listed["mappings"]?.array ?? []).map { $0["response"]?["body"]?.string ?? "" }
    }

    @Test func `a stub that is posted answers before those that were there, and is gone after a reset`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            let made = try admin(
                server, "POST", "/mappings",
                #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "posted", "headers": {"X-A": ["1", "2"]}}}"#
            )
            #expect(made.status == 201)
            let id = try #require(made.node["id"]?.string)
            #expect(id.count == 36 && made.node["uuid"]?.string == id)
            let answer = try server.get("/a")
            #expect(answer.text == "posted" && answer.all("X-A") == ["1", "2"] && answer["Matched-Stub-Id"] == id)
            #expect(try server.request("POST", "/a").text == "file")
            #expect(try bodies(server) == ["posted", "file"])
            #expect(try bodies(server, "?limit=1&offset=1") == ["file"])
            let total = try admin(server, "GET", "/mappings?limit=1").node["meta"]?["total"]
            #expect(total?.number?.integer == 2)
            #expect(
                try admin(server, "GET", "/mappings/\(id.uppercased())").node["response"]?["body"]?.string == "posted")
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/a").text == "file")
            #expect(try admin(server, "GET", "/mappings/\(id)").status == 404)
        }
    }

    @Test func `a stub that says nothing answers everything`() async throws {
        try await TestServer.serving(["a.txt": "plain"]) { server throws in
            let made = try admin(server, "POST", "/mappings", #"{"id": "\#(Self.id.uppercased())", "name": "any"}"#)
            #expect(made.status == 201 && made.node["id"]?.string == Self.id)
            #expect(made.node["request"]?["method"]?.string == "ANY")
            #expect(made.node["response"]?["status"]?.number?.integer == 200)
            #expect(try server.request("PUT", "/any/thing").status == 200)
            let again = try admin(server, "POST", "/mappings", #"{"id": "\#(Self.id)"}"#)
            let error = again.node["errors"]?.array?.first
            #expect(again.status == 422 && error?["code"]?.number?.integer == 109)
            #expect(
                error?["detail"]?.string
                    == "ID of the provided stub mapping '\(Self.id)' is already taken by another stub mapping")
        }
    }

    @Test func `a stub is replaced where it stands, and removed`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            #expect(
                try admin(
                    server, "POST", "/mappings", #"{"request": {"url": "/b"}, "response": {"bodyFileName": "b.txt"}}"#
                ).status == 201)
            #expect(try server.get("/b").text == "from a file")
            let put = try admin(
                server, "PUT", "/mappings/\(Self.id)", #"{"request": {"urlPath": "/a"}, "response": {"body": "put"}}"#)
            #expect(put.status == 200 && put.node["id"]?.string == Self.id)
            #expect(try server.get("/a").text == "put" && (try bodies(server)) == ["", "put"])
            #expect(try admin(server, "DELETE", "/mappings/\(Self.id)").status == 200)
            #expect(try server.get("/a").status == 404)
            #expect(try admin(server, "DELETE", "/mappings/\(Self.id)").status == 404)
            // Whatever the content is.
            for content in ["{}", "", "{"] {
                #expect(try admin(server, "PUT", "/mappings/\(Self.id)", content).status == 404)
            }
            #expect(
                try admin(server, "PUT", "/mappings/x", "{}").node["errors"]?.array?.first?["title"]?.string
                    == "x is not a valid UUID")
            #expect(try admin(server, "DELETE", "/mappings").status == 200)
            #expect(try bodies(server).isEmpty)
            #expect(try admin(server, "POST", "/reset").status == 200)
            #expect(try bodies(server) == ["file"])
        }
    }

    @Test(arguments: [
        (
            #"{"request": {"urlPath": "/x", "bodyPatterns": [{"contains": []}]}}"#, "/request/bodyPatterns/0",
            "contains operand must be a non-null string"
        ),
        (#"{"reqest": {}}"#, "/reqest", #"unknown key "reqest"; did you mean "request"?"#),
        (
            #"{"request": {"urlPattern": "("}}"#, "/request/urlPattern",
            "the pattern is broken at its byte 1: missing closing parenthesis"
        ),
    ])
    func `what is wrong is told with its place, and nothing is changed`(
        text: String, pointer: String, detail: String
    ) async throws {
        try await TestServer.serving(Self.root) { server throws in
            let refused = try admin(server, "POST", "/mappings", text)
            #expect(refused.status == 422)
            let error = try #require(refused.node["errors"]?.array?.first)
            #expect(error["title"]?.string == "Error parsing JSON" && error["code"]?.number?.integer == 10)
            #expect(error["source"]?["pointer"]?.string == pointer)
            #expect(error["detail"]?.string == detail)
            #expect(try bodies(server) == ["file"])
            #expect(try admin(server, "POST", "/mappings", "{").status == 422)
        }
    }

    @Test func `of stubs that are imported the first is asked first`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            let stubs = #"""
                {"mappings": [{"request": {"urlPath": "/i"}, "response": {"body": "1"}}, {"request": {"urlPath": "/i"}, "response": {"body": "2"}},
                  {"id": "\#(Self.id)", "request": {"urlPath": "/a"}, "response": {"body": "imported"}}], "other": 1
                """#
            #expect(try admin(server, "POST", "/mappings/import", stubs + "}").status == 200)
            #expect(try server.get("/i").text == "1" && (try server.get("/a").text) == "imported")
            #expect(try bodies(server) == ["1", "2", "imported"])
            let kept = #", "importOptions": {"duplicatePolicy": "IGNORE", "deleteAllNotInImport": true}}"#
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try admin(server, "POST", "/mappings/import", stubs + kept).status == 200)
            #expect(try server.get("/a").text == "file" && (try bodies(server)) == ["1", "2", "file"])
            let broken = try admin(server, "POST", "/mappings/import", #"{"mappings": [{}, {"x": 1}]}"#)
            #expect(broken.status == 422)
            #expect(broken.node["errors"]?.array?.first?["source"]?["pointer"]?.string == "/mappings/1/x")
        }
    }

    @Test func `stubs are found and removed by their metadata`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            #expect(
                try admin(server, "POST", "/mappings", #"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#)
                    .status == 201)
            let matcher = #"{"matchesJsonPath": {"expression": "$.team", "equalTo": "ios"}}"#
            let found = try admin(server, "POST", "/mappings/find-by-metadata", matcher)
            #expect(found.node["mappings"]?.array?.map { $0["id"]?.string } == [Self.id])
            #expect(found.node["meta"]?["total"]?.number?.integer == 1)
            #expect(try admin(server, "POST", "/mappings/find-by-metadata", #"{"equals": "x"}"#).status == 422)
            #expect(try admin(server, "POST", "/mappings/remove-by-metadata", matcher).status == 200)
            #expect(try bodies(server) == ["b"])
            #expect(try server.get("/b").text == "b")
            #expect(try admin(server, "GET", "/mappings/unmatched").node["mappings"]?.array?.isEmpty == true)
            for status in [200, 200] {
                #expect(
                    try admin(server, "POST", "/mappings/remove", #"{"request": {"urlPath": "/b"}}"#).status == status)
            }
        }
    }

    @Test func `a stub of code stays over a reset, and one that is posted over a reload of the files`() async throws {
        try await TestServer.serving(["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "file"}}"#])
        { server throws in
            try server.server.add(RequestMatch.get("/c").respond(body: "code"))
            #expect(
                try admin(
                    server, "POST", "/mappings", #"{"request": {"urlPath": "/c"}, "response": {"body": "posted"}}"#
                ).status == 201)
            #expect(try server.get("/c").text == "posted")
            try server.reload()
            #expect(try server.get("/c").text == "posted")
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/c").text == "code")
        }
    }

    @Test func `a reset of a WireMock root has what its files are by then, unless they have errors`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            try server.directory.write(
                "mappings/new.json", #"{"request": {"urlPath": "/new"}, "response": {"body": "new"}}"#)
            #expect(try server.get("/new").status == 404)
            for path in ["/mappings/reset", "/reset", "/mappings/reset"] {
                #expect(try admin(server, "POST", path).status == 200)
                #expect(try server.get("/new").text == "new")
            }
            try server.directory.write("mappings/new.json", "{")
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/new").text == "new" && (try server.get("/a").text) == "file")
            server.directory.remove("mappings/new.json")
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/new").status == 404 && (try server.get("/a").text) == "file")
        }
    }

    @Test(arguments: [FixtureStandard.lenient, .usual, .strict])
    func `a reset has of files with findings what the server's standard lets be served`(standard: FixtureStandard)
        async throws
    {
        let directory = try TemporaryDirectory(Self.root)
        try await TestServer.serving(directory, { $0.standard = standard }) { server throws in
            let add = { (path: String, more: String) throws in
                let stub = #"{"request": {"urlPath": "/\#(path)"}, "response": {"body": "b"}\#(more)}"#
                try directory.write("mappings/\(path).json", stub)
            }
            try add("warned", #", "serveEventListeners": [{"name": "state"}]"#)
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/warned").status == (standard == .strict ? 404 : 200))
            try directory.write("mappings/broken.json", "{")
            try add("fine", "")
            #expect(try admin(server, "POST", "/mappings/reset").status == 200)
            #expect(try server.get("/fine").status == (standard == .lenient ? 200 : 404))
            #expect(try server.get("/a").text == "file")
        }
    }

    @Test func `the fixture directory is never written`() async throws {
        try await TestServer.serving(Self.root) { server throws in
            #expect(try admin(server, "POST", "/mappings", #"{"persistent": true}"#).status == 403)
            #expect(try admin(server, "POST", "/mappings/save").status == 403)
            #expect(try admin(server, "DELETE", "/mappings").status == 200)
            try server.reload()
            #expect(try bodies(server) == ["file"])
        }
    }
}
