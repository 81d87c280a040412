// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Synchronization
import Testing

/// Answers that are written together.
@Suite(.supervised) struct GroupedResponsesTests {
    private static let origin = "https://api.example.com"

    private static func captured(
        _ target: String, _ answer: Answer, in directory: TemporaryDirectory
    ) throws -> Recorder.Captured {
        (
            try answer.exchange("GET", target, fields: [], body: [], origin: origin, directory: directory.path),
            samples: []
        )
    }

    @Test func `responses that are written together are those that are written one after the other`() async throws {
        let answers: [(String, Answer)] = [
            ("/a", .json("1")), ("/b/c", .json("[1]")), ("/a", .json("2")), ("/été/x", .json("3")),
            ("/a", .json("2")), ("/b/c", .json("[1]")), ("/A", .json("4")),
            ("/big", Answer(fields: [UpstreamField("Content-Type", "image/png")], body: Self.image)),
        ]
        let together = try TemporaryDirectory()
        let apart = try TemporaryDirectory()
        let kinds = try await together.inSession { session in
            await session.recorder.record(try answers.map { try Self.captured($0.0, $0.1, in: together) }).map(\.kind)
        }
        try await apart.inSession { session in
            for (target, answer) in answers { try await session.record("GET", target, answer) }
        }
        #expect(kinds == [.new, .new, .changed, .new, .unchanged, .unchanged, .new, .new])
        #expect(together.snapshot() == apart.snapshot())
        #expect(together.bytes("big.png") == Self.image)
    }

    private static let image: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + [UInt8](repeating: 7, count: 1 << 21)

    @Test func `one that cannot be written does not keep the others from the disk`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        // What the recording does not see, since it began before.
        directory.makeFolder("b.json/x")
        let outcomes = await session.recorder.record([
            try Self.captured("/a", .json("1"), in: directory), try Self.captured("/b", .json("2"), in: directory),
            try Self.captured("/c", .json("3"), in: directory),
        ])
        #expect(outcomes.map(\.kind) == [.new, .refused, .new])
        #expect(outcomes[1].notes == ["cannot write b.json: a folder is in its place; move it away"])
        _ = await session.recorder.finish()
        directory.remove("b.json")
        #expect(directory.snapshot().keys.sorted() == ["a.json", "a.stub.json", "c.json", "c.stub.json"])
        // The name is free again.
        #expect(try await directory.record("GET", "/b", .json("2")).files == ["b.stub.json", "b.json"])
    }

    @Test func `a directory that is read while it is recorded into holds whole responses at every moment`() async throws
    {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let rounds = Thoroughness.rounds(10, thorough: 200)
        func answer(_ number: Int, _ round: Int) -> Answer {
            let type = number == 0 && round.isMultiple(of: 2) ? "text/plain" : "application/json"
            return Answer(
                fields: [UpstreamField("Content-Type", type), UpstreamField("ETag", "\"\(round)\"")],
                body: Array("[\(round)]".utf8))
        }
        for number in 0..<4 { try await session.record("GET", "/\(number)", answer(number, 0)) }
        _ = await session.recorder.finish()
        let hasEnded = Atomic(false)
        async let faults = blocking {
            try Self.faults(in: directory.path, until: { hasEnded.load(ordering: .relaxed) })
        }
        for round in 1...rounds {
            // Each in a session of its own, since a session makes sequences of them.
            try await directory.inSession { again in
                let group = try (0..<4).map { try Self.captured("/\($0)", answer($0, round), in: directory) }
                #expect(await again.recorder.record(group).map(\.kind) == Array(repeating: .changed, count: 4))
            }
        }
        hasEnded.store(true, ordering: .relaxed)
        #expect(try await faults == [])
    }

    /// What did not go together in a directory, as often as it can be read.
    private static func faults(in path: String, until hasEnded: () -> Bool) throws -> [String] {
        var faults: [String] = []
        while !hasEnded() {
            let set = try FixtureLoader.load(root: path)
            faults += set.findings.filter { $0.severity == .error }.map(\.description)
            faults += set.files.map { "\($0.path) has no head" }
            if set.stubs.count != 4 { faults.append("\(set.stubs.count) stubs") }
            for stub in set.stubs {
                let tag = stub.responses[0].headers.first { $0.name == "ETag" }?.value ?? ""
                guard case .bytes(let bytes) = stub.responses[0].body else { continue }
                let body = String(decoding: bytes, as: UTF8.self)
                if body != "[\(tag.filter { $0 != "\"" })]" { faults.append("\(tag) has \(body)") }
            }
        }
        return faults
    }

    @Test(arguments: [
        ["/me", "/me!", "/users", "/Users", "/users/1", "/Users/2", "/a", "/p q", "/p-q", "/p+q"],
        ["/q#1", "/q#2", "/q", "/con", "/CON", "/con_"],
    ])
    func `the same requests in any order make the same files`(targets: [String]) async throws {
        var trees: [[String: [UInt8]]] = []
        for order in [targets, targets.reversed(), targets.sorted { $0.count > $1.count }] {
            let directory = try TemporaryDirectory()
            try await directory.inSession { session in
                for target in order {
                    let parts = target.split(separator: "#")
                    let isMine = target.hasSuffix("!")
                    let fields =
                        isMine
                        ? [UpstreamField("Authorization", "Bearer abcdef0123456789")]
                        : parts.count > 1 ? [UpstreamField("Content-Type", "application/json")] : []
                    try await session.record(
                        parts.count > 1 ? "POST" : "GET",
                        String(parts[0].filter { $0 != "!" }).replacing(" ", with: "%20"),
                        fields: fields, body: parts.count > 1 ? "{\"n\": \(parts[1])}" : "", .json("\"\(target)\""))
                }
            }
            trees.append(directory.snapshot())
            #expect(try FixtureLoader.load(root: directory.path).findings.isEmpty)
        }
        #expect(trees[1] == trees[0])
        #expect(trees[2] == trees[0])
        #expect(trees[0].count == 2 * targets.count)
    }

    @Test func `what has another name at the end is told, and what was recorded before keeps its name`() async throws {
        let directory = try TemporaryDirectory()
        let token = UpstreamField("Authorization", "Bearer abcdef0123456789")
        let session = try Session(directory)
        for body in ["1", "2"] { try await session.record("GET", "/me", fields: [token], .json(body)) }
        try await session.record("GET", "/me", .json("3"))
        let outcomes = await session.recorder.finish()
        #expect(outcomes.map(\.kind) == [.renamed, .renamed])
        #expect(
            outcomes.map(\.files) == [
                ["me.stub.json", "me.json"], ["me.authorized.stub.json", "me.authorized.json", "me.authorized.2.json"],
            ])
        #expect(
            outcomes[0].notes == [
                "was me.anonymous.stub.json: the order of several requests does not decide which has the plain name"
            ])
        #expect(directory.text("me.json") == "3")
        #expect(directory.text("me.authorized.2.json") == "2")
        #expect(directory.snapshot().count == 5)
        #expect(try FixtureLoader.load(root: directory.path).files.isEmpty)
        let again = try Session(directory)
        #expect(try await again.record("GET", "/me", fields: [token], .json("1")).kind == .unchanged)
        #expect(try await again.record("GET", "/me", .json("4")).files == ["me.stub.json", "me.json"])
        try await again.record("GET", "/x", fields: [token], .json("1"))
        _ = await again.recorder.finish()
        let third = try Session(directory)
        #expect(try await third.record("GET", "/x", .json("2")).files.first == "x.anonymous.stub.json")
        #expect(await third.recorder.finish().isEmpty)
        #expect(directory.text("x.json") == "1")
    }
}
