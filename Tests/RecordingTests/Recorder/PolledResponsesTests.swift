// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Many answers to one request, each another, as to who polls.
@Suite(.supervised) struct PolledResponsesTests {
    private static let origin = "https://api.example.com"

    private static func poll(
        _ number: Int, _ target: String = "/poll", in directory: TemporaryDirectory
    ) throws -> Recorder.Captured {
        let text = #"{"state": "running", "done": \#(number)}"#
        return (
            try Answer.json(text).exchange(
                "GET", target, fields: [], body: [], origin: origin, directory: directory.path), samples: []
        )
    }

    /// What was done for so many answers, all at once or each by itself.
    private static func work(_ count: Int, together: Bool) async throws -> Recorder.Work {
        let directory = try TemporaryDirectory()
        return try await directory.inSession { session in
            let polls = try (1...count).map { try poll($0, in: directory) }
            let kinds =
                if together {
                    await session.recorder.record(polls).map(\.kind)
                } else {
                    await polls.asyncMap { await session.recorder.record([$0])[0].kind }
                }
            #expect(kinds == [.new] + Array(repeating: .changed, count: count - 1))
            return await session.recorder.work
        }
    }

    @Test func `answers to one request that come together are looked through once, and their stub is written once`()
        async throws
    {
        let few = try await Self.work(20, together: true)
        let many = try await Self.work(200, together: true)
        #expect(few.stubs == 1)
        #expect(many.stubs == 1)
        // Ten times as many, of bodies and numbers that are a little longer.
        #expect(many.scanned < 11 * few.scanned)
    }

    @Test func `a response by itself is looked through without those before it`() async throws {
        let few = try await Self.work(10, together: false)
        let many = try await Self.work(100, together: false)
        #expect(many.stubs == 100)
        #expect(many.scanned < 11 * few.scanned)
    }

    @Test func `the end of a recording looks through nothing again that no secret was learnt after`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        _ = await session.recorder.record(try (1...5).map { try Self.poll($0, in: directory) })
        let late = Answer.json(
            #"{"at": "ab"}"#, UpstreamField("Set-Cookie", "sid=kX93hfPq0Zt7aLm2; Path=/"))
        // A body that was written before holds it.
        try await session.record("GET", "/before", .json(#"{"text": "kX93hfPq0Zt7aLm2"}"#))
        try await session.record("GET", "/late", late)
        let outcomes = await session.recorder.finish()
        #expect(outcomes.map(\.request) == ["before.json"])
        #expect(directory.text("before.json").contains("kX93") == false)
    }

    @Test func `answers that are written together make the files of those that are written one after the other`()
        async throws
    {
        let numbers = [1, 2, 1, 3, 3, 2, 4, 1]
        let together = try TemporaryDirectory()
        let apart = try TemporaryDirectory()
        for numbers in [numbers, [1, 5, 6], [1, 5, 7, 6, 8], [9]] {
            let kinds = try await together.inSession { session in
                await session.recorder.record(try numbers.map { try Self.poll($0, in: together) }).map(\.kind)
            }
            let others = try await apart.inSession { session in
                var kinds: [RecordingOutcome.Kind] = []
                for number in numbers {
                    kinds += await session.recorder.record([try Self.poll(number, in: apart)]).map(\.kind)
                }
                return kinds
            }
            #expect(kinds == others)
            #expect(together.snapshot() == apart.snapshot())
        }
    }

    @Test func `a recorded sequence is served as it came`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            _ = await session.recorder.record(try (1...30).map { try Self.poll($0, in: directory) })
        }
        try await Replay.of(directory) { replay in
            for number in 1...30 {
                let text = try await replay.text("GET", "/poll")
                #expect(text == "200 {\"state\": \"running\", \"done\": \(number)}")
            }
        }
    }

    @Test func `a stub that was taken away meanwhile is told, and the others are written`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            _ = await session.recorder.record([try Self.poll(1, in: directory)])
        }
        let session = try Session(directory)
        directory.remove("poll.stub.json")
        let outcomes = await session.recorder.record([
            try Self.poll(1, in: directory), try Self.poll(2, in: directory), try Self.poll(3, "/other", in: directory),
        ])
        #expect(outcomes.map(\.kind) == [.unchanged, .refused, .new])
        #expect(outcomes[1].notes == ["poll.stub.json has changed and cannot be read; mend it, or move it away"])
        _ = await session.recorder.finish()
        #expect(directory.snapshot().keys.sorted() == ["other.json", "other.stub.json", "poll.json"])
    }

    @Test func `two stubs of one file that get another response at once both have it`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            _ = await session.recorder.record([
                try Self.poll(1, "/a", in: directory), try Self.poll(2, "/b", in: directory),
            ])
        }
        let stubs = ["a", "b"].map { directory.text("\($0).stub.json") }
        try directory.write("both.stub.json", #"{"stubs": [\#(stubs.joined(separator: ",\n"))]}"#)
        for name in ["a", "b"] { directory.remove("\(name).stub.json") }
        try await directory.inSession { session in
            let outcomes = await session.recorder.record([
                try Self.poll(1, "/a", in: directory), try Self.poll(2, "/b", in: directory),
                try Self.poll(3, "/a", in: directory), try Self.poll(4, "/b", in: directory),
            ])
            #expect(outcomes.map(\.kind) == [.unchanged, .unchanged, .changed, .changed])
        }
        try await Replay.of(directory) { replay in
            for (target, number) in [("/a", 1), ("/b", 2), ("/a", 3), ("/b", 4)] {
                let text = try await replay.text("GET", target)
                #expect(text.hasSuffix("\"done\": \(number)}"))
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await body(element)) }
        return results
    }
}
