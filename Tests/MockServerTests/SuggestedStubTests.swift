// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// The stub that a miss suggests.
@Suite(.supervised) struct SuggestedStubTests {
    /// The stub that a miss suggests, and the name of its file.
    private func suggestion(in text: String) throws -> (file: String, stub: String) {
        let start = try #require(text.range(of: "add a stub such as "))
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        let stub = lines.dropFirst(2).prefix { !$0.isEmpty }
        return (
            lines[0].split(separator: ":")[0].split(separator: ",").first.map(String.init) ?? "",
            stub.joined(separator: "\n")
        )
    }

    @Test(arguments: [
        ("api/articles.stub.json", "POST", "/api/articles", "api/articles.POST.stub.json"),
        ("api/articles.POST.stub.json", "POST", "/api/articles", "api/articles.POST-2.stub.json"),
        ("api/articles.stub.json", "GET", "/api/articles?page=2&sort=-id", "api/articles.page-2.sort-id.stub.json"),
        ("api", "GET", "/api/articles", "api-articles.stub.json"),
        ("a", "POST", "/", "index.POST.stub.json"),
        ("a", "GET", "/x/../%2E%2E/y%2Fz%20", "x/__/__/y-z-.stub.json"),
        (
            "a", "DELETE", "/" + String(repeating: "d/", count: 40) + "e",
            String(repeating: "d-", count: 31) + "e.DELETE.stub.json"
        ),
        ("mappings/api/articles.json", "GET", "/api/articles", "mappings/api/articles-2.json"),
    ])
    func `a stub is suggested under a name that is not taken`(
        taken: String, method: String, target: String, file: String
    )
        async throws
    {
        let stub = #"{"request": {"method": "PUT", "urlPath": "/taken"}, "response": {"status": 200}}"#
        try await TestServer.serving([taken: stub]) { server throws in
            #expect(try suggestion(in: server.request(method, target).text).file == file)
        }
    }

    @Test func `a name is taken by a stub that has errors, too, and behind nine numbers a hash tells it apart`()
        async throws
    {
        try await TestServer.serving(["c.txt": "c"]) { server throws in
            for file in ["a.stub.json"] + (2...9).map({ "a-\($0).stub.json" }) {
                try server.directory.write(file, "{")
            }
            let file = try suggestion(in: server.get("/a").text).file
            #expect(file.wholeMatch(of: /a-[0-9a-f]{8}\.stub\.json/) != nil, "\(file)")
        }
    }

    @Test(arguments: [
        ("application/json", #"{"a": 1, "b": [true]}"#, #"{"equalToJson":{"a":1,"b":[true]}}"#),
        (
            "application/json", #"{"user": "ann", "password": "hunter2-Zk3TqW8r"}"#,
            #"{"equalToJson":{"user":"ann","password":"${json-unit.any-string}"}}"#
        ),
        ("text/plain", "hello", #"{"equalTo":"hello"}"#),
        (
            "application/x-www-form-urlencoded", "user=ann&password=hunter2-Zk3TqW8r&x=1",
            #"{"contains":"user=ann&password="},{"contains":"&x=1"}"#
        ),
    ])
    func `the stub that is suggested has a matcher of the body, without its secrets`(
        type: String, body: String, pattern: String
    ) async throws {
        try await TestServer.serving(["c.txt": "c"]) { server throws in
            let text = try server.request("POST", "/api/articles", ["Content-Type: \(type)"], body: body).text
            let stub = try JSONParser.parse(suggestion(in: text).stub)
            let patterns = try #require(stub["request"]?["bodyPatterns"])
            #expect(String(decoding: JSONWriter.compact(patterns), as: UTF8.self) == "[\(pattern)]")
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func `of content that is not text or too long the suggestion says that it is left out`() async throws {
        try await TestServer.serving(["c.txt": "c"]) { server throws in
            let text = try server.request("POST", "/up", body: String(repeating: "x", count: 5000)).text
            #expect(
                text.contains(
                    "such as up.POST.stub.json, here without a matcher of the request's content (5000 bytes):\n"))
        }
    }

    @Test func `the stub that is suggested answers the request beside those that are there`() async throws {
        let file =
            #"{"request": {"method": "POST", "urlPath": "/a", "bodyPatterns": [{"equalToJson": {"n": 1}}]}, "response": {"body": "one"}}"#
        try await TestServer.serving(["a.POST.stub.json": file]) { server throws in
            let miss = try suggestion(in: server.request("POST", "/a", body: #"{"n": 2}"#).text)
            #expect(miss.file == "a.POST-2.stub.json")
            try server.directory.write(miss.file, miss.stub)
            try server.reload()
            #expect(try server.request("POST", "/a", body: #"{"n": 2}"#).text == "{}")
            #expect(try server.request("POST", "/a", body: #"{"n": 1}"#).text == "one")
        }
    }
}
