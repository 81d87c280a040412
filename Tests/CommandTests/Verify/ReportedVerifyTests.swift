// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Situations that users of other tools have reported as bugs of those: each is named by its tracker.
@Suite(.supervised) struct ReportedVerifyTests {
    /// A document whose one answer has a schema, and a fixture that is held against it.
    private func diff(_ schema: String, _ body: String, content: Bool = true) async throws -> Command.End {
        let answer = content ? #", "content": {"application/json": {"schema": \#(schema)}}"# : ""
        let directory = try TemporaryDirectory([
            "F/a.stub.json": #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"jsonBody": \#(body)}}"#,
            "o.json": #"""
            {"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
             "paths": {"/a": {"get": {"responses": {"200": {"description": "x"\#(answer)}}}}}}
            """#,
        ])
        return try await Command.run("diff", "\(directory.path)/F", "\(directory.path)/o.json", "--info")
    }

    @Test func `specmatic 1214 and 1206, what is optional may be missing`() async throws {
        let schema =
            #"{"type": "object", "properties": {"events": {"type": "array"}, "newField": {"type": "string", "readOnly": true}}}"#
        let end = try await diff(schema, "{}")
        #expect(end.code == 0, "\(end)")
        #expect(end.output.contains("property unrecorded (newField)") || end.output.contains("newField"), "\(end)")
        #expect(!end.output.contains("✗") && !end.output.contains("  !"), "\(end)")
    }

    @Test func `specmatic 553, further members of any kind are as many as the schema asks for`() async throws {
        let schema =
            #"{"type": "object", "additionalProperties": {}, "minProperties": 1, "properties": {"foo": {"type": "string"}}}"#
        #expect(try await diff(schema, #"{"bar": 1}"#).code == 0)
        let end = try await diff(schema, "{}")
        #expect(end.code == 1 && end.output.contains("schema limit"), "\(end)")
    }

    @Test func `optic 2883, a body that no document has is told with what came`() async throws {
        let end = try await diff("{}", #"{"attachment": null}"#, content: false)
        #expect(end.output.contains("body undocumented"), "\(end)")
        #expect(end.output.contains("(19 bytes of application/json)"), "\(end)")
    }

    @Test func `reticle 69, testthat 2032 and bun 34975, signs that XML has not stand in no report`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"id": 1}"#])
        let live = try await LiveService(["a.json": #"{"id": "\u001b[31mred\u001b[0m \u0000 <&\" ￾"}"#])
        let reports = try TemporaryDirectory()
        let end = try await Command.run(
            "verify", fixtures.path, "--against", live.url, "--junit", "\(reports.path)/j.xml", "--markdown",
            "\(reports.path)/m.md", "--tap", "\(reports.path)/t.tap")
        #expect(end.code == 1, "\(end)")
        for name in ["j.xml", "m.md", "t.tap"] {
            let bytes = reports.bytes(name)
            #expect(!bytes.isEmpty && !bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 }, "\(name)")
        }
        let python = try Command(
            line: [
                "/usr/bin/env", "python3", "-c",
                "import sys, xml.etree.ElementTree as t; print(len(t.parse(sys.argv[1]).findall('.//failure')))",
                "\(reports.path)/j.xml",
            ])
        #expect(try await python.end().output == "1\n", "\(reports.text("j.xml"))")
        #expect(!(end.output + end.errors).utf8.contains(0x1B))
    }

    @Test func `zshellcheck 1442, a file whose name has a colon is no URI of a scheme`() async throws {
        let directory = try TemporaryDirectory(["a:b.stub.json": "{"])
        let command = try Command(
            line: [
                "/bin/sh", "-c", #"cd "$1" && exec "$0" check . --format sarif"#, try Command.executable("mockapi"),
                directory.path,
            ])
        #expect(try await command.end().output.contains(#""uri": "a%3Ab.stub.json""#))
    }

    @Test func `diffy 81, one fixture of ten that differs is one`() async throws {
        let (old, new) = (try TemporaryDirectory(), try TemporaryDirectory())
        for index in 0..<10 {
            try old.write("f\(index).json", #"{"id": 1}"#)
            try new.write("f\(index).json", index == 4 ? #"{"id": "x"}"# : #"{"id": 2}"#)
        }
        let end = try await Command.run("diff", old.path, new.path)
        #expect(end.code == 1 && end.output.contains("  9 honoured: 9 fields, 9 header sets · 1 broken\n"), "\(end)")
    }

    @Test func `a baseline of an earlier version is told with the way out, and goes with the next that is written`()
        async throws
    {
        let fixtures = try TemporaryDirectory(["a.json": #"{"id": 1}"#])
        let live = try await LiveService(["a.json": #"{"id": "x"}"#])
        let known = try TemporaryDirectory([
            "known.jsonl": #"""
            {"level":"breaking","id":"type-changed","file":"a.json","line":1,"pointer":"/id","recorded":"number 1","received":"string \"x\"","state":"broken"}
            {"summary":{"honoured":0}}

            """#
        ])
        let path = "\(known.path)/known.jsonl"
        let end = try await Command.run("verify", fixtures.path, "--against", live.url, "--baseline", path)
        #expect(end.code == 1, "\(end)")
        #expect(
            end.errors.contains(
                "warning: \(path) has 1 lines of an earlier version, which no longer count; "
                    + "--write-baseline \(path) writes them as they are now\n"), "\(end)")
        let arguments = ["verify", fixtures.path, "--against", live.url, "--baseline", path]
        _ = try await Command.run(arguments + ["--write-baseline", path])
        #expect(!known.text("known.jsonl").contains(#""state":"broken"}"#), "\(known.text("known.jsonl"))")
        let quiet = try await Command.run(arguments)
        #expect(quiet.code == 0 && !quiet.errors.contains("earlier"), "\(quiet)")
        try known.write("known.jsonl", "[]")
        let refused = try await Command.run(arguments)
        #expect(refused.code == 4 && refused.errors.contains("--write-baseline \(path) writes one"), "\(refused)")
    }
}
