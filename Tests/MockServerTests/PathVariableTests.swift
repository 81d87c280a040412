// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiStubMatching
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What the variables of a path template stand for, in templates and in code.
@Suite(.supervised) struct PathVariableTests {
    private static func stub(_ template: String, _ body: String) -> String {
        #"{"request": {"urlPathTemplate": "\#(template)"}, "response": {"transformers": ["response-template"], "body": "\#(body)"}}"#
    }

    @Test(arguments: [
        ("/test.{format}", "{{request.path.format}}", "/test.json", "json"),
        ("/test.{format}", "{{request.path.format}}", "/test.tar.gz", "tar.gz"),
        ("/y/{a}-{b}.{c}", "{{request.path.a}} {{request.path.b}} {{request.path.c}}", "/y/1-2-3.4", "1-2 3 4"),
        ("/files/**/{name}.txt", "{{request.path.name}}", "/files/a/b/c%20d.txt", "c d"),
        ("/u/{ids}", "{{request.path.ids}} {{request.path.[0]}}", "/u/1,2", "1,2 u"),
        ("/u/{id}/", "{{request.path.id}}", "/u/5/", "5"),
        ("/{a}/{b}", "{{request.path.b}}{{request.path.a}}", "/1/2", "21"),
    ])
    func `a variable has its text, be it a segment or a part of one`(
        template: String, body: String, target: String, text: String
    ) async throws {
        try await TestServer.serving(stub: Self.stub(template, body)) { server throws in
            #expect(try server.get(target).text == text)
        }
    }

    @Test func `code has the same`() async throws {
        try await TestServer.serving([:]) { server throws in
            try server.server.add(
                RequestMatch.get("/v{major}.{minor}/x").respond { request in
                    MockResponse(
                        200,
                        body: .text(["major", "minor"].map { request.pathParameters[$0] ?? "" }.joined(separator: " ")))
                })
            #expect(try server.get("/v12.4/x").text == "12 4")
        }
    }

    @Test func `a path that is made to fit in very many ways takes no longer than it must`() throws {
        let template = String(repeating: "{a}-", count: 12) + "x"
        let path = String(repeating: "-", count: 4_000)
        #expect(PathTemplate.values(of: template, in: path).isEmpty)
        let values = PathTemplate.values(of: "/{a}/**/{b}", in: "/1/2/3/4").mapValues { Array($0) }
        #expect(values == ["a": [0x31], "b": [0x34]])
    }
}
