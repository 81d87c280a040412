// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

@Suite(.supervised) struct MissReportTests {
    /// The directory as a miss shows it.
    private static func seen(_ directory: TemporaryDirectory) -> String {
        RelativePath.text(of: directory.path, from: FileManager.default.currentDirectoryPath)
    }

    @Test(arguments: [
        ("/home/me/app/Fixtures", "/home/me/app", "Fixtures"), ("/home/me/other/F", "/home/me/app", "../other/F"),
        ("/home/me", "/home/me/app", ".."), ("/a", "/a", "."), ("/a/b", "/", "a/b"), ("/", "/a/b", "../.."),
        ("/abc/d", "/ab/c", "../../abc/d"),
    ])
    func `the directory is shown as seen from the server's own`(path: String, from: String, shown: String) {
        #expect(RelativePath.text(of: path, from: from) == shown)
    }

    @Test func `what is said of the directory does not say where it lies`() async throws {
        try await TestServer.serving([:]) { server throws in
            for fields in [[], ["Accept: application/json"]] {
                let text = try server.request("GET", "/x", fields).text
                #expect(text.contains(Self.seen(server.directory)))
                #expect(!text.contains(" " + server.directory.path))
            }
        }
    }

    private let files: KeyValuePairs = [
        "api/contents.stub.json": #"""
        {"name": "articles", "request": {"method": "GET", "urlPath": "/api/contents",
          "queryParameters": {"page": {"equalTo": "1"}}, "headers": {"Accept": {"contains": "json"}}},
         "response": {"status": 200, "jsonBody": {}}}
        """#,
        "api/domains.json": "{}",
    ]

    private static let selecting = "the response, record this request, too"
    /// With the options to select by places outside of lists.
    private static func selecting(_ advice: String) -> String {
        let places = advice.split(separator: "--vary ").dropFirst().map { $0.split { " ;".contains($0) }[0] }
        let options = places.filter { !$0.contains("*") }.map { "--select \($0)" }.joined(separator: " ")
        return "\(advice) \(selecting)" + (options.isEmpty ? "" : ", with \(options)")
    }

    @Test(arguments: [
        (
            "/a?id=2&p=1", "",
            "if query:id is another in each request, record again with --vary query:id; if it selects"
        ),
        (
            "/a?id=2&p=2", "",
            "if query:id and query:p are another in each request, record again with --vary query:id --vary query:p; if they select"
        ),
        (
            "/b", #"{"x": [{"a b": 2}]}"#,
            "if $.x[*]['a b'] is another in each request, record again with --vary '$.x[*]['\\''a b'\\'']'; if it selects"
        ),
        (
            "/p", #"{"prices": {"2024": "b"}}"#,
            "if $.prices.2024 is another in each request, record again with --vary '$.prices.2024'; if it selects"
        ),
        ("/a?p=1", "", nil), ("/a?id=2&p=1&q=1", "", nil), ("/c?id=2", "", nil), ("/d?id=2", "", nil),
    ])
    func `a miss of a recorded request by its values names the options that settle it`(
        target: String, body: String, advice: String?
    ) async throws {
        func stub(_ request: String, _ isRecorded: Bool = true) -> String {
            let recorded = isRecorded ? #", "recorded": {"from": "https://a.example", "key": "00"}"# : ""
            return #"{"request": {\#(request)}, "response": {"status": 200}\#(recorded)}"#
        }
        let query =
            #""queryParameters": {"id": {"equalTo": "1"}, "p": {"equalTo": "1"}}, "otherQueryParameters": "refuse""#
        let files: KeyValuePairs = [
            "a.stub.json": stub(#""urlPath": "/a", \#(query)"#),
            "b.stub.json": stub(#""urlPath": "/b", "bodyPatterns": [{"equalToJson": {"x": [{"a b": 1}]}}]"#),
            "p.stub.json": stub(#""urlPath": "/p", "bodyPatterns": [{"equalToJson": {"prices": {"2024": "a"}}}]"#),
            "d.stub.json": stub(#""urlPath": "/d", "queryParameters": {"id": {"equalTo": "1"}}"#, false),
        ]
        try await TestServer.serving(files) { server throws in
            let text = try server.request(body.isEmpty ? "GET" : "POST", target, [], body: body).text
            #expect(text.hasPrefix("404: "))
            let lines = text.split(separator: "\n").filter { $0.contains("--vary") }.map { $0.dropFirst("2. ".count) }
            #expect(lines.map(String.init) == (advice.map { [Self.selecting($0)] } ?? []))
        }
    }

    @Test func `a miss tells what was nearest, how it differs and what to do`() async throws {
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/api/contents", "Accept: */*")
            #expect(answer.status == 404)
            #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
            #expect(
                answer.text == #"""
                    404: nothing answers GET /api/contents

                    Nearest of 1 stub, 1 file:

                    1. api/contents.stub.json ("articles")
                         queryParameters.page: expected equalTo "1", found nothing
                         headers.Accept: expected contains "json", found "*/*"

                    2. api/domains.json
                         path: /api/domains.json ≠ /api/contents

                    What to do next:
                    1. if the request is wrong, change what differs above in the client
                    2. if the fixture is missing, add a stub such as api/contents-2.stub.json:

                        {
                          "request": {
                            "method": "GET",
                            "urlPath": "/api/contents"
                          },
                          "response": {
                            "status": 200,
                            "jsonBody": {}
                          }
                        }

                    3. mockapi check \#(Self.seen(server.directory)) reports mistakes in the fixtures

                    """#)
        }
    }

    @Test(arguments: [
        ("application/json", true), ("application/problem+json", true), ("application/vnd.api+json", true),
        ("text/plain;q=0.5, application/json", true), ("*/*", false), ("text/*, application/json;q=0.9", false),
        ("application/json;q=0", false), ("text/html", false), ("application/json, text/plain", false),
    ])
    func `a client that prefers JSON gets a problem document`(accept: String, isJSON: Bool) async throws {
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/api/content", "Accept: \(accept)")
            #expect(answer["Content-Type"] == (isJSON ? "application/problem+json" : "text/plain; charset=utf-8"))
        }
    }

    @Test func `the problem document holds the same as data`() async throws {
        try await TestServer.serving(["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "a"}}"#]) {
            server throws in
            let answer = try server.get("/b", "Accept: application/json")
            #expect(answer.status == 404)
            #expect(
                answer.text == #"""
                    {
                      "type": "about:blank",
                      "title": "Not Found",
                      "status": 404,
                      "detail": "nothing answers GET /b",
                      "instance": "/b",
                      "obstacles": [],
                      "nearest": [
                        {
                          "file": "a.stub.json",
                          "name": null,
                          "differences": [
                            {
                              "field": "urlPath",
                              "expected": "/a",
                              "actual": "/b",
                              "text": "urlPath: /a ≠ /b"
                            }
                          ]
                        }
                      ],
                      "advice": [
                        "if the request is wrong, change what differs above in the client",
                        "if the fixture is missing, add a stub such as b.stub.json:\n\n    {\n      \"request\": {\n        \"method\": \"GET\",\n        \"urlPath\": \"/b\"\n      },\n      \"response\": {\n        \"status\": 200,\n        \"jsonBody\": {}\n      }\n    }\n",
                        "mockapi check \#(Self.seen(server.directory)) reports mistakes in the fixtures"
                      ]
                    }

                    """#)
        }
    }

    @Test func `a path known under other methods is 405 and says which`() async throws {
        try await TestServer.serving([
            "a.stub.json": #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "a"}}"#
        ]) { server throws in
            let answer = try server.request("POST", "/a")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
            #expect(
                answer.text.hasPrefix(
                    """
                    405: /a exists, but not for POST: it answers GET, HEAD, OPTIONS

                    Nearest of 1 stub, 0 files:

                    1. a.stub.json
                         method: GET ≠ POST

                    What to do next:
                    1. send one of GET, HEAD, OPTIONS
                    2. if the fixture is missing, add a stub such as a.POST.stub.json:


                    """))
            let problem = try JSONParser.parse(
                try server.request("POST", "/a", ["Accept: application/json"]).text)
            #expect(problem["title"]?.string == "Method Not Allowed")
        }
    }

    @Test func `an empty directory says that it is empty`() async throws {
        try await TestServer.serving([:]) { server throws in
            #expect(
                try server.get("/none").text.hasPrefix(
                    """
                    404: nothing answers GET /none

                    There are no stubs and no files: \(Self.seen(server.directory)) is empty.

                    What to do next:
                    1. if the fixture is missing, add a stub such as none.stub.json:


                    """))
        }
    }

    @Test func `in a WireMock root a miss begins with WireMock's words`() async throws {
        let mapping = #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "a"}}"#
        try await TestServer.serving(["mappings/a.json": mapping]) { server throws in
            let text = try server.get("/b").text
            #expect(text.hasPrefix("404: Request was not matched: nothing answers GET /b\n\nNearest of"), "\(text)")
        }
        try await TestServer.serving([:], { $0.isWireMockRoot = true }) { server throws in
            let text = try server.get("/b").text
            let words = "404: No response could be served as there are no stub mappings: nothing answers GET /b"
            #expect(text.hasPrefix("\(words)\n\nThere are no stubs"), "\(text)")
        }
    }

    @Test func `a query of thousands of parameters is told by twenty`() async throws {
        try await TestServer.serving(files) { server throws in
            let target = "/none?" + (0..<2500).map { "p\($0)" }.joined(separator: "&")
            let text = try server.get(target).text
            let words = (0..<20).map { "p\($0)" }.joined(separator: ".")
            #expect(
                text.contains(
                    "add a stub such as none.\(words).stub.json, here with 20 of the 2500 query parameters:\n"))
            #expect(text.components(separatedBy: "\"equalTo\"").count == 21)
            let problem = try JSONParser.parse(try server.get(target, "Accept: application/json").text)
            #expect(problem["cut"] == nil)
            #expect(problem["instance"]?.string == target)
        }
    }

    @Test func `a report that would be too long is cut, and says so`() async throws {
        let parameters = (0..<1500).map { "\"p\($0)\": {\"equalTo\": \"\(String(repeating: "é", count: 40))\"}" }
        let stub = """
            {"request": {"urlPath": "/a", "queryParameters": {\(parameters.joined(separator: ","))}}, "response": {}}
            """
        try await TestServer.serving(["a.stub.json": stub]) { server throws in
            let text = try server.get("/a")
            #expect(text.body.count <= 64 * 1024 && text.body.count > 64 * 1024 - 4)
            #expect(text.text.hasSuffix("\n… this report is longer than 64 KiB, and is cut\n"))
            let json = try server.get("/a", "Accept: application/json")
            #expect(json.body.count <= 64 * 1024)
            let problem = try JSONParser.parse(json.text)
            #expect(problem["cut"]?.string == "this report is longer than 64 KiB, and is cut")
            #expect(problem["nearest"]?.array?.first?["differences"]?.array?.count == 20)
        }
    }

    @Test(arguments: ["*/*", "application/json"])
    func `neither the credentials that came nor those that are expected are shown`(accept: String) async throws {
        let stub = #"""
            {"request": {"urlPath": "/a", "headers": {"Authorization": {"equalTo": "Bearer expected-value"}},
              "queryParameters": {"access_token": {"equalTo": "expected-value"}}}, "response": {}}
            """#
        try await TestServer.serving(["a.stub.json": stub]) { server throws in
            let answer = try server.get(
                "/a?x=1&access_token=real-value", "Authorization: Bearer real-value", "Accept: \(accept)")
            #expect(answer.status == 404)
            #expect(!answer.text.contains("real-value") && !answer.text.contains("expected-value"))
            #expect(answer.text.contains("nothing answers GET /a?x=1&access_token=***"))
            #expect(
                answer.text.contains(
                    "headers.Authorization: expected equalTo 21 bytes (not shown), found 17 bytes (not shown)"))
        }
    }

    @Test func `HEAD of a miss tells the length alone`() async throws {
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            #expect(try client.request("HEAD", "/none").status == 404)
            #expect(try client.request("GET", "/api/domains").status == 200)
        }
    }
}
