// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPWire

@Suite(.supervised) struct HTTP2LiveTests {
    private func head(
        _ status: Int = 200, _ fields: [(String, String)] = [], _ framing: ResponseHead.Framing = .chunked
    ) -> ResponseHead {
        ResponseHead(status: status, fields: fields.map { WireField($0.0, $0.1) }, framing: framing)
    }

    /// A session whose requests are answered by live responses, in the order they come.
    private func harness(_ answers: StreamedResponse..., settings: [(UInt16, UInt32)] = []) -> HTTP2SessionHarness {
        var left = answers
        return HTTP2SessionHarness(settings: settings, reply: { _ in .streamed(left.removeFirst()) })
    }

    @Test func `head, content and end go out as they come`() async {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story() == [])
        live.begin(head(201))
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 201"])
        for text in ["a", "bcd"] {
            _ = await live.send(Array(text.utf8))
            harness.wake(1)
            #expect(harness.story() == ["DATA 1 \(text.count)"])
        }
        live.finish()
        harness.wake(1)
        #expect(harness.story() == ["DATA 1 0 END"])
        #expect(harness.told == ["began 201"] && !harness.session.hasStreams)
    }

    @Test func `what is there when the request comes goes out at once, the end with the last of it`() async {
        let live = StreamedResponse()
        live.begin(head(200, [], .length(40_000)))
        _ = await live.send([UInt8](repeating: 1, count: 40_000))
        live.finish()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story() == ["HEADERS 1 200", "DATA 1 16384", "DATA 1 16384", "DATA 1 7232 END"])
    }

    @Test(arguments: [false, true]) func `trailers stand behind the content`(hasContent: Bool) async throws {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        live.begin(head())
        if hasContent { _ = await live.send(Array("ab".utf8)) }
        live.finish(trailers: [WireField("X-Sum", "1")])
        harness.wake(1)
        let frames = harness.frames()
        let reader = HeaderReader()
        try #require(frames.map(\.kind) == (hasContent ? [1, 0, 1] : [1, 1]))
        #expect(frames.map(\.endsStream) == (hasContent ? [false, false, true] : [false, true]))
        _ = reader.read(frames[0].payload)
        #expect(reader.read(frames[frames.count - 1].payload).map { "\($0.name)=\($0.value)" } == ["x-sum=1"])
    }

    @Test func `streams are independent of one another`() async {
        let first = StreamedResponse()
        let second = StreamedResponse()
        let harness = harness(first, second)
        harness.feed(.request(stream: 1, "/"), .request(stream: 3, "/"))
        second.begin(head(202))
        harness.wake(3)
        #expect(harness.story() == ["HEADERS 3 202"])
        first.begin(head(201))
        harness.wake(1)
        _ = await second.send([1])
        harness.wake(3)
        #expect(harness.story() == ["HEADERS 1 201", "DATA 3 1"])
        _ = await first.send([1, 2])
        first.finish()
        harness.wake(1)
        #expect(harness.story() == ["DATA 1 2 END"])
        second.finish()
        harness.wake(3)
        #expect(harness.story() == ["DATA 3 0 END"])
    }

    @Test(arguments: ["fails", "ends short"])
    func `a response that is broken off ends in a reset`(how: String) async {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        live.begin(head(200, [], .length(10)))
        _ = await live.send([1, 2])
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 200", "DATA 1 2"])
        if how == "fails" { live.fail() } else { live.finish() }
        harness.wake(1)
        #expect(harness.story() == ["RST_STREAM 1 2"])
    }

    @Test func `a response that fails before its head is a reset`() {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        live.fail()
        harness.wake(1)
        #expect(harness.story() == ["RST_STREAM 1 2"])
        #expect(harness.told == ["began with nothing"])
    }

    @Test func `what is more than was announced is cut off`() async {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        live.begin(head(200, [], .length(3)))
        _ = await live.send([1, 2])
        _ = await live.send([3, 4])
        _ = await live.send([5])
        live.finish()
        harness.wake(1)
        let story = harness.story()
        #expect(story.prefix(3) == ["HEADERS 1 200", "DATA 1 2", "DATA 1 1"])
        #expect(story.dropFirst(3) == ["DATA 1 0 END"])
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `HEAD, 204 and 304 have no content`(method: String, status: Int) async {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, method, "/"))
        live.begin(head(status))
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 \(status) END"])
        #expect(await live.send([UInt8](repeating: 0, count: 2 * StreamedResponse.highWater)))
    }

    @Test func `a date that is there already is the only one`() {
        let live = StreamedResponse()
        live.begin(head(200, [("Date", "then")], .none))
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        let fields = HeaderReader().read(harness.frames()[0].payload)
        #expect(fields.filter { $0.name == "date" }.map(\.value) == ["then"])
    }

    @Test func `a whole response takes the place of a streamed one`() {
        let live = StreamedResponse()
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        live.respond(with: HTTP2SessionHarness.response(502, body: "no"))
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 502", "DATA 1 2 END"])
        #expect(harness.told == ["began 502 as a whole"])
    }

    @Test(arguments: [false, true]) func `a reset by the client reaches the producer`(hasBegun: Bool) {
        let live = StreamedResponse()
        let calls = Mutex(0)
        live.whenAbandoned { calls.withLock { $0 += 1 } }
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        if hasBegun {
            live.begin(head())
            harness.wake(1)
        }
        harness.feed(.reset(stream: 1, code: 8))
        #expect(calls.withLock { $0 } == 1)
        #expect(harness.told == [hasBegun ? "began 200" : "began with nothing", "abandoned 1 8"])
        harness.wake(1)
        #expect(!harness.session.hasStreams)
    }

    @Test func `a response that is given up is a reset, not an end`() async {
        let live = StreamedResponse()
        let harness = harness(live, StreamedResponse())
        harness.feed(.request(stream: 1, "/"), .request(stream: 3, "/"))
        live.begin(head())
        harness.wake(1)
        _ = harness.story()
        _ = await live.send([1])
        harness.wake(1)
        harness.session.giveUpStreamed()
        #expect(Set(harness.story()) == ["RST_STREAM 1 2", "RST_STREAM 3 2"])
        #expect(await live.send([1]) == false)
    }

    @Test func `work for a client that has ended its side hears of it, and its response goes on`() {
        let live = StreamedResponse(outlastsClientEnd: true)
        let calls = Mutex(0)
        live.whenClientEnds { calls.withLock { $0 += 1 } }
        let harness = harness(live)
        harness.feed(.request(stream: 1, "/"))
        harness.session.giveUpStreamed(isHalfClosed: true)
        #expect(calls.withLock { $0 } == 1)
        live.respond(with: HTTP2SessionHarness.response(200, body: "late"))
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 200", "DATA 1 4 END"])
    }

    @Test func `no more is taken than the window lets through, and only then has the client stalled`() async {
        let live = StreamedResponse()
        let harness = harness(live, settings: [(4, 10)])
        harness.feed(.request(stream: 1, "/"))
        live.begin(head())
        harness.wake(1)
        #expect(harness.story() == ["HEADERS 1 200"])
        harness.advance(milliseconds: 60_000)
        #expect(harness.session.awaitsProducer && !harness.session.hasStalled(since: harness.now))
        _ = await live.send([UInt8](repeating: 1, count: 10))
        harness.wake(1)
        #expect(harness.story() == ["DATA 1 10"])
        _ = await live.send([UInt8](repeating: 1, count: 5))
        harness.wake(1)
        #expect(harness.story() == [] && live.waiting == 5)
        #expect(!harness.session.hasStalled(since: harness.now))
        #expect(!harness.session.awaitsProducer && harness.session.hasStalled(since: harness.now + 1))
        harness.feed(.windowUpdate(stream: 1, 10))
        #expect(harness.story() == ["DATA 1 5"])
    }
}
