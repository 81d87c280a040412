// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi needs`: what clients of known appetite need.
@Suite(.supervised) struct NeedsTests {
    private static let body =
        #"{"data":[{"id":"1","kind":"article","title":"A","n":3},{"id":"2","kind":"image","title":"B","n":4}],"meta":{"total":2,"next":null}}"#

    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/a.stub.json": """
            {
              "request": { "method": "GET", "urlPath": "/a" },
              "response": {
                "status": 200,
                "headers": ["Content-Type: application/json", "ETag: \\"1\\""],
                "bodyFile": "a.json"
              }
            }

            """,
            "f/a.json": body, "f/p.json": #"{"id": 1, "name": "x"}"#,
        ])
    }

    private static func run(
        _ directory: TemporaryDirectory, _ options: [String], _ script: String
    ) async throws -> Command.End {
        try await Command.run(["needs", "\(directory.path)/f"] + options + ["--", "/bin/sh", "-c", script])
    }

    /// Reads the articles' ids by a pattern, and looks at nothing else.
    private static let readsOneField = #"curl -sf {url}/a | grep -q '"id":"[0-9]"'"#

    @Test func `what may be missing or null, and not of another type, is optional`() async throws {
        let directory = try TemporaryDirectory(["f/p.json": #"{"id": 1, "subtitle": "x"}"#])
        try directory.write(
            "client.py",
            """
            import json, os, urllib.request
            value = json.load(urllib.request.urlopen(os.environ["MOCKAPI_URL"] + "/p"))
            subtitle = value.get("subtitle")
            assert subtitle is None or isinstance(subtitle, str)
            """)
        let end = try await Self.run(
            directory, ["--write"], "/usr/bin/python3 \"\(directory.path)/client.py\"")
        #expect(end.code == 0, "\(end.errors)")
        let contract = try JSONParser.parse(directory.bytes("f/p.contract.json"))
        #expect(contract["/subtitle"]?["optional"]?.bool == true, "\(directory.text("f/p.contract.json"))")
        #expect(contract["/id"]?["needed"]?.bool == false)
        let before = directory.bytes("f/p.contract.json")
        _ = try await Self.run(directory, ["--write"], "/usr/bin/python3 \"\(directory.path)/client.py\"")
        #expect(directory.bytes("f/p.contract.json") == before)
    }

    @Test func `a client of one field needs one field, the status, and not many runs`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(directory, ["--json", "\(directory.path)/r.jsonl", "--write"], Self.readsOneField)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output == "  a.stub.json   needs 1 of 6 fields: /data/*/id string, status   does not mind: 5\n")
        #expect(
            directory.text("f/a.stub.json") == """
                {
                  "request": { "method": "GET", "urlPath": "/a" },
                  "response": {
                    "status": 200,
                    "headers": ["Content-Type: application/json", "ETag: \\"1\\""],
                    "bodyFile": "a.json"
                  },
                  "contract": {
                    "/data/*/id": {"needed": true, "type": "string"},
                    "/data/*/kind": {"needed": false},
                    "/data/*/title": {"needed": false},
                    "/data/*/n": {"needed": false},
                    "/meta/total": {"needed": false},
                    "/meta/next": {"needed": false},
                    "status": {"needed": true, "type": "integer"},
                    "header:Content-Type": {"needed": false},
                    "header:ETag": {"needed": false}
                  }
                }

                """)
        let runs = end.errors.split(separator: " ").first.flatMap { Int($0) } ?? .max
        // 3 · k · log2 n + 10, with k = 2 and n = 6.
        #expect(runs <= 25)
        let written = directory.text("f/a.stub.json")
        let again = try await Self.run(directory, ["--write"], Self.readsOneField)
        #expect(again.code == 0)
        #expect(!again.errors.contains("wrote"))
        #expect(directory.text("f/a.stub.json") == written)
        #expect(try await Command.run("check", "\(directory.path)/f").code == 0)
    }

    @Test func `closed sets, lines and a plain file are found, too`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "client.py",
            """
            import json, os, urllib.request
            answer = urllib.request.urlopen(os.environ["MOCKAPI_URL"] + "/a")
            assert answer.headers.get_content_type() == "application/json"
            for item in json.load(answer)["data"]:
                {"article": 1, "image": 2}[item["kind"]]
                item["n"] + 1
            assert json.load(urllib.request.urlopen(os.environ["MOCKAPI_URL"] + "/p"))["name"]
            """)
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--write", "--jobs", "2", "--", "/usr/bin/python3",
            "\(directory.path)/client.py")
        #expect(end.code == 0, "\(end.errors)")
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "  a.stub.json   needs 2 of 6 fields: /data/*/kind string (article, image), /data/*/n integer, status,"
                    + " header:Content-Type = application/json   does not mind: 4",
                "  p.json        needs 1 of 2 fields: /name string, status   does not mind: 1",
            ])
        #expect(
            directory.text("f/p.contract.json") == """
                {
                  "/id": {"needed": false},
                  "/name": {"needed": true, "type": "string"},
                  "status": {"needed": true, "type": "integer"},
                  "header:Content-Type": {"needed": false}
                }

                """)
        // The contract is not a fixture.
        let served = try await Command.run(
            "run", "\(directory.path)/f", "-q", "--", "curl", "-s", "-o", "/dev/null", "{url}/p.contract.json")
        #expect(served.code == 1)
        #expect(try await Command.run("check", "\(directory.path)/f").code == 0)
    }

    @Test(arguments: [
        // Takes whatever comes.
        ("for item in answer.get('data', []): print(item.get('id'))", []),
        // Reads by index, and nothing but the first.
        ("assert answer['data'][0]['title'].strip()", ["/data/*/title"]),
        // Takes null, but no missing member and no other type.
        (
            "assert all(item['n'] is None or type(item['n']) is int for item in answer['data'])", ["/data/*/n"]
        ),
        // Counts on a number that may be left out.
        ("answer['meta'].get('total', 0) + 1", ["/meta/total"]),
        // Knows two kinds, and may do without.
        (
            "for item in answer['data']: {'article': 1, 'image': 2, None: 3}[item.get('kind')]", ["/data/*/kind enum"]
        ),
        // Decodes all of it.
        (
            """
            for item in answer['data']: assert [type(item[k]) for k in ('id', 'kind', 'title', 'n')] == [str, str, str, int]
            assert type(answer['meta']['total']) is int and answer['meta']['next'] is None
            """,
            ["/data/*/id", "/data/*/kind", "/data/*/title", "/data/*/n", "/meta/total", "/meta/next"]
        ),
    ])
    func `a client's appetite is found as it is`(code: String, expected: [String]) async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "client.py",
            "import json, os, urllib.request\nanswer = json.load(urllib.request.urlopen(os.environ['MOCKAPI_URL'] + '/a'))\n"
                + code + "\n")
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl", "--jobs", "2", "--",
            "/usr/bin/python3",
            "\(directory.path)/client.py")
        #expect(end.code == 0, "\(end.errors)")
        let found = try Self.needed(in: directory)
        // urllib takes no status that is a failure.
        #expect(found == expected + ["status"])
        let runs = end.errors.split(separator: " ").first.flatMap { Int($0) } ?? .max
        #expect(runs <= 3 * found.count * 3 + 10, "\(runs) runs for \(found.count) of 6")
    }

    @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0, "node is not installed"))
    func `so it is in JavaScript`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "client.mjs",
            """
            const answer = await (await fetch(process.env.MOCKAPI_URL + "/a")).json();
            for (const item of answer.data) {
                if (!["article", "image"].includes(item.kind)) throw item.kind;
                item.title.trim();
            }
            """)
        try await Self.run(directory, ["/usr/bin/node", "\(directory.path)/client.mjs"])
        #expect(try Self.needed(in: directory) == ["/data/*/kind enum", "/data/*/title"])
    }

    @Test(.enabled(if: access("/usr/bin/go", X_OK) == 0, "go is not installed"))
    func `so it is in Go`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "client.go",
            """
            package main
            import ("encoding/json"; "net/http"; "os")
            func main() {
                answer, err := http.Get(os.Getenv("MOCKAPI_URL") + "/a")
                if err != nil { os.Exit(1) }
                var page struct { Data []struct { ID string; N int } }
                if json.NewDecoder(answer.Body).Decode(&page) != nil { os.Exit(2) }
                for _, item := range page.Data { if item.ID == "" { os.Exit(3) } }
            }
            """)
        let client = "\(directory.path)/client"
        let built = try await Command(line: ["/usr/bin/go", "build", "-o", client, "\(client).go"]).end()
        try #require(built.code == 0, "\(built.errors)")
        try await Self.run(directory, [client])
        #expect(try Self.needed(in: directory) == ["/data/*/id", "/data/*/n"])
    }

    private static func run(_ directory: TemporaryDirectory, _ words: [String]) async throws {
        let end = try await Command.run(
            ["needs", "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl", "--jobs", "2", "--"] + words)
        #expect(end.code == 0, "\(end.errors)")
    }

    /// What a report says is needed, and which of it is a closed set.
    private static func needed(in directory: TemporaryDirectory) throws -> [String] {
        try directory.bytes("r.jsonl").split(separator: 10).compactMap { line -> String? in
            let node = try JSONParser.parse(Array(line))
            let contract = node["contract"]
            guard let path = node["path"]?.string, contract?["needed"]?.bool == true || contract?["enum"] != nil else {
                return nil
            }
            return path + (contract?["enum"] == nil ? "" : " enum")
        }
    }

    @Test func `what a client needs of the items of one kind alone is found`() async throws {
        let directory = try Self.fixtures()
        // With all fields gone no item is of the kind, and nothing of it is missed.
        try directory.write(
            "client.py",
            """
            import json, os, urllib.request
            answer = json.load(urllib.request.urlopen(os.environ["MOCKAPI_URL"] + "/a"))
            for item in answer["data"]:
                if item.get("kind") == "article": assert item["title"]
            """)
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--", "/usr/bin/python3", "\(directory.path)/client.py")
        #expect(end.output.contains("needs 1 of 6 fields: /data/*/title string, status"), "\(end.output)\(end.errors)")
        let runs = end.errors.split(separator: " ").first.flatMap { Int($0) } ?? .max
        // 3 · k · log2 n + 10, with k = 2 and n = 6.
        #expect(runs <= 25)
    }

    @Test func `the fields of a template are changed as others are`() async throws {
        let directory = try TemporaryDirectory([
            "f/t.stub.json": """
            {"request": {"urlPathTemplate": "/t/{id}"}, "response": {
              "headers": ["X-Id: {{request.path.id}}", "Content-Type: application/json", "X-Too: {{request.path.id}}"],
              "body": "{\\"id\\": \\"{{request.path.id}}\\", \\"name\\": \\"x\\"}", "transformers": ["response-template"]}}
            """
        ])
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--", "/bin/sh", "-c",
            #"curl -si {url}/t/5 > "$0"; grep -q '"id":.*"5"' "$0" && grep -q 'X-Too: 5' "$0""#, "\(directory.path)/o")
        #expect(
            end.output
                == "  t.stub.json   needs 1 of 2 fields: /id string, header:X-Too = {{request.path.id}}   does not mind: 1\n",
            "\(end.errors)")
    }

    @Test func `what there was no run for is undecided`() async throws {
        let directory = try Self.fixtures()
        let before = directory.snapshot()
        let end = try await Self.run(directory, ["--max-runs", "4", "--write"], Self.readsOneField)
        #expect(end.code == 1)
        #expect(end.output.contains("undecided: /data/*/id"))
        #expect(end.errors.contains("error: a limit was reached before all was decided\n"))
        #expect(directory.snapshot() == before)
    }

    @Test func `a flaky command is noticed, and one that fails by itself`() async throws {
        let directory = try Self.fixtures()
        let flaky = try await Self.run(
            directory, ["--write"],
            #"test -e "\#(directory.path)/x" && { rm "\#(directory.path)/x"; exit 1; }; touch "\#(directory.path)/x"; curl -sf -o /dev/null {url}/a"#
        )
        #expect(flaky.code == 4)
        #expect(
            flaky.errors.contains("error: the command is flaky: after 2 runs it failed (exit 1) with nothing changed"))
        // It fails for nothing each seventh time.
        let seventh = try await Self.run(
            directory, [],
            #"echo >> "\#(directory.path)/n"; curl -sf -o /dev/null {url}/a; test $(($(wc -l < "\#(directory.path)/n") % 7)) -ne 0"#
        )
        #expect(seventh.code == 4)
        #expect(seventh.errors.contains("error: the command is flaky: after "), "\(seventh.errors)")
        let failing = try await Self.run(directory, [], "echo broken; exit 5")
        #expect(failing.code == 5)
        #expect(failing.errors.hasPrefix("broken\nerror: the command fails with the fixtures as they are (exit 5)"))
    }

    @Test func `what a person has written in a contract stays`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "f/p.contract.json", #"{"/name": {"needed": false, "format": "word"}, "/gone": {"ignore": true}}"#)
        let end = try await Self.run(directory, ["--write", "-q"], #"curl -sf {url}/p | grep -q '"name": *"'"#)
        #expect(end.code == 0, "\(end.errors)")
        let contract = try JSONParser.parse(directory.bytes("f/p.contract.json"))
        #expect(contract["/name"]?["needed"]?.bool == true)
        #expect(contract["/name"]?["format"]?.string == "word")
        #expect(contract["/gone"]?["ignore"]?.bool == true)
    }

    @Test func `a contract that is none is a finding`() async throws {
        let directory = try TemporaryDirectory([
            "p.json": "{}", "p.contract.json": #"{"/id": {"need": true}}"#,
            "s.stub.json": #"{"response": {"status": 204}, "contract": {"status": {"type": "int"}}}"#,
        ])
        let end = try await Command.run("check", directory.path)
        #expect(end.code == 1)
        let findings = end.output.replacing("\(directory.path)/", with: "").split(separator: "\n")
        #expect(
            findings == [
                #"p.contract.json:1:10: error: unknown key "need"; did you mean "needed"? (/~1id/need)"#,
                #"s.stub.json:1:63: error: expected "string" or "integer" or "number" or "boolean" or "null" or "object" or "array" or a list that is not empty, found a string (/contract/status/type)"#,
            ])
    }
}
