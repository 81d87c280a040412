// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.supervised) struct TemplateResponseTests {
    private static func stub(_ response: String, request: String = #"{"urlPath": "/a"}"#) -> String {
        #"{"request": \#(request), "response": {"transformers": ["response-template"], \#(response)}}"#
    }

    @Test func `body, headers and status are rendered from the request`() async throws {
        let stub = Self.stub(
            #"""
            "status": "{{#if request.query.status}}{{request.query.status}}{{else}}201{{/if}}",
            "headers": ["Location: /a/{{jsonPath request.body '$.id'}}", "X-Fixed: {b}", "X-Name: {{request.headers.x-name}}"],
            "body": "{{request.method}} {{request.url}} {{request.path.[1]}} {{jsonPath request.body '$.id'}} {{parameters.p.0}}",
            "transformerParameters": {"p": ["one"]}
            """#, request: #"{"urlPathTemplate": "/a/{id}"}"#)
        try await TestServer.serving(stub: stub) { server throws in
            let answer = try server.request("POST", "/a/b%20c?q=1", ["X-Name: me"], body: #"{"id": 7}"#)
            #expect(answer.status == 201)
            #expect(answer["Location"] == "/a/7")
            #expect(answer["X-Fixed"] == "{b}")
            #expect(answer["X-Name"] == "me")
            #expect(answer.text == "POST /a/b%20c?q=1 b c 7 one")
            #expect(answer["Content-Length"] == "\(answer.body.count)")
            #expect(try server.get("/a/x?status=404").status == 404)
            #expect(try server.request("HEAD", "/a/x").body.isEmpty)
            #expect(server.journal.entries.count == 3)
        }
    }

    @Test(arguments: [
        ("{{request.path}}|{{request.path.id}}|{{request.pathSegments.0}}|{{request.path.last}}", "/a/b c|b c|a|b c"),
        ("{{request.query.q}}|{{request.query.q.1}}|{{request.query.z}}", "1 2|3|"),
        ("{{request.headers.Accept}}|{{request.headers.X-Two.1}}|{{request.cookies.sid}}", "text/*|b|s1"),
        (
            "{{request.host}} {{request.scheme}} {{request.baseUrl}} {{request.port}} {{request.clientIp}}",
            "mock.test http http://mock.test:81 81 127.0.0.1"
        ),
        ("{{request.body}}|{{request.bodyAsBase64}}|{{request.multipart}}|{{size request.id}}", "hi|aGk=|false|36"),
        ("{{#each request.query}}{{@key}}={{this}};{{/each}}", "q=1 2;r=;"),
        ("{{request.requestLine.method}} {{request.nothing.at.all}}", "POST "),
    ])
    func `the request as templates see it`(template: String, text: String) async throws {
        let stub = Self.stub(#""body": "\#(template)""#, request: #"{"urlPathTemplate": "/a/{id}"}"#)
        try await TestServer.serving(stub: stub) { server throws in
            let fields = ["Host: mock.test:81", "Accept: text/*", "X-Two: a", "X-Two: b", "Cookie: a=b; sid=s1"]
            #expect(try server.request("POST", "/a/b%20c?q=1+2&q=3&r", fields, body: "hi").text == text)
        }
    }

    @Test func `parts of a form are there by their names`() async throws {
        let stub = Self.stub(
            #""body": "{{request.multipart}} {{request.parts.t.body}} {{request.parts.f.headers.content-type}} {{request.parts.f.binary}}""#
        )
        let body =
            "--x\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name=\"f\"; "
            + "filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nfile\r\n--x--\r\n"
        try await TestServer.serving(stub: stub) { server throws in
            let answer = try server.request("POST", "/a", ["Content-Type: multipart/form-data; boundary=x"], body: body)
            #expect(answer.text == "true hello text/plain false")
        }
    }

    @Test func `a file is rendered, and one that is not text is not`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": Self.stub(#""bodyFile": "a.json""#),
            "b.stub.json": Self.stub(#""bodyFile": "b.png""#, request: #"{"urlPath": "/b"}"#),
            "c.stub.json": Self.stub(
                #""bodyFile": "a.json", "transformerParameters": {"disableBodyFileTemplating": true}"#,
                request: #"{"urlPath": "/c"}"#),
            "a.json": #"{"at": "{{request.path}}"}"#, "b.png": "\u{1}{{request.path}}",
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a")
            #expect(answer.text == #"{"at": "/a"}"#)
            #expect(answer["Content-Type"] == "application/json")
            #expect(try server.get("/b").text == "\u{1}{{request.path}}")
            #expect(try server.get("/c").text == #"{"at": "{{request.path}}"}"#)
        }
    }

    @Test func `under the global flag every text is rendered, and images and plain files are as they were`()
        async throws
    {
        let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("{{request.path}}".utf8) + [0xFF]
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"jsonBody": {"m": "{{request.method}}"}}}"#,
            "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"bodyFile": "b.png"}}"#,
            "api/c.txt": "{{request.path}}",
        ])
        try directory.write("b.png", image)
        try await TestServer.serving(directory, { $0.templatesAllResponses = true }) { server throws in
            #expect(try server.get("/a").text == #"{"m":"GET"}"#)
            #expect(try server.get("/b").body == image)
            #expect(try server.get("/b")["Content-Type"] == "image/png")
            #expect(try server.get("/api/c.txt").text == "{{request.path}}")
            try server.server.add(
                MockStub(json: #"{"request": {"urlPath": "/d"}, "response": {"body": "{{request.path}}"}}"#))
            #expect(try server.get("/d").text == "/d")
        }
    }

    @Test func `a file is found by a rendered name, within the directory alone`() async throws {
        let stub = Self.stub(
            #""bodyFile": "people/{{request.query.id}}.json""#)
        let files: KeyValuePairs = [
            "api/x.stub.json": stub, "api/people/1.json": #"{"id": {{request.query.id}}}"#, "top.json": "top",
            "api/people/.hidden.json": "no",
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a?id=1")
            #expect(answer.text == #"{"id": 1}"#)
            #expect(answer["Content-Type"] == "application/json")
            #expect(try server.get("/a?id=../../top").text == "top")
            let missing = try server.get("/a?id=2")
            #expect(missing.status == 404)
            #expect(missing.text == "404: there is no body file \"people/2.json\"\n")
            #expect(try server.get("/a?id=.hidden").status == 404)
            #expect(try server.get("/a?id=../x.stub").text == "404: there is no body file \"people/../x.stub.json\"\n")
            let outside = try server.get("/a?id=../../../etc")
            #expect(outside.status == 500)
            #expect(
                outside.text
                    == "500: the body file \"people/../../../etc.json\" lies outside of the fixture directory\n")
        }
    }

    @Test func `the time is frozen, and the same seed gives the same bytes`() async throws {
        let stub = Self.stub(
            #""headers": ["X-Id: {{randomValue type='UUID'}}"], "body": "{{now}} {{randomValue type='UUID'}} {{randomInt}}""#
        )
        var runs: [[String]] = []
        for seed: UInt64 in [5, 5, 6] {
            try await TestServer.serving(
                ["x.stub.json": stub],
                {
                    $0.seed = seed
                    $0.now = Date(timeIntervalSince1970: 1_795_255_200)
                }
            ) { server throws in
                let client = try server.connect()
                let answers = try (0..<3).map { _ in try client.request("GET", "/a") }
                runs.append(answers.map { ($0["X-Id"] ?? "") + $0.text })
            }
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
        #expect(Set(runs[0]).count == 3)
        #expect(runs[0].allSatisfy { $0.contains("2026-11-21T10:00:00Z") })
        // The header and the body draw for themselves.
        #expect(!runs[0][0].dropFirst(36).contains(runs[0][0].prefix(36)))
    }

    @Test func `what cannot be rendered is answered 500 with its place`() async throws {
        let stub = Self.stub(#""body": "a\n {{#each (range 1 1000000)}}{{@index}}{{/each}}""#)
        try await TestServer.serving(stub: stub) { server throws in
            let answer = try server.get("/a")
            #expect(answer.status == 500)
            #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.text.hasPrefix("500: the template of the body cannot be rendered: line 2, column "))
            #expect(answer.text.hasSuffix(": the template takes more than 1,000,000 steps\n"))
            #expect(server.journal.entries.map(\.status) == [500])
        }
    }

    @Test(arguments: [
        (
            #""headers": ["X-A: {{request.query.x}}"]"#,
            "500: the header X-A renders to a text with a control character\n"
        ),
        (
            #""status": "{{request.query.x}}""#,
            "500: the status renders to \"a\\u{a}b\", which is not a status from 200 to 999\n"
        ),
    ])
    func `what a request brings does not break a line`(response: String, text: String) async throws {
        try await TestServer.serving(stub: Self.stub(response)) { server throws in
            let answer = try server.get("/a?x=a%0Ab")
            #expect(answer.status == 500)
            #expect(answer.text == text)
        }
    }

    @Test func `steps of a sequence are rendered each as it asks, and a request that repeats is rendered again`()
        async throws
    {
        let stub = #"""
            {"request": {"urlPath": "/a"}, "responses": [
              {"transformers": ["response-template"], "body": "{{request.path}}"}, {"body": "{{request.path}}"}], "afterLast": "restart"}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let texts = try (0..<4).map { _ in try client.request("GET", "/a").text }
            #expect(texts == ["/a", "{{request.path}}", "/a", "{{request.path}}"])
        }
        try await TestServer.serving(stub: Self.stub(#""body": "{{randomValue length=20}}""#)) { server throws in
            let client = try server.connect()
            let texts = try (0..<5).map { _ in try client.request("GET", "/a").text }
            #expect(Set(texts).count == 5)
        }
    }

    @Test func `a WireMock root is rendered as WireMock does`() async throws {
        let directory = try TemporaryDirectory([
            "mappings/a.json":
                #"{"request": {"urlPathPattern": "/a/.*"}, "response": {"bodyFileName": "{{request.path.[1]}}.txt", "transformers": ["response-template"]}}"#,
            "__files/1.txt": "a\n{{#if true}}\nb\n{{/if}}\n",
        ])
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/a/1").text == "a\n\nb\n\n")
            #expect(try server.get("/a/2").text == "500: there is no body file \"2.txt\"\n")
        }
    }

    /// Templates that ask for a part of the request thousands of times, and requests with so much of it.
    private static let uses: [(template: String, target: String, lines: String)] = [
        (
            "{{#each request.query}}{{request.query.a1}}{{/each}}",
            "/a?" + (0..<5_000).map { "a\($0)=1" }.joined(separator: "&"), "X: 1"
        ),
        (
            "{{#each (range 1 9000)}}{{#if request.path}}{{request.path.9000}}{{/if}}{{/each}}",
            "/a" + String(repeating: "/b", count: 9_000), "X: 1"
        ),
        (
            "{{#each (range 1 9000)}}{{request.cookies.a}}{{/each}}", "/a",
            "Cookie: " + String(repeating: "b=1;", count: 9_000) + "a=1"
        ),
        (
            "{{#each (range 1 9000)}}{{request.headers.x}}{{/each}}", "/a",
            String(repeating: "A: b\r\n", count: 400) + "X: 1"
        ),
    ]

    @Test(arguments: 0..<4) func `a part of the request is read once, however often a template asks for it`(
        use: Int
    ) async throws {
        let (template, target, lines) = Self.uses[use]
        let stub = Self.stub(#""body": "\#(template)""#, request: #"{"urlPathPattern": "/a.*"}"#)
        try await TestServer.serving(stub: stub) { server throws in
            // Read each time, 25 million names and values would be.
            let answer = try server.get(target, lines)
            #expect(answer.status == 200 && answer.body.count >= 5_000)
        }
    }
}
