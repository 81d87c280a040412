// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What the admin API reads and writes of a WireMock root's files.
@Suite(.supervised) struct FixtureFileTests {
    private static let id = "11111111-2222-4333-8444-555555555555"
    private static let files: KeyValuePairs = [
        "mappings/a.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "a.txt"}}"#,
        "mappings/two.json": #"{"mappings": [{"request": {"urlPath": "/b"}}, {"request": {"urlPath": "/c"}}]}"#,
        "__files/a.txt": "old", "__files/sub/b.txt": "b",
    ]

    private func serving(
        writable: Bool = true, _ body: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.serving(TemporaryDirectory(Self.files), { $0.writesFixtures = writable }, body)
    }

    private func title(_ response: WireResponse) throws -> String? {
        try JSONParser.parse(response.body)["errors"]?.array?.first?["title"]?.string
    }

    @Test func `body files are listed, read, written and deleted, and served as they are`() async throws {
        try await serving { server throws in
            #expect(try server.get("/__admin/files").text == #"[ "a.txt", "sub/b.txt" ]"#)
            #expect(try server.get("/__admin/files/sub/b.txt").text == "b")
            #expect(try server.get("/a").text == "old")
            let put = try server.request("PUT", "/__admin/files/a.txt", body: "new")
            #expect(put.status == 200 && put.body.isEmpty)
            #expect(server.directory.text("__files/a.txt") == "new")
            #expect(try server.get("/a").text == "new")
            #expect(try server.request("PUT", "/__admin/files/x/y/z%20.txt", body: "z").status == 200)
            #expect(server.directory.text("__files/x/y/z .txt") == "z")
            #expect(try server.request("DELETE", "/__admin/files/x/y/z%20.txt").status == 200)
            #expect(try server.get("/__admin/files/x/y/z%20.txt").status == 404)
            #expect(try server.request("DELETE", "/__admin/files/none").status == 404)
        }
    }

    @Test func `nothing is written where the server was not told that it may`() async throws {
        try await serving(writable: false) { server throws in
            let stub = #"{"persistent": true, "request": {"urlPath": "/x"}}"#
            for (method, target, body) in [
                ("PUT", "/files/a.txt", "new"), ("DELETE", "/files/a.txt", ""), ("POST", "/mappings/save", ""),
                ("POST", "/mappings", stub), ("POST", "/mappings/import", #"{"mappings": [\#(stub)]}"#),
            ] {
                let response = try server.request(method, "/__admin\(target)", body: body)
                #expect(response.status == 403, "\(method) \(target)")
                #expect(
                    try title(response)
                        == "nothing is written to the fixture directory: start the server with writesFixtures = true")
            }
            #expect(try server.request("DELETE", "/__admin/mappings").status == 200)
            #expect(server.directory.text("__files/a.txt") == "old")
            #expect(server.directory.text("mappings/a.json").contains("/a"))
            #expect(try server.get("/__admin/files/a.txt").text == "old")
            #expect(try server.get("/x").status == 404)
        }
    }

    @Test func `no path leads out of the directory, and no link is followed`() async throws {
        let outside = try TemporaryDirectory(["secret.txt": "secret"])
        try await serving { server throws in
            try server.directory.link("__files/out", to: outside.path)
            try server.directory.link("__files/link.txt", to: outside.path + "/secret.txt")
            for target in ["out/secret.txt", "link.txt", "..%2Fmappings%2Fa.json", "%2E%2E/a.txt", "a%00.txt", "sub"] {
                #expect(try server.get("/__admin/files/\(target)").status == 403, "\(target)")
                #expect(try server.request("PUT", "/__admin/files/\(target)", body: "x").status == 403, "\(target)")
                #expect(try server.request("DELETE", "/__admin/files/\(target)").status == 403, "\(target)")
            }
            #expect(outside.text("secret.txt") == "secret")
            #expect(server.directory.text("mappings/a.json").contains("/a"))
        }
    }

    @Test func `a persistent stub is a file, which a reset and a new load leave`() async throws {
        try await serving { server throws in
            let stub =
                #"{"id": "\#(Self.id)", "name": "A Thing!", "persistent": true, "request": {"urlPath": "/x"}, "response": {"body": "1"}}"#
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            let path = "mappings/a-thing-\(Self.id).json"
            let written = try JSONParser.parse(server.directory.bytes(path))
            #expect(written["id"]?.string == Self.id && written["uuid"] == nil)
            #expect(written["response"]?["body"]?.string == "1" && written["request"]?["method"]?.string == "ANY")
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try server.get("/x").text == "1")
            let other = stub.replacing(#""body": "1""#, with: #""body": "2""#)
            #expect(try server.request("PUT", "/__admin/mappings/\(Self.id)", body: other).status == 200)
            try server.reload()
            #expect(try server.get("/x").text == "2")
            let mappings = try JSONParser.parse(try server.get("/__admin/mappings").body)
            #expect(mappings["meta"]?["total"]?.number?.integer == 4)
            #expect(try server.request("DELETE", "/__admin/mappings/\(Self.id)").status == 200)
            #expect(server.directory.bytes(path).isEmpty)
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try server.get("/x").status == 404)
        }
    }

    @Test func `a stub that is added after saved ones were read again has an id of its own`() async throws {
        let directory = try TemporaryDirectory(Self.files)
        for count in 1...3 {
            try await TestServer.serving(directory, { $0.writesFixtures = true }) { server throws in
                let stub = #"{"persistent": true, "request": {"urlPath": "/n"}}"#
                #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
                let list = try JSONParser.parse(try server.get("/__admin/mappings").body)["mappings"]?.array ?? []
                #expect(Set(list.compactMap { $0["id"]?.string }).count == 3 + count)
            }
        }
    }

    @Test func `a save writes what was added, and leaves a file of several stubs alone`() async throws {
        try await serving { server throws in
            let stub = #"{"id": "\#(Self.id)", "request": {"method": "GET", "urlPath": "/x/y"}}"#
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            let before = server.directory.text("mappings/two.json")
            let save = try server.request("POST", "/__admin/mappings/save")
            #expect(save.status == 200 && save.body.isEmpty)
            #expect(server.directory.text("mappings/get-x-y-\(Self.id).json").contains("/x/y"))
            #expect(server.directory.text("mappings/two.json") == before)
            #expect(try server.request("DELETE", "/__admin/mappings").status == 200)
            #expect(server.directory.bytes("mappings/a.json").isEmpty)
            #expect(server.directory.text("mappings/two.json") == before)
        }
    }

    /// wiremock#1240
    @Test func `a stub that was saved is persistent, is one stub after a reset, and goes with its file`() async throws {
        try await serving { server throws in
            let stub = #"{"id": "\#(Self.id)", "request": {"method": "GET", "urlPath": "/x"}}"#
            #expect(try server.request("POST", "/__admin/mappings/new", body: stub).status == 201)
            #expect(try server.request("POST", "/__admin/mappings/save").status == 200)
            #expect(
                try JSONParser.parse(try server.get("/__admin/mappings/\(Self.id)").body)["persistent"]?.bool == true)
            for _ in 1...2 {
                #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
                let list = try JSONParser.parse(try server.get("/__admin/mappings").body)
                #expect(list["meta"]?["total"]?.number?.integer == 4)
            }
            #expect(try server.request("DELETE", "/__admin/mappings/\(Self.id)").status == 200)
            #expect(server.directory.bytes("mappings/get-x-\(Self.id).json").isEmpty)
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try server.get("/x").status == 404)
        }
    }

    @Test func `a saved stub whose file is gone is gone after a reset`() async throws {
        try await serving { server throws in
            let stub = #"{"id": "\#(Self.id)", "name": "x", "persistent": "true", "request": {"urlPath": "/x"}}"#
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            server.directory.remove("mappings/x-\(Self.id).json")
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try server.get("/x").status == 404)
        }
    }

    @Test func `the file of a stub that is not persistent stays where the stub is removed`() async throws {
        try await serving { server throws in
            let list = try JSONParser.parse(try server.get("/__admin/mappings").body)["mappings"]?.array ?? []
            let id = try #require(list.first { $0["request"]?["urlPath"]?.string == "/a" }?["id"]?.string)
            let before = server.directory.text("mappings/a.json")
            #expect(try server.request("DELETE", "/__admin/mappings/\(id)").status == 200)
            #expect(try server.get("/a").status == 404)
            #expect(!before.isEmpty && server.directory.text("mappings/a.json") == before)
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try server.get("/a").status == 200)
        }
    }

    @Test func `a stub of a file of several stays as it is where its replacement cannot be written`() async throws {
        try await serving { server throws in
            let list = try JSONParser.parse(try server.get("/__admin/mappings").body)["mappings"]?.array ?? []
            let stub = try #require(list.first { $0["request"]?["urlPath"]?.string == "/b" })
            let put = try server.request(
                "PUT", "/__admin/mappings/\(stub["id"]?.string ?? "")",
                body: #"{"persistent": true, "request": {"urlPath": "/other"}}"#)
            #expect(put.status == 422)
            #expect(
                try title(put) == "mappings/two.json has several stubs, and is not written: change it by hand")
            #expect(try server.get("/b").status == 200)
            #expect(try server.get("/other").status == 404)
        }
    }

    @Test func `a native directory has no such files`() async throws {
        try await TestServer.serving(["a.txt": "a"], { $0.writesFixtures = true }) { server throws in
            for (method, target) in [("GET", "/files"), ("PUT", "/files/x"), ("POST", "/mappings/save")] {
                let response = try server.request(method, "/__admin\(target)")
                #expect(response.status == 501)
                #expect(try title(response) == "only a WireMock root has files that the admin API reads and writes")
            }
        }
    }

    @Test func `the server is ended by whoever has started it`() async throws {
        try await serving { server throws in
            #expect(try server.request("POST", "/__admin/shutdown").status == 403)
            #expect(try server.get("/a").status == 200)
        }
    }
}
