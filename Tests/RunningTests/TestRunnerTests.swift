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

/// Test runners as they are, of several languages, below `run`, its shards, faults and `needs`.
@Suite(.supervised) struct TestRunnerTests {
    private static func has(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Tests of one request each, which take a failure for one, in a folder of their own.
    private static func directory(_ files: [String: String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(["f/a.json": #"{"id": "1", "name": "x"}"#])
        for (name, text) in files { try directory.write(name, text) }
        return directory
    }

    private func expect(_ line: String, in directory: TemporaryDirectory, findsNeeds: Bool) async throws {
        let run = { (command: String, options: [String]) in
            try await Command.run(
                [command, "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl"] + options
                    + ["--", "/bin/sh", "-c", "cd '\(directory.path)' && \(line)"])
        }
        let shards = try await run("run", ["--parallel", "2"])
        #expect(shards.code == 0, "\(shards.output)\(shards.errors)")
        #expect(shards.errors.contains("  2 requests, 2 matched · 1 of 1 file used"), "\(shards.errors)")
        let faults = try await run("run", ["--fault", "500", "--fault", "slow"])
        #expect(faults.code == 0, "\(faults.errors)")
        let cells = try directory.bytes("r.jsonl").split(separator: 10).map { try JSONParser.parse(Array($0)) }
        #expect(cells.map { $0["verdict"]?.string } == ["survived", "survived"])
        #expect(cells[0]["seen"]?.string?.hasPrefix("exit ") == true && cells[1]["seen"]?.string == "exit 0")
        guard findsNeeds else { return }
        let needs = try await run("needs", ["--jobs", "2"])
        #expect(needs.output.hasPrefix("  a.json   needs 1 of 2 fields: /id string (1), status"), "\(needs.errors)")
    }

    @Test func `a script with curl`() async throws {
        let directory = try Self.directory([
            "check.sh": #"set -e; curl -sf -o answer "$MOCKAPI_URL/a"; grep -q '"id": *"1"' answer"#
        ])
        let own = "mkdir -p $$ && cd $$ && sh ../check.sh"
        try await expect(own, in: directory, findsNeeds: true)
    }

    @Test func `Python's unittest`() async throws {
        let directory = try Self.directory([
            "test_client.py": """
            import json, os, unittest, urllib.request
            class Test(unittest.TestCase):
                def test(self):
                    answer = urllib.request.urlopen(os.environ["MOCKAPI_URL"] + "/a")
                    self.assertEqual(json.load(answer)["id"], "1")
            """
        ])
        try await expect("python3 -B -m unittest -q", in: directory, findsNeeds: Thoroughness.isThorough)
    }

    @Test(.enabled(if: has("node"), "node is not installed"))
    func `Node's test runner`() async throws {
        let directory = try Self.directory([
            "client.mjs": """
            import test from "node:test"; import assert from "node:assert";
            test("a", async () => {
                const answer = await fetch(process.env.MOCKAPI_URL + "/a");
                assert.ok(answer.ok);
                assert.equal((await answer.json()).id, "1");
            });
            """
        ])
        try await expect("node --test client.mjs", in: directory, findsNeeds: Thoroughness.isThorough)
    }

    @Test(.enabled(if: has("go"), "go is not installed"))
    func `Go's test`() async throws {
        let directory = try Self.directory([
            "client_test.go": """
            package client
            import ("encoding/json"; "net/http"; "os"; "testing")
            func Test(t *testing.T) {
                answer, err := http.Get(os.Getenv("MOCKAPI_URL") + "/a")
                if err != nil || answer.StatusCode != 200 { t.Fatal(err) }
                var item struct{ ID string }
                if json.NewDecoder(answer.Body).Decode(&item); item.ID != "1" { t.Fatal(item) }
            }
            """
        ])
        try await expect("go test -count=1 -vet=off client_test.go", in: directory, findsNeeds: Thoroughness.isThorough)
    }

    @Test(.enabled(if: has("swift") && Thoroughness.isThorough, "it builds a package, and is for nights"))
    func `swift test`() async throws {
        let directory = try Self.directory([
            "Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Client", targets: [.testTarget(name: "ClientTests")])
            """,
            "Tests/ClientTests/ClientTests.swift": """
            import Foundation
            import Testing
            #if canImport(FoundationNetworking)
                import FoundationNetworking
            #endif

            struct Item: Decodable { var id: String }

            @Test func item() async throws {
                let url = try #require(ProcessInfo.processInfo.environment["MOCKAPI_URL"])
                let (data, answer) = try await URLSession.shared.data(from: URL(string: url + "/a")!)
                #expect((answer as? HTTPURLResponse)?.statusCode == 200)
                #expect(try JSONDecoder().decode(Item.self, from: data).id == "1")
            }
            """,
        ])
        let build = "swift build --build-tests --package-path '\(directory.path)'"
        let built = try await Command(line: ["/bin/sh", "-c", build]).end()
        try #require(built.code == 0, "\(built.output)\(built.errors)")
        try await expect("swift test --skip-build --disable-xctest", in: directory, findsNeeds: true)
    }
}
