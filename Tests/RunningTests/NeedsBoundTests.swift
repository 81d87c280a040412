// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Synchronization
import Testing

@testable import MockapiRunning

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many runs the search for needs takes, with clients that are functions.
@Suite(.supervised) struct NeedsBoundTests {
    /// Parts of a response, and what a client fails of.
    private struct Client {
        static let ofClosedSets: Set<NeedsSearch.Question> = [.unknownString, .otherStatusOfClass, .unknownLine]

        let parts: [ResponseParts.Part]
        var failing: [String: Set<NeedsSearch.Question>] = [:]

        init(fields: Int, lines: Int, status: Bool = true) throws {
            let members = (0..<fields).map { #""f\#($0)": \#($0 % 3 == 2 ? "17" : "\"word\"")"# }
            var places = FieldPlaces()
            places.add(try JSONParser.parse("{\(members.joined(separator: ", "))}"))
            var parts = places.places.map { ResponseParts.Part(kind: .field($0), response: 0) }
            if status { parts.append(ResponseParts.Part(kind: .status([200]), response: 0)) }
            parts += (0..<lines).map { ResponseParts.Part(kind: .line("X-\($0)", values: ["v"]), response: 0) }
            self.parts = parts
        }

        /// Makes it need some of the parts, in ways of which each part has its own.
        mutating func need(_ indices: [Int], _ generator: inout some RandomNumberGenerator) {
            for part in indices.map({ parts[$0] }) {
                let ways: [Set<NeedsSearch.Question>] =
                    switch part.kind {
                    case .field(let place):
                        [[.withoutField, .nullField, .otherType], [.withoutField], [.nullField], [.otherType]]
                            + (place.strings.isEmpty ? [] : [[.withoutField, .unknownString], [.unknownString]])
                    case .status: [[.otherStatus], [.otherStatus, .otherStatusOfClass]]
                    case .list: [[.shorterList]]
                    case .line: [[.withoutLine], [.unknownLine], [.withoutLine, .unknownLine]]
                    }
                failing[part.path] = ways.randomElement(using: &generator)
            }
        }

        /// What is to be found, in the words of the results.
        var expected: [String] {
            parts.map { part in
                let failing = failing[part.path] ?? []
                let isClosed = !failing.isDisjoint(with: Self.ofClosedSets)
                let isNeeded = !failing.isSubset(of: Self.ofClosedSets)
                return "\(part.path) \(isNeeded)\(isClosed ? " closed" : "")" + Self.words(part, failing)
            }
        }

        /// Whether a field that is needed may be missing, and whether any may be null, which is asked of those that may be missing.
        private static func words(_ part: ResponseParts.Part, _ failing: Set<NeedsSearch.Question>) -> String {
            guard case .field = part.kind, !failing.contains(.withoutField) else { return "" }
            let isOptional = failing.contains(.nullField) || failing.contains(.otherType)
            return (isOptional ? " optional" : "") + (failing.contains(.nullField) ? " not null" : "")
        }

        func search(jobs: Int = 1) async throws -> (found: [String], runs: Int) {
            let failing = failing
            let bench = NeedsBench(parts, limits: .init(jobs: jobs)) { changed, question in
                .exit(changed.contains { failing[$0.path]?.contains(question) ?? false } ? 1 : 0)
            }
            try await bench.decide()
            let results = await bench.results
            let found = results.map { part in
                "\(part.path) \(part.need == .needed ? "true" : part.need == .notNeeded ? "false" : "\(part.need)")"
                    + (part.closedSet == nil ? "" : " closed") + (part.isOptional ? " optional" : "")
                    + (part.isNullable ? "" : " not null")
            }
            return (found, await bench.count)
        }

        /// 3 · k · log2 n + 10, where a closed set counts beside the part that has it.
        var bound: Int {
            let fields = parts.count { if case .field = $0.kind { true } else { false } }
            let found = failing.values.reduce(0) { found, failing in
                let closed = failing.intersection(Self.ofClosedSets)
                return found + (closed.isEmpty ? 0 : 1) + (closed == failing ? 0 : 1)
            }
            return Int(3 * Double(max(1, found)) * log2(Double(fields)) + 10)
        }
    }

    @Test func `what is needed is found exactly, within as many runs as are promised`() async throws {
        var generator = SplitMix(seed: 20)
        for round in 0..<Thoroughness.rounds(100, thorough: 10_000) {
            let fields = round % 4 == 0 ? round / 4 % 8 + 1 : Int.random(in: 1...64, using: &generator)
            let lines = Int.random(in: 0...(fields == 1 ? 1 : 3), using: &generator)
            var client = try Client(fields: fields, lines: lines)
            let most = round % 2 == 0 ? min(5, client.parts.count) : client.parts.count
            let count = Int.random(in: 0...most, using: &generator)
            client.need(Array(client.parts.indices.shuffled(using: &generator).prefix(count)), &generator)
            let (found, runs) = try await client.search()
            #expect(found == client.expected)
            #expect(
                runs <= client.bound,
                "\(runs) runs of \(client.bound): \(fields) fields, \(lines) lines, \(client.failing)")
        }
    }

    @Test func `each client of one field is found in ten runs`() async throws {
        let ofField: [Set<NeedsSearch.Question>] = [
            [], [.withoutField], [.nullField], [.otherType], [.unknownString], [.withoutField, .unknownString],
            [.nullField, .unknownString], [.otherType, .unknownString],
        ]
        let ofLine: [Set<NeedsSearch.Question>] = [[], [.withoutLine], [.unknownLine], [.withoutLine, .unknownLine]]
        for field in ofField {
            for status in [[], [.otherStatus], [.otherStatus, .otherStatusOfClass]] as [Set<NeedsSearch.Question>] {
                for line in ofLine {
                    var client = try Client(fields: 1, lines: 1)
                    client.failing = ["/f0": field, "status": status, "header:X-0": line]
                    let (found, runs) = try await client.search()
                    #expect(found == client.expected)
                    #expect(runs <= 10, "\(runs) runs: \(client.failing)")
                }
            }
        }
    }

    @Test func `several runs at once find the same`() async throws {
        var generator = SplitMix(seed: 21)
        for _ in 0..<Thoroughness.rounds(40, thorough: 4000) {
            var client = try Client(fields: Int.random(in: 1...64, using: &generator), lines: 2)
            let count = Int.random(in: 0...8, using: &generator)
            client.need(Array(client.parts.indices.shuffled(using: &generator).prefix(count)), &generator)
            #expect(try await client.search(jobs: 3).found == client.expected)
        }
    }
}
