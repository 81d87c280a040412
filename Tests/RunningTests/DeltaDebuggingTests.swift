// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Synchronization
import Testing

@testable import MockapiRunning

/// The search for the changes that matter, and the changes.
@Suite(.supervised) struct DeltaDebuggingTests {
    /// Searches among n for those of which each makes the test fail, or all of a set together.
    private static func search(
        _ count: Int, _ failing: Set<Int>, together: Set<Int> = [], jobs: Int = 1
    ) async throws -> (findings: DeltaDebugging.Findings, runs: Int) {
        let runs = Mutex(0)
        let last = Mutex(DeltaDebugging.Findings())
        let search = DeltaDebugging(jobs: jobs) { changed in
            runs.withLock { $0 += 1 }
            return changed.contains(where: failing.contains)
                || !together.isEmpty && together.isSubset(of: changed)
        }
        try await search.search([Array(0..<count)]) { findings in last.withLock { $0 = findings } }
        return (last.withLock { $0 }, runs.withLock { $0 })
    }

    private static func bits(_ count: Int) -> Int { count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount }

    @Test(arguments: [1, 3]) func `those that matter are found in few runs`(jobs: Int) async throws {
        for (count, failing) in [
            (1, [0]), (31, [0]), (31, [30]), (31, [17]), (31, [0, 1, 15, 16, 30]), (31, Array(0..<31)), (100, [3, 50]),
            (31, []), (0, []),
        ] as [(Int, [Int])] {
            let (findings, runs) = try await Self.search(count, Set(failing), jobs: jobs)
            #expect(findings.failing == Set(failing))
            #expect(findings.joint.isEmpty && findings.undecided.isEmpty)
            let bound =
                jobs == 1
                ? failing.count * (Self.bits(count) + 2) + 1 : failing.count * (2 * Self.bits(count) + 2) + 1
            #expect(runs <= bound, "\(runs) runs for \(failing.count) of \(count)")
        }
    }

    @Test func `what others hide is found by changing less at once, as far as runs are left`() async throws {
        // Each of the first hides the second where both are changed.
        let hidden = [(0, 1), (3, 17), (30, 2)]
        let all = Array(0..<31)
        let found = Mutex(DeltaDebugging.Findings())
        let search = DeltaDebugging(jobs: 1) { changed in
            hidden.contains { changed.contains($0.1) && !changed.contains($0.0) }
        }
        try await search.search([all]) { findings in found.withLock { $0 = findings } }
        #expect(found.withLock { $0.failing } == [])
        let hasRuns = try await search.searchHidden(all, bit: 0, found.withLock { $0 }) {
            false
        } note: { _ in
            Issue.record("a run too many")
        }
        #expect(!hasRuns)
        for bit in 0..<6 {
            let hasMore = try await search.searchHidden(all, bit: bit, found.withLock { $0 }) {
                true
            } note: { findings in
                found.withLock { $0 = findings }
            }
            #expect(hasMore == (bit < 5))
        }
        #expect(found.withLock { $0.failing } == [1, 2, 17])
        #expect(found.withLock { $0.joint.isEmpty })
    }

    @Test func `a test that passes with what it has failed with is found out`() async throws {
        for number in [1, 2, 4, 6] {
            let runs = Mutex(0)
            // Nothing matters, and one of the first runs fails all the same, or one more beside that which matters.
            for failing in [Set<Int>(), [9]] {
                runs.withLock { $0 = 0 }
                let search = DeltaDebugging(jobs: 1) { changed in
                    let run = runs.withLock { runs in
                        runs += 1
                        return runs
                    }
                    return changed.contains(where: failing.contains) || run == number
                }
                let found = Mutex(DeltaDebugging.Findings())
                do {
                    try await search.search([Array(0..<16)]) { findings in found.withLock { $0 = findings } }
                    #expect(found.withLock { $0.failing } == failing)
                } catch is DeltaDebugging.Inconsistency {}
            }
        }
    }

    @Test func `what fails together with others alone is told apart`() async throws {
        let (findings, _) = try await Self.search(20, [4], together: [7, 12])
        #expect(findings.failing == [4])
        #expect(findings.joint == [12])
    }

    @Test func `places are told by the way to them, the items of an array as one`() throws {
        var places = FieldPlaces()
        places.add(
            try JSONParser.parse(
                #"{"data": [{"id": "1", "a/b": 1}, {"id": null, "a/b": 1.5}], "tags": ["x", "y"], "none": [], "o": {"~": true}}"#
            ))
        #expect(places.places.map(\.text) == ["/data/*/id", "/data/*/a~1b", "/tags/*", "/o/~0"])
        #expect(places.places.map(\.types) == [["string", "null"], ["number"], ["string"], ["boolean"]])
        #expect(places.places[2].strings == ["x", "y"])
    }

    @Test func `a change leaves all else as it was`() throws {
        let node = try JSONParser.parse(#"{"data": [{"id": "1", "n": 1}, {"id": "2", "n": null}], "t": ["x"]}"#)
        var places = FieldPlaces()
        places.add(node)
        let text = { (changes: [FieldChange?]) in
            let pairs = zip(places.places, changes).compactMap { place, change in change.map { (place.place, $0) } }
            let changed = node.changed(Dictionary(uniqueKeysWithValues: pairs))
            return changed.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) }
        }
        #expect(text([.remove, nil, .remove]) == #"{"data":[{"n":1},{"n":null}],"t":[]}"#)
        #expect(text([.null, .null, .null]) == #"{"data":[{"id":null,"n":null},{"id":null,"n":null}],"t":[null]}"#)
        #expect(
            text([.retype, .retype, nil]) == #"{"data":[{"id":7,"n":"mockapi"},{"id":7,"n":"mockapi"}],"t":["x"]}"#)
        #expect(
            text([.unknown, .unknown, .unknown])
                == #"{"data":[{"id":"7","n":1},{"id":"7","n":null}],"t":["mockapi-unknown"]}"#)
    }

    @Test func `an unknown value is of the same make`() {
        #expect(UnknownValue.like("2026-11-20T10:00:00Z") == "2001-11-20T10:00:00Z")
        #expect(UnknownValue.like("0b1f8f3e-54c6-4f5f-9d3c-2f0e2b1f5a10") == "0b1f8f3e-54c6-4f5f-9d3c-2f0e2b1f5a17")
        #expect(UnknownValue.like("https://example.com/a") == "https://example.com/a-mockapi")
        #expect(UnknownValue.like("1.2.3") == "1.2.7")
        #expect(UnknownValue.like("-10.7") == "-10.8")
        #expect(UnknownValue.like("article") == "mockapi-unknown")
        #expect(UnknownValue.like("/api/items?page=2") == "/api/items?page=2-mockapi")
        #expect(UnknownValue.like("Sat, 21 Nov 2026 07:00:00 GMT") == "Thu, 01 Jan 2004 00:00:00 GMT")
        #expect(UnknownValue.like("Thu, 01 Jan 2004 00:00:00 GMT") == "Fri, 02 Jan 2004 00:00:00 GMT")
        #expect(UnknownValue.like("\"v1\"") == "\"mockapi-unknown\"" && UnknownValue.like("\"") == "mockapi-unknown")
        #expect(UnknownValue.like("60") == "67")
        #expect(UnknownValue.like("s-a-b") == "s-mockapi-unknown")
        #expect(UnknownValue.like("in_progress") == "in_mockapi-unknown")
        #expect(UnknownValue.like("-a") == "mockapi-unknown" && UnknownValue.like("a b-c") == "mockapi-unknown")
        #expect(UnknownValue.like("mockapi-unknown") == "mockapi-unknown-2")
    }

    @Test func `the end of a value is found in its text`() {
        let text = Array(#"{"a": [1, {"b": "]\"}"}], "c": -1.5e3, "d": null}"#.utf8)
        let end = { (offset: Int) in
            String(decoding: text[offset..<JSONExtent.end(of: text, from: offset)], as: UTF8.self)
        }
        #expect(end(6) == #"[1, {"b": "]\"}"}]"#)
        #expect(end(0).count == text.count)
        #expect(end(16) == #""]\"}""#)
        let number = text.firstIndex(of: UInt8(ascii: "-")) ?? 0
        #expect(end(number) == "-1.5e3")
    }
}
