// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText
import TestSupport
import Testing
import WireSupport

/// `check --format`, as tools read it.
@Suite(.supervised) struct CheckFormatTests {
    private let files: KeyValuePairs = [
        "é,%: 1.stub.json": "{\n  \"request\": {\"name\": \"ä\", \"urlPat\": \"/a\"}, \"response\": {}}",
        "c.png": "no image",
    ]

    /// Checks a directory that is called `Fixtures` where the command is started.
    private func check(_ files: KeyValuePairs<String, String>, format: String) async throws -> (
        code: Int32, output: String
    ) {
        let directory = try TemporaryDirectory()
        for (name, text) in files { try directory.write("Fixtures/\(name)", text) }
        let command = try Command(
            line: [
                "/bin/sh", "-c", #"cd "$1" && exec "$0" check Fixtures --format "$2""#,
                try Command.executable("mockapi"),
                directory.path, format,
            ])
        return (try await command.exitCode(), command.output)
    }

    @Test func `json has each finding as data`() async throws {
        let (code, output) = try await check(files, format: "json")
        #expect(code == 1)
        #expect(
            output == #"""
                {
                  "directory": "Fixtures",
                  "stubs": 0,
                  "files": 1,
                  "findings": [
                    {
                      "severity": "warning",
                      "kind": "fixture",
                      "path": "Fixtures/c.png",
                      "line": null,
                      "column": null,
                      "pointer": "",
                      "text": "the media type is image/png, but the bytes are no PNG"
                    },
                    {
                      "severity": "error",
                      "kind": "fixture",
                      "path": "Fixtures/é,%: 1.stub.json",
                      "line": 2,
                      "column": 15,
                      "pointer": "/request/name",
                      "text": "unknown key \"name\"; it belongs to the stub itself"
                    },
                    {
                      "severity": "error",
                      "kind": "fixture",
                      "path": "Fixtures/é,%: 1.stub.json",
                      "line": 2,
                      "column": 29,
                      "pointer": "/request/urlPat",
                      "text": "unknown key \"urlPat\"; did you mean \"urlPath\"?"
                    }
                  ]
                }

                """#)
    }

    @Test func `github has a workflow command for each, escaped, with columns in characters`() async throws {
        let (code, output) = try await check(files, format: "github")
        #expect(code == 1)
        #expect(
            output == #"""
                ::warning file=Fixtures/c.png,title=mockapi check::the media type is image/png, but the bytes are no PNG
                ::error file=Fixtures/é%2C%25%3A 1.stub.json,line=2,col=15,title=mockapi check::unknown key "name"; it belongs to the stub itself (/request/name)
                ::error file=Fixtures/é%2C%25%3A 1.stub.json,line=2,col=28,title=mockapi check::unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)

                """#)
    }

    @Test func `what is more than github shows stands in the log, and nothing in it is a command`() async throws {
        let keys = (0..<12).map { "\"k\($0)\\n::set-output name=a::b\": 1" } + ["\"##[error]x\": 1"]
        let (_, output) = try await check(
            ["::add-mask::.stub.json": "{\"response\": {\(keys.joined(separator: ", "))}}"], format: "github")
        let lines = output.split(separator: "\n")
        #expect(lines.count == 14)
        #expect(
            lines.prefix(10).allSatisfy {
                $0.hasPrefix("::error file=Fixtures/%3A%3Aadd-mask%3A%3A.stub.json,line=1,col=")
            })
        #expect(
            lines[10]
                == "::notice title=mockapi check::13 findings, of which GitHub shows 10; the log has the others")
        #expect(
            lines.suffix(3).allSatisfy { $0.hasPrefix("- Fixtures/::add-mask::.stub.json:1:") && !$0.contains("##[") })
    }

    @Test func `sarif is SARIF 2_1_0, with references for paths and columns in characters`() async throws {
        let (code, output) = try await check(files, format: "sarif")
        #expect(code == 1)
        let log = try JSONParser.parse(output)
        #expect(log["version"]?.string == "2.1.0")
        #expect(log["$schema"]?.string == "https://json.schemastore.org/sarif-2.1.0.json")
        let run = try #require(log["runs"]?.array?.first)
        #expect(run["columnKind"]?.string == "unicodeCodePoints")
        #expect(run["tool"]?["driver"]?["name"]?.string == "mockapi")
        #expect(
            run["tool"]?["driver"]?["rules"]?.array?.compactMap { $0["id"]?.string } == [
                "fixture", "secret", "recording",
            ])
        let results = try #require(run["results"]?.array)
        #expect(results.map { $0["level"]?.string } == ["warning", "error", "error"])
        let expected = #"""
            {"ruleId":"fixture","level":"error","message":{"text":"unknown key \"urlPat\"; did you mean \"urlPath\"?"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"Fixtures/%C3%A9%2C%25%3A%201.stub.json"},"region":{"startLine":2,"startColumn":28}},"logicalLocations":[{"fullyQualifiedName":"/request/urlPat"}]}]}
            """#
        #expect(String(decoding: JSONWriter.compact(results[2]), as: UTF8.self) == expected)
        let whole = #"{"artifactLocation":{"uri":"Fixtures/c.png"},"region":{"startLine":1}}"#
        let location = try #require(results[0]["locations"]?.array?.first?["physicalLocation"])
        #expect(String(decoding: JSONWriter.compact(location), as: UTF8.self) == whole)
    }

    @Test func `a file of an absolute path is of the scheme file, and each kind has its rule`() async throws {
        let token = "gh" + "p_" + "Zk3TqW8rXbN5mVc2LpHs7Jd9FgYa4Ue6RiOt"
        let directory = try TemporaryDirectory(["a.txt": token, ".mockapi-recording/part-1-2": ""])
        let result = try await Command.run("check", directory.path, "--format", "sarif")
        let results = try #require(try JSONParser.parse(result.output)["runs"]?.array?.first?["results"]?.array)
        #expect(results.compactMap { $0["ruleId"]?.string } == ["recording", "secret"])
        let location = results.last?["locations"]?.array?.first?["physicalLocation"]
        #expect(location?["artifactLocation"]?["uri"]?.string == "file://\(directory.path)/a.txt")
    }

    @Test(arguments: [("text", ""), ("github", ""), ("json", "\"findings\": []"), ("sarif", "\"results\": []")])
    func `without findings each exits 0`(format: String, part: String) async throws {
        let (code, output) = try await check(["a.txt": "a"], format: format)
        #expect(code == 0)
        #expect(part.isEmpty ? output.isEmpty : output.contains(part))
    }
}
