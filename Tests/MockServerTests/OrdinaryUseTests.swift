// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Small things that people do with a mock server on an ordinary day.
@Suite(.supervised) struct OrdinaryUseTests {
    private static let json = ["Content-Type: application/json"]

    private static let templated = #"""
        {"stubs": [
          {"request": {"method": "ANY", "urlPath": "/body"}, "response": {"transformers": ["response-template"], "jsonBody": {
            "name": "{{jsonPath request.body '$.name' default='none'}}", "all": "{{request.body}}", "inner": "{{jsonPath request.body '$.o'}}",
            "query": "{{request.query.q}}"}}},
          {"request": {"urlPathPattern": "/asset/.*"}, "response": {"transformers": ["response-template"], "bodyFile": "{{request.pathSegments.[1]}}"}},
          {"request": {"method": "POST", "urlPath": "/bank"}, "response": {"transformers": ["response-template"],
            "bodyFile": "banks/{{soapXPath request.body '/FindABank/Country/text()'}}.xml"}}
        ]}
        """#

    @Test(arguments: [
        ("GET", "", #"{"name":"none","all":"","inner":null,"query":null}"#),
        ("POST", "x=1", #"{"name":"none","all":"x=1","inner":null,"query":null}"#),
        (
            "POST", #"{"name":"N","o":{"k":[1]}}"#,
            #"{"name":"N","all":"{\"name\":\"N\",\"o\":{\"k\":[1]}}","inner":{"k":[1]},"query":null}"#
        ),
    ])
    func `a template answers a request without the body that it asks of`(
        method: String, body: String, text: String
    ) async throws {
        try await TestServer.serving(stub: Self.templated) { server throws in
            let answer = try server.request(method, "/body", Self.json, body: body)
            #expect(answer.status == 200 && answer.text == text)
        }
    }

    @Test func `a file that a template names goes out byte for byte where it is not text`() async throws {
        let directory = try TemporaryDirectory(["x.stub.json": Self.templated, "banks/GB.xml": "<gb/>"])
        let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("{{x}}".utf8) + [0xFF, 0xFE]
        try directory.write("i.png", image)
        try await TestServer.serving(directory) { server throws in
            let answer = try server.get("/asset/i.png")
            #expect(answer.body == image && answer["Content-Type"] == "image/png")
            let soap = """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><FindABank><Country>GB</Country></FindABank></s:Body></s:Envelope>
                """
            #expect(try server.request("POST", "/bank", ["Content-Type: text/xml"], body: soap).text == "<gb/>")
        }
    }

    @Test func `lengths are those of bytes, whatever the characters`() async throws {
        let text = "🐶 zażółć™ é"
        try await TestServer.serving([
            "x.stub.json":
                #"{"stubs": [{"request": {"urlPath": "/json"}, "response": {"jsonBody": {"id": "\#(text)"}}}, {"request": {"urlPath": "/text"}, "response": {"body": "\#(text)"}}]}"#,
            "plain.txt": text,
        ]) { server throws in
            let client = try server.connect()
            // On one connection, on which a wrong length would break the next response.
            for _ in 1...2 {
                for (path, expected) in [("/json", #"{"id":"\#(text)"}"#), ("/text", text), ("/plain.txt", text)] {
                    let answer = try client.request("GET", path)
                    #expect(answer.text == expected && answer["Content-Length"] == "\(expected.utf8.count)")
                }
            }
        }
    }

    @Test func `a page may ask with any header lines of its own, and for what answers with an error`() async throws {
        let stub = #"{"request": {"method": "GET", "urlPath": "/x"}, "response": {"status": 422, "body": "no"}}"#
        try await TestServer.serving(["x.stub.json": stub], { $0.allowsCORS = true }) { server throws in
            let origin = "Origin: http://a.example"
            let preflight = try server.request(
                "OPTIONS", "/x",
                [
                    origin, "Access-Control-Request-Method: GET",
                    "Access-Control-Request-Headers: authorization,x-csrf-token,x-requested-with",
                ])
            #expect(preflight.status == 204)
            #expect(preflight["Access-Control-Allow-Headers"] == "authorization,x-csrf-token,x-requested-with")
            let answer = try server.request("GET", "/x", [origin])
            #expect(answer.status == 422 && answer["Access-Control-Allow-Origin"] == "http://a.example")
        }
    }

    @Test func `an item that was posted is found, changed and deleted by the id that it was given`() async throws {
        try await TestServer.serving([
            "i.json": #"[{"id": "a1"}, {"id": 3}]"#,
            "i.stub.json": #"{"resource": {"collection": "/i", "from": "i.json"}}"#,
        ]) { server throws in
            for number in 1...3 {
                let made = try server.request("POST", "/i", Self.json, body: #"{"n": \#(number)}"#)
                let id = try #require(JSONParser.parse(made.body)["id"]?.string)
                #expect(try made.status == 201 && server.get("/i/\(id)").text == #"{"id":"\#(id)","n":\#(number)}"#)
                #expect(try server.request("PATCH", "/i/\(id)", Self.json, body: #"{"n": 9}"#).status == 200)
                #expect(try server.request("DELETE", "/i/\(id)").status == 204)
                #expect(try server.get("/i/\(id)").status == 404)
            }
            for id in ["3", #""3""#, #""a1""#] {
                #expect(try server.request("POST", "/i", Self.json, body: #"{"id": \#(id)}"#).status == 409)
            }
            #expect(try server.get("/i").text == #"[{"id":"a1"},{"id":3}]"#)
        }
    }

    @Test(arguments: [#"{"index": 0, "stubs": {"responses": []}}"#, "[]", "x", #"{"request": 5}"#, "\"\"", "null"])
    func `a stub that is none is refused, and the server goes on`(content: String) async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            for path in ["/__admin/mappings", "/__admin/mappings/import"] {
                let answer = try server.request("POST", path, Self.json, body: content)
                let errors = try JSONParser.parse(answer.body)["errors"]?.array ?? []
                #expect(answer.status == 422 && !errors.isEmpty)
            }
            #expect(try server.get("/a.txt").text == "a")
        }
    }

    @Test func `a stub that was saved and is deleted is gone from the files, too`() async throws {
        try await TestServer.serving(
            ["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#], { $0.writesFixtures = true }
        ) { server throws in
            let stub = #"{"request": {"method": "GET", "url": "/some"}, "response": {"body": "Hi"}}"#
            let made = try server.request("POST", "/__admin/mappings", Self.json, body: stub)
            let id = try #require(JSONParser.parse(made.body)["id"]?.string)
            #expect(try server.request("POST", "/__admin/mappings/save").status == 200)
            #expect(server.directory.snapshot().count == 2)
            #expect(try server.request("DELETE", "/__admin/mappings/\(id)").status == 200)
            #expect(server.directory.snapshot().keys.sorted() == ["mappings/own.json"])
            #expect(try server.request("DELETE", "/__admin/mappings/\(id)").status == 404)
        }
    }

    @Test func `slashes count: two are not one, and a miss says which path is nearest`() async throws {
        let stub = #"{"request": {"urlPath": "/user/rem"}, "response": {"body": "rem"}}"#
        try await TestServer.serving(stub: stub) { server throws in
            #expect(try server.get("/user/rem?x=1&y").text == "rem")
            for target in ["//user/rem", "/user//rem", "/user/rem/", "//a/user/rem"] {
                let answer = try server.get(target)
                #expect(answer.status == 404 && answer.text.contains("urlPath: /user/rem ≠ \(target)"), "\(target)")
            }
        }
    }

    @Test(arguments: [
        ("/img/logo.png", "the file img/logo.png\n"), ("/app.js", "the file app.js\n"),
        ("/a%20b/font.WOFF2", "the file a b/font.WOFF2\n"), ("/favicon.ico", "the file favicon.ico\n"),
        ("/x.json", "a stub such as x.json.stub.json:\n"), ("/x", "a stub such as x.stub.json:\n"),
        ("/.hidden/x.png", "a stub such as _hidden/x.png.stub.json:\n"),
    ])
    func `a page's image or script is proposed as a file, and all else as a stub`(
        target: String, text: String
    ) async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            #expect(try server.get(target).text.contains("if the fixture is missing, add " + text))
            let post = try server.request("POST", target).text
            #expect(post.contains("if the fixture is missing, add a stub such as "))
        }
    }

    @Test func `a template that is written as elsewhere is nearer than one of another length`() async throws {
        try await TestServer.serving([
            "a.stub.json":
                #"{"stubs": [{"request": {"urlPathTemplate": "/l/:id"}, "response": {}}, {"request": {"urlPathTemplate": "/l/{a}/x"}, "response": {}}]}"#
        ]) { server throws in
            #expect(try server.get("/l/5").text.contains("1. a.stub.json\n     urlPathTemplate: /l/:id ≠ /l/5"))
        }
    }

    @Test(arguments: [
        ("/item?new", "empty"), ("/item?new=", "empty"), ("/item?new=1", nil), ("/item", nil), ("/help", "none"),
        ("/help?id", "blank"), ("/help?id=", "blank"), ("/help?id=1", "one"), ("/help?other=1", "none"),
    ])
    func `a parameter without a value is there, and its value is empty`(target: String, text: String?) async throws {
        let stubs = #"""
            {"stubs": [
              {"request": {"urlPath": "/item", "queryParameters": {"new": {"equalTo": ""}}}, "response": {"body": "empty"}},
              {"request": {"urlPath": "/help", "queryParameters": {"id": {"absent": true}}}, "response": {"body": "none"}},
              {"request": {"urlPath": "/help", "queryParameters": {"id": {"equalTo": "1"}}}, "response": {"body": "one"}},
              {"request": {"urlPath": "/help", "queryParameters": {"id": {"equalTo": ""}}}, "response": {"body": "blank"}}
            ]}
            """#
        try await TestServer.serving(stub: stubs) { server throws in
            let answer = try server.get(target)
            #expect(answer.status == (text == nil ? 404 : 200) && (text == nil || answer.text == text))
        }
    }

    @Test func `a template gives values as they came: large numbers, apostrophes, lines that a matcher has looked at`()
        async throws
    {
        let stub = #"""
            {"request": {"method": "POST", "urlPath": "/t", "headers": {"Authorization": {"matches": "Bearer test-.*"}}},
             "response": {"transformers": ["response-template"], "body":
               "{{request.headers.Authorization}} {{jsonPath request.body '$.id'}} {{jsonPath request.body '$.s'}} {{jsonPath request.body '$.l[1]'}}{{jsonPath request.body '$.l[7]'}}{{jsonPath request.body '$.none'}}"}}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let body = #"{"id": 998974625887, "s": "O'Hara & <b> \"q\"", "l": [1, 12345678901234567890]}"#
            let answer = try server.request("POST", "/t", ["Authorization: Bearer test-1"] + Self.json, body: body)
            #expect(answer.text == #"Bearer test-1 998974625887 O'Hara & <b> "q" 12345678901234567890"#)
        }
    }
}
