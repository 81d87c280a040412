// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi run --faults`: what is lost, and what is done twice.
@Suite(.supervised) struct LossTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/o.stub.json": """
            {"request": {"method": "POST", "urlPath": "/orders"}, "response": {"status": 201, "jsonBody": {"id": 7}}}
            """,
            "f/a.json": "{}",
        ])
    }

    private static func cells(
        _ directory: TemporaryDirectory, _ options: [String], _ script: String
    ) async throws -> (code: Int32, cells: [JSONNode]) {
        let end = try await Command.run(
            ["run", "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl"] + options
                + ["--", "/bin/sh", "-c", script])
        return (
            end.code,
            try directory.bytes("r.jsonl").split(separator: 10).map { try JSONParser.parse(Array($0)) }
        )
    }

    @Test func `another request to the same stub makes no loss good`() async throws {
        let directory = try Self.fixtures()
        let (code, cells) = try await Self.cells(
            directory, ["--fault", "reset", "--fault", "500"],
            "for n in 1 2; do curl -s -o /dev/null -d n=$n {url}/orders; done; true")
        #expect(code == 1)
        #expect(cells.map { $0["verdict"]?.string } == ["fooled", "fooled"])
        #expect(cells.map { $0["hit"]?.string } == ["1. POST /orders", "1. POST /orders"])
        #expect(cells.allSatisfy { $0["madeGoodBy"] == nil })
        let again = try await Self.cells(
            directory, ["--fault", "500"],
            "for n in 1 2; do curl -sf -o /dev/null -d n=$n {url}/orders || curl -sf -o /dev/null -d n=$n {url}/orders; done"
        )
        #expect(again.code == 0)
        #expect(again.cells.map { $0["verdict"]?.string } == ["survived"])
        #expect(again.cells.map { $0["madeGoodBy"]?.string } == ["2. POST /orders"])
    }

    @Test(arguments: ["truncated", "reset-in-body", "timeout", "empty"])
    func `what was done and is asked for again without a key is done twice`(fault: String) async throws {
        let directory = try Self.fixtures()
        let ask = "curl -s -m 1 -d n=1 {url}/orders"
        let script: (String) -> String = { "\(ask) \($0) | grep -q id.*7} || \(ask) \($0) > /dev/null" }
        let twice = try await Self.cells(directory, ["--fault", fault], script(""))
        #expect(twice.code == 1)
        #expect(twice.cells.map { $0["verdict"]?.string } == ["duplicated"])
        let keyed = try await Self.cells(directory, ["--fault", fault], script("-H 'Idempotency-Key: k1'"))
        #expect(keyed.code == 0)
        #expect(keyed.cells.map { $0["verdict"]?.string } == ["survived"])
    }

    @Test func `a cell that was not asked for is undecided`() async throws {
        let directory = try Self.fixtures()
        let (code, cells) = try await Self.cells(
            directory, ["--fault", "500", "--at", "a.json"],
            #"test -e "\#(directory.path)/once" || curl -s {url}/a; touch "\#(directory.path)/once""#)
        #expect(code == 1)
        #expect(cells.map { $0["verdict"]?.string } == ["undecided"])
    }
}
