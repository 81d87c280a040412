// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ResourceTests {
    static let bookmarks: KeyValuePairs = [
        "bookmarks.stub.json":
            #"{"name": "bookmarks", "resource": {"collection": "/api/bookmarks", "from": "bookmarks.json"}}"#,
        "bookmarks.json": #"""
        [
          {"id": 1, "title": "One", "stars": 5.0, "tags": ["a", "b"], "author": {"name": "Ann"}},
          {"id": 2, "title": "Two", "stars": 3, "tags": ["b"], "author": {"name": "Bob"}},
          {"id": 3, "title": "three", "stars": 4, "tags": [], "author": {"name": "Ann"}}
        ]
        """#,
    ]

    private func titles(_ server: TestServer, _ query: String) throws -> String {
        let answer = try server.get("/api/bookmarks?\(query)")
        #expect(answer.status == 200)
        let items = try JSONParser.parse(answer.body).array ?? []
        return items.map { $0["title"]?.string ?? "?" }.joined(separator: " ")
    }

    @Test func `a file of JSON is listed, and its items are there by their ids`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            #expect(server.server.fixtures.findings.isEmpty)
            let list = try server.get("/api/bookmarks")
            #expect(list.status == 200)
            #expect(list["Content-Type"] == "application/json")
            #expect(list["X-Total-Count"] == "3")
            #expect(
                list.text.hasPrefix(#"[{"id":1,"title":"One","stars":5.0,"tags":["a","b"],"author":{"name":"Ann"}},"#))
            let item = try server.get("/api/bookmarks/2")
            #expect(item.status == 200)
            #expect(item.text == #"{"id":2,"title":"Two","stars":3,"tags":["b"],"author":{"name":"Bob"}}"#)
            let head = try server.request("HEAD", "/api/bookmarks/2")
            #expect(head["Content-Length"] == "\(item.body.count)")
            #expect(head["ETag"] == item["ETag"])
            let missing = try server.get("/api/bookmarks/9")
            #expect(missing.status == 404)
            #expect(missing["Content-Type"] == "application/problem+json")
            #expect(missing.text.contains(#""detail": "/api/bookmarks has no item with the id 9""#))
            #expect(try server.get("/", "Accept: text/html").text.contains(#"<a href="/api/bookmarks">"#))
            // What a resource holds is no plain file, and its requests are the stub's.
            #expect(try server.get("/bookmarks.json").status == 404)
            let names = server.journal.entries.map { entry -> String? in
                if case .stub(_, let name, _) = entry.outcome { name } else { nil }
            }
            #expect(names.prefix(3) == ["bookmarks", "bookmarks", "bookmarks"])
        }
    }

    @Test func `a list is filtered by members`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            #expect(try titles(server, "author.name=Ann") == "One three")
            #expect(try titles(server, "author.name=Ann&stars=4") == "three")
            #expect(try titles(server, "id=1&id=2") == "One Two")
            #expect(try titles(server, "stars=5") == "One")
            #expect(try titles(server, "tags=b") == "One Two")
            #expect(try titles(server, "stars_gte=4") == "One three")
            #expect(try titles(server, "stars_lt=4") == "Two")
            #expect(try titles(server, "stars_gt=3&stars_lte=4") == "three")
            #expect(try titles(server, "title_ne=One") == "Two three")
            #expect(try titles(server, "title_like=T") == "Two three")
            #expect(try titles(server, "title=nothing") == "")
            #expect(try server.get("/api/bookmarks?author.name=Ann")["X-Total-Count"] == "2")
        }
    }

    @Test func `a list is sorted and paged, with links`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            #expect(try titles(server, "_sort=stars") == "Two three One")
            #expect(try titles(server, "_sort=-author.name,title") == "Two One three")
            #expect(try titles(server, "_sort=stars&_order=desc") == "One three Two")
            #expect(try titles(server, "_limit=2") == "One Two")
            let page = try server.get("/api/bookmarks?_sort=stars&_page=2&_limit=1")
            #expect(page["X-Total-Count"] == "3")
            #expect(
                page["Link"]
                    == #"</api/bookmarks?_sort=stars&_page=1&_limit=1>; rel="first", "#
                    + #"</api/bookmarks?_sort=stars&_page=1&_limit=1>; rel="prev", "#
                    + #"</api/bookmarks?_sort=stars&_page=3&_limit=1>; rel="next", "#
                    + #"</api/bookmarks?_sort=stars&_page=3&_limit=1>; rel="last""#)
            #expect(page.text.contains("three"))
            #expect(try server.get("/api/bookmarks?_page=7").text == "[]")
            for query in ["_page=0", "_limit=x", "_embed=a", "_sort=a&_order=up"] {
                #expect(try server.get("/api/bookmarks?\(query)").status == 400)
            }
        }
    }

    @Test func `items are made, replaced, changed and deleted, and a reset brings back what was`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            let client = try server.connect()
            let made = try client.request(
                "POST", "/api/bookmarks", body: #"{"title": "Four", "big": 9223372036854775808}"#)
            #expect(made.status == 201)
            #expect(made["Location"] == "/api/bookmarks/4")
            #expect(made.text == #"{"id":4,"title":"Four","big":9223372036854775808}"#)
            #expect(try client.request("GET", "/api/bookmarks/4").text == made.text)
            #expect(try client.request("POST", "/api/bookmarks", body: #"{"id": 4}"#).status == 409)
            let replaced = try client.request("PUT", "/api/bookmarks/4", body: #"{"title": "4"}"#)
            #expect(replaced.status == 200)
            #expect(replaced.text == #"{"id":4,"title":"4"}"#)
            #expect(try client.request("PUT", "/api/bookmarks/4", body: #"{"id": 5}"#).status == 409)
            let put = try client.request("PUT", "/api/bookmarks/9", body: "{}")
            #expect(put.status == 201)
            #expect(put.text == #"{"id":9}"#)
            let merged = try client.request(
                "PATCH", "/api/bookmarks/1", ["Content-Type: application/merge-patch+json"],
                body: #"{"stars": null, "author": {"age": 7}}"#)
            #expect(merged.status == 200)
            #expect(merged.text == #"{"id":1,"title":"One","tags":["a","b"],"author":{"name":"Ann","age":7}}"#)
            #expect(try client.request("PATCH", "/api/bookmarks/1", body: #"{"id": 2}"#).status == 409)
            #expect(try client.request("PATCH", "/api/bookmarks/1", body: "[]").status == 422)
            #expect(try client.request("DELETE", "/api/bookmarks/2").status == 204)
            #expect(try client.request("DELETE", "/api/bookmarks/2").status == 404)
            #expect(try client.request("GET", "/api/bookmarks")["X-Total-Count"] == "4")
            #expect(try client.request("POST", "/api/bookmarks", body: "{}").text == #"{"id":10}"#)
            #expect(try client.request("POST", "/__admin/reset").status == 200)
            #expect(try titles(server, "") == "One Two three")
            #expect(try client.request("POST", "/api/bookmarks", body: "{}").text == #"{"id":4}"#)
            server.server.resetResources()
            #expect(try titles(server, "") == "One Two three")
        }
    }

    @Test func `a JSON patch is applied whole or not at all`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            let client = try server.connect()
            func patch(_ body: String) throws -> WireResponse {
                try client.request(
                    "PATCH", "/api/bookmarks/1", ["Content-Type: application/json-patch+json"], body: body)
            }
            let answer = try patch(
                #"""
                [{"op": "test", "path": "/stars", "value": 5}, {"op": "add", "path": "/tags/-", "value": "c"},
                 {"op": "move", "from": "/author/name", "path": "/by"}, {"op": "copy", "from": "/by", "path": "/was"},
                 {"op": "replace", "path": "/title", "value": "1"}, {"op": "remove", "path": "/stars"}]
                """#)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"id":1,"title":"1","tags":["a","b","c"],"author":{},"by":"Ann","was":"Ann"}"#)
            let failed = try patch(
                #"[{"op": "remove", "path": "/title"}, {"op": "test", "path": "/by", "value": "Bob"}]"#)
            #expect(failed.status == 409)
            #expect(failed.text.contains(#""detail": "operation 1 (test /by): the value is another""#))
            #expect(try patch(#"[{"op": "remove", "path": "/nothing"}]"#).status == 409)
            #expect(try patch(#"{"op": "remove"}"#).status == 400)
            #expect(try client.request("GET", "/api/bookmarks/1").text == answer.text)
        }
    }

    @Test func `conditions hold back what would undo another's change`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            let client = try server.connect()
            let tag = try #require(try client.request("GET", "/api/bookmarks/1")["ETag"])
            let list = try #require(try client.request("GET", "/api/bookmarks")["ETag"])
            #expect(!tag.hasPrefix("W/"))
            #expect(try client.request("GET", "/api/bookmarks/1", ["If-None-Match: \(tag)"]).status == 304)
            #expect(try client.request("GET", "/api/bookmarks", ["If-None-Match: \(list)"]).status == 304)
            let changed = try client.request("PUT", "/api/bookmarks/1", ["If-Match: \(tag)"], body: #"{"a": 1}"#)
            #expect(changed.status == 200)
            #expect(changed["ETag"] != tag)
            for (method, body) in [("PUT", "{}"), ("PATCH", "{}"), ("DELETE", "")] {
                let late = try client.request(method, "/api/bookmarks/1", ["If-Match: \(tag)"], body: body)
                #expect(late.status == 412)
            }
            #expect(try client.request("GET", "/api/bookmarks", ["If-None-Match: \(list)"]).status == 200)
            #expect(try client.request("PUT", "/api/bookmarks/1", ["If-None-Match: *"], body: "{}").status == 412)
            #expect(try client.request("PUT", "/api/bookmarks/7", ["If-None-Match: *"], body: "{}").status == 201)
            #expect(try client.request("PUT", "/api/bookmarks/8", ["If-Match: *"], body: "{}").status == 412)
            #expect(try client.request("DELETE", "/api/bookmarks/99", ["If-Match: *"]).status == 404)
            #expect(try client.request("POST", "/api/bookmarks", ["If-Match: \(list)"], body: "{}").status == 412)
        }
    }

    @Test func `what a resource does not take is refused with what it does`() async throws {
        try await TestServer.serving(Self.bookmarks) { server throws in
            let client = try server.connect()
            let put = try client.request("PUT", "/api/bookmarks", body: "{}")
            #expect(put.status == 405)
            #expect(put["Allow"] == "GET, HEAD, OPTIONS, POST")
            #expect(try client.request("POST", "/api/bookmarks/1", body: "{}").status == 405)
            let options = try client.request("OPTIONS", "/api/bookmarks/1")
            #expect(options.status == 204)
            #expect(options["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
            let form = ["Content-Type: application/x-www-form-urlencoded"]
            #expect(try client.request("POST", "/api/bookmarks", form, body: "a=b").status == 415)
            let patch = try client.request("PATCH", "/api/bookmarks/1", ["Content-Type: text/plain"], body: "{}")
            #expect(patch.status == 415)
            #expect(
                patch["Accept-Patch"] == "application/json-patch+json, application/merge-patch+json, application/json")
            let broken = try client.request("POST", "/api/bookmarks", body: "{\n  \"a\": }")
            #expect(broken.status == 400)
            #expect(broken.text.contains("(line 2, column 8)"))
            #expect(try client.request("POST", "/api/bookmarks", body: "[]").status == 400)
            #expect(try client.request("POST", "/api/bookmarks", body: #"{"id": true}"#).status == 422)
        }
    }

    @Test func `ids that are texts are drawn from the seed, and lists go into an envelope`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a", "id": "key", "from": "a.json", "wrap": "items"}}"#,
            "a.json": #"{"items": [{"key": "ä/b", "n": 1}]}"#,
        ]
        var location: [String?] = []
        for _ in 0..<2 {
            try await TestServer.serving(files) { server throws in
                #expect(try server.get("/a").text == #"{"items":[{"key":"ä/b","n":1}]}"#)
                #expect(try server.get("/a/%C3%A4%2Fb").status == 200)
                location.append(try server.request("POST", "/a", body: "{}")["Location"])
            }
        }
        #expect(location[0] == location[1])
        let uuid = #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/#
        #expect(try uuid.wholeMatch(in: String(location[0]?.dropFirst(3) ?? "")) != nil)
    }

    @Test func `of many clients at once each makes items of its own, and none loses a change`() async throws {
        try await TestServer.serving(Self.bookmarks) { server async throws in
            let locations = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let client = try server.connect()
                        let body = #"{"k\#(number)": true}"#
                        #expect(try client.request("PATCH", "/api/bookmarks/1", body: body).status == 200)
                        return try (0..<10).map { _ in
                            try client.request("POST", "/api/bookmarks", body: "{}")["Location"] ?? ""
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(locations) == Set((4..<164).map { "/api/bookmarks/\($0)" }))
            let item = try JSONParser.parse(server.get("/api/bookmarks/1").body)
            #expect((0..<16).allSatisfy { item["k\($0)"] == .bool(true) })
        }
    }

    @Test func `a long list is made beside the loop, and says the same`() async throws {
        let items = (1...3000).map { #"{"id": \#($0), "name": "item \#($0 % 7)", "text": "some more text"}"# }
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a", "from": "a.json"}}"#,
            "a.json": "[\(items.joined(separator: ","))]",
        ]
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            let list = try client.request("GET", "/a")
            #expect(try JSONParser.parse(list.body).array?.count == 3000)
            #expect(try client.request("HEAD", "/a")["Content-Length"] == "\(list.body.count)")
            #expect(try client.request("GET", "/a", ["If-None-Match: \(list["ETag"] ?? "")"]).status == 304)
            let page = try client.request("GET", "/a?name=item+3&_sort=-id&_page=1&_limit=2")
            #expect(page["X-Total-Count"] == "429")
            #expect(page.text.hasPrefix(#"[{"id":2999,"#))
            let long = String(repeating: "x", count: 100_000)
            #expect(try client.request("POST", "/a", body: #"{"long": "\#(long)"}"#)["Location"] == "/a/3001")
            #expect(try client.request("PATCH", "/a/3001", body: #"{"long": 1}"#).text == #"{"id":3001,"long":1}"#)
            #expect(server.journal.entries.count == 6)
            #expect(server.journal.entries.allSatisfy { $0.outcome != .unmatched })
        }
    }

    @Test func `a resource goes on when other fixtures are read again, and begins again when its file changes`()
        async throws
    {
        try await TestServer.serving(Self.bookmarks) { server throws in
            #expect(try server.request("DELETE", "/api/bookmarks/1").status == 204)
            try server.directory.write("x.stub.json", #"{"request": {"urlPath": "/x"}, "response": {}}"#)
            try server.reload()
            #expect(try titles(server, "") == "Two three")
            try server.directory.write("bookmarks.json", #"[{"id": 1, "title": "new"}]"#)
            try server.reload()
            #expect(try titles(server, "") == "new")
        }
    }

    @Test func `an exact stub and one of a template and a method go before a resource`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a"}}"#,
            "b.stub.json": """
            {"stubs": [
              {"request": {"urlPath": "/a/special"}, "response": {"body": "exact"}},
              {"request": {"method": "DELETE", "urlPathTemplate": "/a/{id}"}, "response": {"status": 403}}]}
            """,
        ]
        try await TestServer.serving(files) { server throws in
            #expect(try server.request("POST", "/a", body: "{}")["Location"] == "/a/1")
            #expect(try server.get("/a/special").text == "exact")
            #expect(try server.request("DELETE", "/a/1").status == 403)
            #expect(try server.get("/a/1").text == #"{"id":1}"#)
            #expect(try server.get("/a/1/b").status == 404)
        }
    }

    @Test func `what requests make of a collection is written to its file where that is asked for`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a", "from": "a.json", "writeBack": true}}"#,
            "a.json": #"{"data": [{"id": 1}], "made": "by hand"}"#,
            "b.stub.json": #"{"resource": {"collection": "/b", "from": "b.json"}}"#, "b.json": #"[{"id": 1}]"#,
        ]
        let directory = try TemporaryDirectory(files)
        func text(_ name: String) throws -> String {
            let node = try JSONParser.parse(directory.text(name))
            return String(decoding: JSONWriter.compact(node), as: UTF8.self)
        }
        try await TestServer.serving(directory) { server async throws in
            #expect(
                try server.request("POST", "/a", ["Content-Type: application/json"], body: #"{"n": 5}"#).status == 201)
            #expect(
                try server.request("POST", "/b", ["Content-Type: application/json"], body: #"{"n": 5}"#).status == 201)
            let written = #"{"data":[{"id":1},{"id":2,"n":5}],"made":"by hand"}"#
            #expect(try await until({ (try? text("a.json")) ?? "" }, is: written))
            try server.reload()
            #expect(try server.request("DELETE", "/a/1").status == 204)
            #expect(try server.get("/a").text == #"[{"id":2,"n":5}]"#)
            #expect(try server.get("/b").text == #"[{"id":1},{"id":2,"n":5}]"#)
        }
        #expect(try text("a.json") == #"{"data":[{"id":2,"n":5}],"made":"by hand"}"#)
        #expect(try text("b.json") == #"[{"id":1}]"#)
    }
}
