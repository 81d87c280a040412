// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi diff` between fixtures and a document of OpenAPI.
@Suite(.supervised) struct DocumentDiffTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Shop, version: "1"}
        servers:
          - url: https://{env}.example.com/v1
            variables: {env: {default: api}}
        paths:
          /items:
            get:
              parameters:
                - {name: page, in: query, schema: {type: integer}}
                - {name: shop, in: query, required: true, schema: {type: string}}
              responses:
                '200':
                  description: All
                  headers:
                    X-Total: {required: true, schema: {type: integer}}
                  content:
                    application/json:
                      schema:
                        type: array
                        items: {$ref: '#/components/schemas/Item'}
                4XX:
                  description: No
                  content: {application/problem+json: {schema: {type: object}}}
            post: {responses: {'201': {description: Made}}}
          /items/{id}:
            get:
              responses:
                default: {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
          /items/new:
            get:
              responses: {'200': {description: None}}
        components:
          schemas:
            Item:
              type: object
              required: [id, state, secret]
              properties:
                id: {type: integer, format: int32}
                state:
                  type: string
                  enum: [open, closed]
                at: {type: string, format: date-time}
                note: {type: string, nullable: true}
                price: {type: number, minimum: 0, exclusiveMinimum: true}
                secret: {type: string, writeOnly: true}
                parent: {$ref: '#/components/schemas/Item'}
                size:
                  type: object
                  additionalProperties: false
                  properties: {w: {type: integer}}
        """

    /// A stub that answers JSON.
    private static func stub(_ target: String, _ body: String, _ response: String = "") -> String {
        #"{"request": {"method": "GET", "url": "\#(target)"}, "response": {\#(response)"jsonBody": \#(body)}}"#
    }

    private static let total = #""headers": ["Content-Type: application/json", "X-Total: 2"], "#

    /// The levels, ids and pointers of what is found with one fixture.
    private func found(_ stub: String, _ document: String = document) async throws -> [String] {
        let fixtures = try TemporaryDirectory(["a.stub.json": stub])
        let other = try TemporaryDirectory(["openapi.yaml": document])
        let end = try await Command.run("diff", fixtures.path, "\(other.path)/openapi.yaml", "--json", "-")
        let lines = try end.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        return lines.compactMap { node in
            guard let level = node["level"]?.string, level != "info" else { return nil }
            return "\(level) \(node["id"]?.string ?? "") \(node["pointer"]?.string ?? "")"
        }.sorted()
    }

    @Test func `fixtures that the document allows are honoured, and what it has besides is told`() async throws {
        let fixtures = try TemporaryDirectory([
            "list.stub.json": Self.stub(
                "/v1/items?shop=a&page=2", #"[{"id": 1, "state": "open", "note": null, "price": 0.5}]"#, Self.total),
            "v1/items/7.json": #"{"id": 7, "state": "open", "parent": {"id": 1, "state": "open"}}"#,
        ])
        try fixtures.write("openapi.yaml", Self.document)
        let arguments = ["diff", fixtures.path, "\(fixtures.path)/openapi.yaml"]
        let end = try await Command.run(arguments)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  2 honoured: 2 statuses · 1 compatible\n", "\(end)")
        let told = try await Command.run(arguments + ["--info"])
        #expect(told.output.contains("operation unrecorded (POST /items)"), "\(told)")
        #expect(told.output.contains("status unrecorded (GET /items 4XX)"), "\(told)")
        #expect(told.output.contains("openapi.yaml:25   operation unrecorded (POST /items)"), "\(told)")
        #expect(told.output.contains("/*/at   property unrecorded (GET /items 200)"), "\(told)")
        #expect(told.output.contains("/*/state   enum value unrecorded (GET /items 200: \"closed\")"), "\(told)")
    }

    @Test func `what is not allowed is told at the fixture's line and at the document's`() async throws {
        let fixtures = try TemporaryDirectory([
            "v1/items/7.json": """
            {
              "id": "7",
              "state": "open"
            }
            """
        ])
        let other = try TemporaryDirectory(["openapi.yaml": Self.document])
        let path = "\(other.path)/openapi.yaml"
        let end = try await Command.run("diff", fixtures.path, path)
        #expect(end.code == 1, "\(end)")
        #expect(
            end.output.hasPrefix(
                "  ✗ v1/items/7.json:2   /id   schema type (\"7\" → is a string, should be integer)   \(path):39   breaking\n"
            ), "\(end)")
        let lines = try await Command.run("diff", fixtures.path, path, "--json", "-")
        #expect(lines.output.contains(#""state":"broken","against":"\#(path):39"}"#))
        let junit = try await Command.run("diff", path, fixtures.path, "--junit", "\(other.path)/junit.xml")
        #expect(junit.code == 1, "\(junit)")
        #expect(other.text("junit.xml").contains(#"name="v1/items/7.json""#))
    }

    @Test(arguments: [
        (#"{"id": 1}"#, "breaking schema-required "), (#"{"id": 1.5, "state": "open"}"#, "breaking schema-type /id"),
        (#"{"id": 3000000000, "state": "open"}"#, "breaking schema-limit /id"),
        (#"{"id": 1, "state": "gone"}"#, "breaking schema-enum /state"),
        (#"{"id": 1, "state": null}"#, "breaking schema-enum /state, breaking schema-type /state"),
        (#"{"id": 1, "state": "open", "at": "yesterday"}"#, "warning schema-format /at"),
        (#"{"id": 1, "state": "open", "price": 0}"#, "breaking schema-limit /price"),
        (#"{"id": 1, "state": "open", "size": {"w": 1, "h": 2}}"#, "breaking schema-additional /size"),
        (#"{"id": 1, "state": "open", "more": 1}"#, "warning property-undocumented /more"),
        (#"{"id": 1, "state": "open", "parent": {"id": "x", "state": "open"}}"#, "breaking schema-type /parent/id"),
        (#"{"id": "redacted.response.id", "state": "redacted.response.state"}"#, ""),
        (#"{"id": 1, "state": "open", "note": null}"#, ""),
        (#"{"id": 1, "state": "open", "secret": "x"}"#, "warning schema-write-only /secret"),
        (#"{"id": 1, "state": "open", "secret": "redacted.secret"}"#, "warning schema-write-only /secret"),
        (
            #"{"id": 1, "state": "open", "parent": {"id": 2, "state": "open", "secret": null}}"#,
            "breaking schema-type /parent/secret, warning schema-write-only /parent/secret"
        ),
    ])
    func `a body is held against the schema of its response`(_ body: String, _ expected: String) async throws {
        #expect(try await found(Self.stub("/v1/items/7", body)).joined(separator: ", ") == expected)
    }

    @Test(arguments: [
        ("{type: object, properties: {p: {$ref: '#/components/schemas/S'}}}", "warning schema-write-only /p"),
        (
            "{allOf: [{properties: {p: {type: string}}}, {properties: {p: {writeOnly: true}}}]}",
            "warning schema-write-only /p"
        ),
        ("{oneOf: [{properties: {p: {type: string, writeOnly: true}}, required: [q]}, {properties: {p: {}}}]}", ""),
        ("{type: object, properties: {p: {$ref: '#/components/schemas/T', writeOnly: true}}}", ""),
        ("{type: array, items: {properties: {p: {writeOnly: true}}}}", "breaking schema-type "),
        ("{type: object, properties: {p: {type: string, writeOnly: false}}}", ""),
    ])
    func `what is only written is told wherever the document says so`(
        _ schema: String, _ expected: String
    ) async throws {
        let document = """
            openapi: 3.0.3
            info: {title: T, version: "1"}
            paths:
              /p: {get: {responses: {'200': {description: D, content: {application/json: {schema: \(schema)}}}}}}
            components:
              schemas:
                S: {type: string, writeOnly: true}
                T: {type: string}
            """
        #expect(try await found(Self.stub("/p", #"{"p": "x"}"#), document).joined(separator: ", ") == expected)
    }

    @Test func `paths, methods, statuses, types, lines and parameters are held against the document`() async throws {
        let item = #"{"id": 1, "state": "open"}"#
        #expect(try await found(Self.stub("/v2/items", "[]")) == ["breaking path-undocumented "])
        let put = Self.stub("/v1/items", "[]").replacing("GET", with: "PUT")
        #expect(try await found(put) == ["breaking method-undocumented "])
        #expect(try await found(Self.stub("/v1/items/new", item)) == ["warning body-undocumented "])
        #expect(
            try await found(Self.stub("/v1/items?shop=a", "[]", #""status": 500, "#))
                == ["breaking status-undocumented status"])
        let problem = #""status": 404, "headers": ["Content-Type: application/problem+json"], "#
        #expect(try await found(Self.stub("/v1/items?shop=a", "{}", problem)) == [])
        #expect(
            try await found(Self.stub("/v1/items?size=1", "[]", Self.total))
                == ["warning parameter-missing query:shop", "warning parameter-undocumented query:size"])
        #expect(
            try await found(Self.stub("/v1/items?shop=a", "[]")) == ["warning header-missing header:X-Total"])
        let words = Self.total.replacing("2\"", with: "two\"")
        #expect(try await found(Self.stub("/v1/items?shop=a", "[]", words)) == ["breaking schema-type header:X-Total"])
        let xml = #""headers": ["Content-Type: application/xml"], "body": "<a/>""#
        #expect(
            try await found(#"{"request": {"urlPath": "/v1/items/1"}, "response": {\#(xml)}}"#)
                == ["breaking media-type-undocumented header:Content-Type"])
    }

    @Test func `a schema of 3-1 is one of JSON Schema`() async throws {
        let document = """
            {"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/*": {"schema": {
              "type": "object", "required": ["n"], "properties": {
                "n": {"type": ["integer", "null"], "exclusiveMinimum": 0}, "k": {"const": "x"},
                "c": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "string"}]}}}}}}}}}},
              "components": {"schemas": {"A": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}}}}}
            """
        #expect(try await found(Self.stub("/a", #"{"n": null, "k": "x", "c": {"a": {"a": {}}}}"#), document) == [])
        #expect(try await found(Self.stub("/a", #"{"n": 0}"#), document) == ["breaking schema-limit /n"])
        #expect(try await found(Self.stub("/a", #"{"n": 1, "k": "y"}"#), document) == ["breaking schema-enum /k"])
        #expect(try await found(Self.stub("/a", #"{"n": 1, "c": 7}"#), document) == ["breaking schema-choice /c"])
    }

    @Test func `what cannot be held against the document is not checked`() async throws {
        let document = """
            openapi: 3.0.0
            paths:
              /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: 'other.yaml#/A'}}}}}}}
            """
        let fixtures = try TemporaryDirectory([
            "openapi.yaml": document, "a.stub.json": Self.stub("/a", "{}"),
            "b.stub.json": #"{"request": {"urlPathPattern": "/b.*"}, "response": {"status": 200}}"#,
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
        ])
        let path = "\(fixtures.path)/openapi.yaml"
        let end = try await Command.run("diff", fixtures.path, path)
        #expect(end.code == 4, "\(end)")
        #expect(end.output.contains("\"other.yaml#/A\" is not in the document"), "\(end)")
        #expect(end.output.contains("it answers to a pattern of URLs"), "\(end)")
        #expect(end.output.contains("1 skipped (faults)"), "\(end)")
    }

    @Test func `references that go round and documents that are too deep end, and are told`() async throws {
        let round = """
            openapi: 3.1.0
            paths:
              /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}
              /b: {get: {responses: {'200': {$ref: '#/components/responses/B'}}}}
              /c: {$ref: '#/paths/~1c'}
            components:
              schemas: {A: {$ref: '#/components/schemas/B'}, B: {allOf: [{$ref: '#/components/schemas/A'}]}}
              responses: {B: {$ref: '#/components/responses/B'}}
            """
        let fixtures = try TemporaryDirectory([
            "a.stub.json": Self.stub("/a", #"{"x": {"y": [1, 2]}}"#), "b.stub.json": Self.stub("/b", "{}"),
            "c.stub.json": Self.stub("/c", "{}"),
        ])
        let other = try TemporaryDirectory(["openapi.yaml": round])
        let end = try await Command.run("diff", fixtures.path, "\(other.path)/openapi.yaml")
        #expect(end.code == 4, "\(end)")
        #expect(end.output.contains("a.stub.json:1   GET /a   not checked: the validation was given up"), "\(end)")
        #expect(end.output.contains("status undocumented (200)"), "\(end)")
        #expect(end.output.contains("path undocumented (/c)"), "\(end)")
        try other.write("openapi.yaml", "openapi: 3.1.0\npaths: " + String(repeating: "{a: ", count: 100_000))
        let deep = try await Command.run("diff", fixtures.path, "\(other.path)/openapi.yaml")
        #expect(deep.code == 3, "\(deep)")
        #expect(deep.errors.hasSuffix(":2: more than 128 levels\n"), "\(deep.errors)")
    }

    @Test(arguments: [
        ("a: [1", 1, "a comma or ] is missing here"), ("swagger: '2.0'", 1, "this is Swagger 2.0"),
        ("a: 1", 1, "there is no \"openapi\""),
        ("openapi: 3.0.0\npaths:\n  /a{: {}\n", 3, "the path /a{ has a brace too many"),
    ])
    func `a document that cannot be read ends with 3`(_ text: String, _ line: Int, _ message: String) async throws {
        let other = try TemporaryDirectory(["a.yaml": text, "Fixtures/a.txt": "a"])
        let end = try await Command.run("diff", "\(other.path)/Fixtures", "\(other.path)/a.yaml")
        #expect(end.code == 3, "\(end)")
        #expect(end.errors.contains("a.yaml:\(line): \(message)"), "\(end)")
    }
}
