// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi run --coverage`: which fixtures were used, and which parts of them.
@Suite(.supervised) struct CoverageTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/a.json": "{}",
            "f/s.stub.json": """
            {
              "request": { "method": "GET", "urlPath": "/s" },
              "responses": [
                { "status": 200, "body": "1" },
                { "status": 503, "body": "2" }
              ]
            }
            """,
            "f/two.stub.json": """
            {"stubs": [
              {"request": {"urlPath": "/one"}, "response": {"status": 200}},
              {"name": "two", "request": {"urlPath": "/two"}, "response": {"status": 404}}
            ]}
            """,
        ])
    }

    private static func run(
        _ directory: TemporaryDirectory, _ options: [String], _ paths: String
    ) async throws -> Command.End {
        try await Command.run(
            ["run", "\(directory.path)/f", "-q"] + options
                + ["--", "/bin/sh", "-c", "for path in \(paths); do curl -s -o /dev/null {url}/$path; done"])
    }

    @Test func `a fixture that is never used is named once`() async throws {
        let directory = try Self.fixtures()
        for options in [[], ["--fail-under", "10"]] {
            let end = try await Command.run(
                ["run", "\(directory.path)/f"] + options + ["--", "/bin/sh", "-c", "curl -s -o /dev/null {url}/two"])
            #expect(end.errors.ranges(of: "a.json").count == 1, "\(end.errors)")
        }
    }

    @Test func `each part of a fixture is counted, and dead ones are named`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(
            directory, ["--coverage", "\(directory.path)/c.json", "--lcov", "\(directory.path)/c.info"], "s two two")
        #expect(end.code == 0)
        #expect(
            end.errors == """
                  coverage: 40 % (2 of 5 parts)
                    never used: two.stub.json:2
                    never used: a.json
                    never given: s.stub.json:5: step 2, status 503

                """)
        let stubs = try #require(try JSONParser.parse(directory.bytes("c.json"))["stubs"]?.array)
        #expect(stubs.map { $0["file"]?.string } == ["s.stub.json", "two.stub.json", "two.stub.json", "a.json"])
        #expect(stubs.map { $0["hits"]?.number?.integer } == [1, 0, 2, 0])
        #expect(stubs[0]["parts"]?.array?.map { $0["hits"]?.number?.integer } == [1, 0])
        #expect(
            directory.text("c.info") == """
                TN:mockapi
                SF:\(directory.path)/f/s.stub.json
                DA:1,1
                DA:4,1
                DA:5,0
                LF:3
                LH:2
                end_of_record
                TN:mockapi
                SF:\(directory.path)/f/two.stub.json
                DA:2,0
                DA:3,2
                LF:2
                LH:1
                end_of_record
                TN:mockapi
                SF:\(directory.path)/f/a.json
                DA:1,0
                LF:1
                LH:0
                end_of_record

                """)
    }

    @Test func `branches of scenarios and faults of rules are parts, and states that were not reached are named`()
        async throws
    {
        let directory = try TemporaryDirectory([
            "f/cart.stub.json": """
            {"stubs": [
              {"scenarioName": "cart", "requiredScenarioState": "Started", "request": {"method": "GET", "urlPath": "/cart"}, "response": {"jsonBody": []}},
              {"scenarioName": "cart", "newScenarioState": "full", "request": {"method": "POST", "urlPath": "/cart"}, "response": {"status": 201}},
              {"scenarioName": "cart", "requiredScenarioState": "full", "request": {"method": "GET", "urlPath": "/cart"}, "response": {"jsonBody": [1]}},
              {"request": {"urlPath": "/r"}, "response": {"faults": [{"fault": "CONNECTION_RESET_BY_PEER", "when": {"from": 2}}]}}
            ]}
            """
        ])
        let options = ["--coverage", "\(directory.path)/c.json", "--lcov", "\(directory.path)/c.info"]
        let some = try await Self.run(directory, options, "cart r")
        #expect(
            some.errors == """
                  coverage: 40 % (2 of 5 parts)
                    never used: cart.stub.json:3
                    never used: cart.stub.json:4
                    never given: cart.stub.json:5: fault CONNECTION_RESET_BY_PEER
                    scenario never in: cart: full

                """)
        let node = try JSONParser.parse(directory.bytes("c.json"))
        #expect(node["stubs"]?.array?.map { $0["state"]?.string } == ["Started", nil, "full", nil])
        #expect(node["stubs"]?.array?.map { $0["newState"]?.string } == [nil, "full", nil, nil])
        let states = node["scenarios"]?.array?.first?["states"]?.array ?? []
        #expect(states.map { $0["state"]?.string } == ["Started", "full"])
        #expect(states.map { $0["reached"]?.bool } == [true, false])
        #expect(directory.text("c.info").contains("BRDA:5,0,0,1\nBRDA:5,0,1,0\nBRF:2\nBRH:1\nDA:2,1\n"))
        let merged = ["--coverage-dir", "\(directory.path)/all"]
        _ = try await Self.run(directory, merged, "cart r")
        let all = try await Command.run(
            ["run", "\(directory.path)/f", "-q"] + merged + ["--fail-under", "100"]
                + [
                    "--", "/bin/sh", "-c",
                    "curl -s -X POST {url}/cart; curl -s {url}/cart; curl -s {url}/r; curl -s {url}/r; true",
                ])
        #expect(all.code == 0)
        #expect(all.errors == "  coverage: 100 % (5 of 5 parts)\n")
    }

    @Test func `runs are merged, and too little is a failure`() async throws {
        let directory = try Self.fixtures()
        let options = ["--coverage-dir", "\(directory.path)/all/c", "--fail-under", "80"]
        let first = try await Self.run(directory, options, "s one")
        #expect(first.code == 1)
        #expect(first.errors.hasSuffix("error: 40 % is less than --fail-under 80\n"))
        let second = try await Self.run(directory, options, "s two a")
        #expect(second.code == 0, "\(second.errors)")
        #expect(
            second.errors == """
                  coverage: 80 % (4 of 5 parts)
                    never given: s.stub.json:5: step 2, status 503

                """)
    }

    @Test(arguments: [
        ("f/a.json", "[]", "a"),
        ("f/s.stub.json", #"{"request": {"urlPath": "/a"}, "response": {"bodyFile": "s.txt"}}"#, "s"),
        ("f/s.txt", "other", "s"),
    ])
    func `a fixture that has changed is not used by runs of before`(
        _ file: String, _ text: String, _ path: String
    ) async throws {
        let directory = try TemporaryDirectory([
            "f/a.json": "{}", "f/s.txt": "text",
            "f/s.stub.json": #"{"request": {"urlPath": "/s"}, "response": {"bodyFile": "s.txt"}}"#,
        ])
        let options = ["--coverage-dir", "\(directory.path)/all", "--allow-no-requests"]
        let all = try await Self.run(directory, options, "a s")
        #expect(all.errors == "  coverage: 100 % (2 of 2 parts)\n")
        let same = try await Self.run(directory, options, "")
        #expect(same.errors == "  coverage: 100 % (2 of 2 parts)\n")
        try directory.write(file, text)
        let changed = try await Self.run(directory, options + ["--fail-under", "100"], "")
        #expect(changed.code == 1)
        #expect(
            changed.errors == """
                  note: earlier runs in \(directory.path)/all used 1 fixture in earlier versions, which do not count
                  coverage: 50 % (1 of 2 parts)
                    never used: \(path == "a" ? "a.json" : "s.stub.json")
                error: 50 % is less than --fail-under 100

                """)
    }

    @Test func `a file of kept coverage that cannot be read is told`() async throws {
        let directory = try TemporaryDirectory(["f/a.json": "{}", "all/1.coverage.json": #"{"stubs": ["#])
        let end = try await Self.run(directory, ["--coverage-dir", "\(directory.path)/all"], "a")
        #expect(end.code == 0)
        #expect(
            end.errors == """
                  note: \(directory.path)/all/1.coverage.json is not coverage that a run has written, and does not count: remove it
                  coverage: 100 % (1 of 1 parts)

                """)
    }
}
