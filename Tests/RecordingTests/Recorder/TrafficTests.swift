// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Many exchanges as apps have them, recorded, served and recorded again.
@Suite(.supervised) struct TrafficTests {
    private static let count = Thoroughness.rounds(100, thorough: 1_000)

    /// Records calls in one session.
    ///
    /// - Parameter count: how many answers are written together.
    private func record(
        _ calls: [Traffic.Call], into directory: TemporaryDirectory, together count: Int = 1
    ) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for start in stride(from: 0, to: calls.count, by: count) {
                let exchanges = try calls[start..<min(start + count, calls.count)].map { call in
                    try call.answer.exchange(
                        call.method, call.target, fields: call.fields, body: call.body,
                        origin: "https://api.example.com", directory: directory.path)
                }
                outcomes += await session.recorder.record(exchanges.map { ($0, []) })
            }
            return outcomes
        }
    }

    /// A client of the served recording, which shows what it is given there in the place of what it was given when it was recorded.
    private struct Client {
        let wire: WireClient
        var given: [String: String] = [:]

        init(port: Int) throws {
            wire = try WireClient(port: port)
        }

        /// What differs in the response to a call; nil where nothing does but what was redacted.
        mutating func difference(_ call: Traffic.Call) throws -> String? {
            var head = "\(call.method) \(call.target) HTTP/1.1\r\nHost: localhost\r\n"
            for field in call.fields { head += "\(field.name): \(field.value)\r\n" }
            if !call.body.isEmpty { head += "Content-Length: \(call.body.count)\r\n" }
            for (old, new) in given { head = head.replacing(old, with: new) }
            try wire.send(Array((head + "\r\n").utf8) + call.body)
            let answer = try wire.response(isHead: call.method == "HEAD")
            let subject = "\(call.method) \(call.target)"
            if answer.status != call.answer.status { return "\(subject): \(answer.status) for \(call.answer.status)" }
            let expected = String(decoding: call.answer.body, as: UTF8.self)
            let cookie = call.answer.fields.first { $0.name == "Set-Cookie" }?.value ?? ""
            take(expected, answer.text)
            take(cookie, answer["Set-Cookie"] ?? "")
            for field in call.answer.fields where answer.all(field.name).isEmpty {
                return "\(subject): no \(field.name)"
            }
            let found = answer.text.replacing("http://localhost", with: "https://api.example.com")
            return found == expected || found.contains("redacted.") ? nil : "\(subject): \(found) for \(expected)"
        }

        private mutating func take(_ old: String, _ new: String) {
            for pattern in [/"access_token":"([^"]*)"/, /sid=([^;]*)/] {
                if let old = old.firstMatch(of: pattern)?.1, let new = new.firstMatch(of: pattern)?.1 {
                    given[String(old)] = String(new)
                }
            }
        }
    }

    @Test func `what was recorded is served as it came, and recording it again in another order changes no byte`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let traffic = Traffic(Self.count, seed: 7)
        let calls = traffic.order(1)
        let outcomes = try await record(calls, into: directory)
        #expect(outcomes.filter { $0.kind == .refused || $0.kind == .failed }.map(\.request) == [])
        try await Replay.of(directory) { replay in
            let port = replay.port
            let differences = try await blocking {
                var client = try Client(port: port)
                // Who nothing public tells from others is to send the placeholder, and does not here.
                let asked = calls.filter { call in !call.fields.contains { $0.name == "X-Api-Key" } }
                return try asked.compactMap { try client.difference($0) }
            }
            #expect(differences.count * 1_000 <= calls.count * 5, "\(differences.prefix(5))")
        }
        let before = directory.snapshot()
        for seed in UInt64(2)...3 {
            let again = try await record(traffic.order(seed), into: directory)
            #expect(again.filter { $0.kind != .unchanged }.prefix(5).map { "\($0.request): \($0.notes)" } == [])
            #expect(directory.snapshot() == before)
        }
    }

    @Test func `recorded from scratch in another order, or together, it makes the same files`() async throws {
        let traffic = Traffic(Self.count, seed: 8)
        var trees: [[String: [UInt8]]] = []
        for (order, together) in [(UInt64(1), 1), (2, 1), (3, 16)] {
            let directory = try TemporaryDirectory()
            _ = try await record(traffic.order(order), into: directory, together: together)
            trees.append(directory.snapshot())
        }
        for tree in trees.dropFirst() {
            let paths = Set(trees[0].keys).symmetricDifference(tree.keys).sorted()
            #expect(paths.isEmpty, "\(paths.prefix(8))")
            let contents = trees[0].keys.filter { tree[$0] != nil && tree[$0] != trees[0][$0] }.sorted()
            #expect(contents.isEmpty, "\(contents.prefix(8))")
        }
    }
}
