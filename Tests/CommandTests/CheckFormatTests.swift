// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

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
                      "text": "the media type is image/png, but the bytes are not PNG"
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
                ::warning file=Fixtures/c.png,title=mockapi check::the media type is image/png, but the bytes are not PNG
                ::error file=Fixtures/é%2C%25%3A 1.stub.json,line=2,col=15,title=mockapi check::unknown key "name"; it belongs to the stub itself (/request/name)
                ::error file=Fixtures/é%2C%25%3A 1.stub.json,line=2,col=28,title=mockapi check::unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)

                """#)
    }

    @Test func `what is more than github shows stands in the log, and nothing in it is a command`() async throws {
        let keys = (0..<12).map { "\"k\($0)\\n::set-output name=a::b\": 1" } + ["\"##[error]x\": 1"]
        let (_, output) = try await check(
            ["::add-mask::.stub.json": "{\"response\": {\(keys.joined(separator: ", "))}}"], format: "github")
        let lines = output.split(separator: "\n")
        try #require(lines.count == 14)
        #expect(
            lines.prefix(10).allSatisfy {
                $0.hasPrefix("::error file=Fixtures/%3A%3Aadd-mask%3A%3A.stub.json,line=1,col=")
            })
        #expect(
            lines[10]
                == "::notice title=mockapi check::13 findings; GitHub shows 10; the log has the others")
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

    /// What the schema of SARIF 2.1.0 (OASIS, errata 01) requires of each object, and what else of it is written: it closes each against others.
    private static let shapes: [String: (required: [String], others: [String])] = [
        "log": (["version", "runs"], ["$schema"]),
        "runs": (["tool"], ["columnKind", "results", "invocations"]),
        "tool": (["driver"], []),
        "driver": (["name"], ["version", "rules"]),
        "rules": (["id"], ["shortDescription"]),
        "shortDescription": (["text"], []),
        "invocations": (["executionSuccessful"], ["toolExecutionNotifications"]),
        "toolExecutionNotifications": (["message"], ["level"]),
        "results": (["message"], ["ruleId", "level", "locations"]),
        "message": (["text"], []),
        "locations": ([], ["physicalLocation", "logicalLocations"]),
        "physicalLocation": (["artifactLocation"], ["region"]),
        "artifactLocation": (["uri"], []),
        "region": (["startLine"], ["startColumn"]),
        "logicalLocations": (["fullyQualifiedName"], []),
    ]

    /// What an object, and those in it, have that the schema does not allow, or have not.
    private static func faults(of node: JSONNode, named name: String) -> [String] {
        if let elements = node.array { return elements.flatMap { faults(of: $0, named: name) } }
        guard let object = node.object else { return [] }
        guard let shape = shapes[name] else { return ["\(name) is not expected"] }
        let names = object.members.map(\.name)
        return shape.required.filter { !names.contains($0) }.map { "\(name) has no \($0)" }
            + names.filter { !(shape.required + shape.others).contains($0) }.map { "\(name) has \($0)" }
            + object.members.flatMap { faults(of: $0.value, named: $0.name) }
    }

    @Test func `sarif has what its schema requires, and nothing that it does not know`() async throws {
        let (_, output) = try await check(files, format: "sarif")
        let log = try JSONParser.parse(output)
        #expect(Self.faults(of: log, named: "log") == [])
        let run = try #require(log["runs"]?.array?.first)
        #expect(["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"]?.string))
        for result in try #require(run["results"]?.array) {
            #expect(["none", "note", "warning", "error"].contains(result["level"]?.string))
            let location = result["locations"]?.array?.first?["physicalLocation"]
            // A reference (RFC 3986 §4.1).
            let uri = try #require(location?["artifactLocation"]?["uri"]?.string)
            #expect(uri.wholeMatch(of: #/([A-Za-z0-9._~:\/-]|%[0-9A-F]{2})+/#) != nil, "\(uri)")
        }
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

    @Test func `recordings past an age are findings`() async throws {
        func stub(_ at: String) -> String {
            #"{"request": {"urlPath": "/\#(at)"}, "response": {}, "recorded": {"from": "https://a.example", "at": "\#(at)"}}"#
        }
        let directory = try TemporaryDirectory([
            "old.stub.json": stub("2020-01-02T03:04:05Z"), "new.stub.json": stub("9999-01-02T03:04:05Z"),
        ])
        #expect(try await Command.run("check", directory.path).code == 0)
        let result = try await Command.run("check", directory.path, "--max-age", "30", "--format", "json")
        #expect(result.code == 1)
        let findings = try #require(try JSONParser.parse(result.output)["findings"]?.array)
        #expect(findings.count == 1)
        #expect(findings.first?["path"]?.string?.hasSuffix("/old.stub.json") == true)
        #expect(
            findings.first?["text"]?.string?.replacing(#/\d+ days ago/#, with: "N days ago")
                == "it was recorded N days ago, on 2020-01-02, and may be 30 days old: record it again")
        let misused = try await Command.run("check", directory.path, "--max-age=-1")
        #expect(misused.code == 64)
        #expect(misused.errors.hasPrefix("error: --max-age is a number of days, such as 90\n"))
    }

    @Test(arguments: [("text", ""), ("github", ""), ("json", "\"findings\": []"), ("sarif", "\"results\": []")])
    func `without findings each exits 0`(format: String, part: String) async throws {
        let (code, output) = try await check(["a.txt": "a"], format: format)
        #expect(code == 0)
        #expect(part.isEmpty ? output.isEmpty : output.contains(part))
    }

    @Test func `annotations and SARIF name a file from the top of the repository, wherever the command is started`()
        async throws
    {
        let directory = try TemporaryDirectory([".git/HEAD": "", "api/F/a.stub.json": #"{"response": {"x": 1}}"#])
        func output(_ line: String) async throws -> String {
            let words = [
                "/bin/sh", "-c", "cd \"$1\" && \(line)", try Command.executable("mockapi"), directory.path,
            ]
            let command = try Command(line: words)
            #expect(try await command.exitCode() == 1)
            return command.output
        }
        for fixtures in ["F", "./F", "$1/api/F"] {
            let check = "cd api && exec env -u GITHUB_WORKSPACE \"$0\" check \"\(fixtures)\" --format"
            #expect(try await output("\(check) github").hasPrefix("::error file=api/F/a.stub.json,line=1,col="))
            #expect(try await output("\(check) sarif").contains(#""uri": "api/F/a.stub.json""#))
        }
        let below = "cd api && exec env GITHUB_WORKSPACE=\"$1/api\" \"$0\" check F --format github"
        #expect(try await output(below).hasPrefix("::error file=F/a.stub.json,line=1,col="))
    }
}
