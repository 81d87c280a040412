// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiProxy
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@testable import MockapiRecording

/// Responses that are recognised as recorded when they have passed, before a recorder reads them.
@Suite(.supervised) struct RepeatedPassingTests {
    private struct Message {
        var target = "/a"
        var fields: [UpstreamField] = []
        var answer = Answer.json("{}")

        func exchange(_ directory: TemporaryDirectory) throws -> Exchange {
            try answer.exchange(
                "GET", target, fields: fields, body: [], origin: RepeatedPassingTests.origin, directory: directory.path)
        }

        func passed(_ directory: TemporaryDirectory) throws -> PassedExchange {
            let exchange = try exchange(directory)
            let request = OutgoingRequest(
                origin: try UpstreamOrigin(exchange.origin), method: exchange.method, target: exchange.target,
                fields: exchange.requestFields, body: nil)
            return PassedExchange(
                request, ReceivedHead(exchange.head), exchange.trailers, exchange.content, since: exchange.changes)
        }
    }

    private static let origin = "https://api.example.com"

    private static func messages(_ random: inout SplitMix) -> [Message] {
        var messages: [Message] = []
        while messages.count < 40 {
            var message = Message(target: random.pick(["/a", "/a", "/b?page=1"]))
            if random.below(2) == 0 { message.fields = [UpstreamField("X-Request-Id", random.pick(["1", "2"]))] }
            message.answer = .json(
                random.pick(["{\"n\":1}", "{\"n\":1}", "{\"n\":2}", "[]"]),
                UpstreamField("Date", random.pick(["Fri, 27 Nov 2026 04:00:00 GMT", "Fri, 27 Nov 2026 04:00:01 GMT"])),
                UpstreamField("X-Kind", random.pick(["a", "a", "a", "b"])))
            for _ in 0..<(1 + random.below(4)) { messages.append(message) }
        }
        return messages
    }

    @Test(arguments: 0..<24)
    func `a recording that recognises them is the same as one that reads each`(seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let first = Self.messages(&random)
        // Requests that come again in another order are known by their digests.
        let second = (Self.messages(&random) + first).shuffled(using: &random)
        let (read, recognised) = (try TemporaryDirectory(), try TemporaryDirectory())
        for messages in [first, second] {
            var kinds: [RecordingOutcome.Kind] = []
            try await read.inSession { session in
                for message in messages {
                    kinds.append(await session.recorder.record(try message.exchange(read)).kind)
                }
            }
            let report = CollectedReport(waits: random.below(2) == 0)
            try await recognised.inSession { session in
                let queue = RecordingQueue(session.recorder, report)
                for message in messages {
                    queue.add(try message.passed(recognised))
                    if random.below(3) > 0 { await queue.drain() }
                }
                await queue.drain()
            }
            for (path, bytes) in recognised.snapshot() {
                #expect(String(decoding: bytes, as: UTF8.self) == read.text(path), "\(path)")
            }
            #expect(recognised.snapshot().keys == read.snapshot().keys)
            #expect(report.outcomes.map { "\($0.kind)" }.sorted() == kinds.map { "\($0)" }.sorted())
        }
    }

    @Test func `only a response that is as it was recorded does not reach the recorder`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let report = CollectedReport(waits: false)
        let queue = RecordingQueue(session.recorder, report)
        func add(_ message: Message) async throws -> [Int] {
            queue.add(try message.passed(directory))
            await queue.drain()
            return session.recorder.repeats.takeUncounted().map(\.times)
        }
        let message = Message(fields: [UpstreamField("Accept", "*/*")])
        // The first is written, and the second read once.
        #expect(try await add(message) == [])
        #expect(try await add(message) == [])
        #expect(try await add(message) == [1])
        #expect(try await add(message) == [1])
        var other = message
        other.fields = [UpstreamField("Accept", "text/plain")]
        #expect(try await add(other) == [])
        other = message
        other.answer.status = 201
        #expect(try await add(other) == [])
        // The stub has another last response now.
        #expect(try await add(message) == [])
        #expect(report.outcomes.count == 7)
    }

    @Test func `one with a large content goes to the recorder, and leaves no file`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let queue = RecordingQueue(session.recorder, CollectedReport(waits: false))
        let large = [UInt8](repeating: 0xFE, count: ContentSpool.memoryLimit + 10)
        let message = Message(answer: Answer(fields: [UpstreamField("Content-Type", "image/png")], body: large))
        for _ in 0..<3 {
            queue.add(try message.passed(directory))
            await queue.drain()
        }
        #expect(session.recorder.repeats.takeUncounted().isEmpty)
        _ = await session.recorder.finish()
        #expect(directory.snapshot().keys.sorted() == ["a.bin", "a.stub.json"])
    }
}
