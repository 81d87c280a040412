// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Each bound of `HTTP2Limits`: up to it a client is served, beyond it the connection ends with ENHANCE_YOUR_CALM (11).
@Suite(.supervised) struct HTTP2AbuseTests {
    private static let calm = "11"

    /// Whether the last frame is the GOAWAY that drops a client, and the session is over.
    private func isDropped(_ harness: HTTP2SessionHarness) -> Bool {
        let last = harness.story().last ?? ""
        return last.hasPrefix("GOAWAY ") && last.hasSuffix(" \(Self.calm)") && harness.session.isFinished
    }

    @Test func `streams beyond the number at once are refused and can be tried again`() {
        let harness = HTTP2SessionHarness(knowsSettings: false)
        for number in 0...HTTP2Limits.maxStreams {
            harness.feed(.request(stream: UInt32(2 * number + 1), "PUT", "/", endsStream: false))
        }
        #expect(harness.story().contains("RST_STREAM \(2 * HTTP2Limits.maxStreams + 1) 7"))
        harness.feed(.data(stream: 1, []))
        #expect(harness.story() == ["HEADERS 1 200", "DATA 1 2 END"])
        harness.feed(.request(stream: UInt32(2 * HTTP2Limits.maxStreams + 3), "/"))
        #expect(harness.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func `a client that opens streams beyond the number without end is dropped`(readsRefusals: Bool) {
        let harness = HTTP2SessionHarness(knowsSettings: false)
        let most = HTTP2Limits.maxStreams + HTTP2Limits.resets.size
        for number in 0...most {
            #expect(!harness.session.isFinished)
            harness.feed(.request(stream: UInt32(2 * number + 1), "PUT", "/", endsStream: false))
            if readsRefusals, number < most { _ = harness.frames() }
        }
        #expect(isDropped(harness))
        #expect(harness.dropCause == "too many streams are opened beyond the number at once")
    }

    @Test func `a client that knows how many streams it may open and opens more is dropped`() {
        let harness = HTTP2SessionHarness()
        for number in 0...HTTP2Limits.maxStreams {
            harness.feed(.request(stream: UInt32(2 * number + 1), "PUT", "/", endsStream: false))
        }
        #expect(harness.story().last == "GOAWAY \(2 * HTTP2Limits.maxStreams - 1) 1")
        #expect(harness.session.isFinished)
    }

    private func reset(_ harness: HTTP2SessionHarness, _ count: Int, from first: Int) {
        for number in first..<first + count {
            let stream = UInt32(2 * number + 1)
            harness.feed(.request(stream: stream, "PUT", "/", endsStream: false), .reset(stream: stream, code: 8))
        }
    }

    @Test func `a client that opens streams and cancels them is dropped`() {
        let harness = HTTP2SessionHarness()
        let budget = HTTP2Limits.resets
        reset(harness, budget.size, from: 0)
        #expect(!isDropped(harness))
        harness.now += 1_000_000_000
        reset(harness, budget.perSecond, from: budget.size)
        #expect(!isDropped(harness))
        reset(harness, 1, from: budget.size + budget.perSecond)
        #expect(isDropped(harness))
        #expect(harness.dropCause == "too many streams are cancelled")
    }

    @Test func `a client that has its streams reset for errors is dropped as one that cancels them`() {
        let harness = HTTP2SessionHarness()
        for number in 0...HTTP2Limits.resets.size {
            #expect(!harness.session.isFinished)
            let stream = UInt32(2 * number + 1)
            harness.feed(
                .request(stream: stream, "PUT", "/", endsStream: false), .windowUpdate(stream: stream, 0x7FFF_FFFF))
            if number < HTTP2Limits.resets.size { #expect(harness.story().contains("RST_STREAM \(stream) 3")) }
        }
        #expect(isDropped(harness))
        #expect(harness.dropCause == "too many streams are reset for errors")
    }

    @Test func `resets that a fault has are not the client's`() {
        var delivery = Delivery()
        delivery.ending = .resetStream(code: 1)
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(body: "abc", delivery) }
        for number in 0...HTTP2Limits.resets.size {
            let stream = UInt32(2 * number + 1)
            harness.feed(.request(stream: stream, "/"))
            #expect(harness.story().suffix(2) == ["HEADERS \(stream) 200", "DATA \(stream) 3"])
            harness.advance(milliseconds: 20)
            #expect(harness.story() == ["RST_STREAM \(stream) 1"])
        }
        #expect(!harness.session.isFinished)
    }

    @Test func `a client whose header section never ends is dropped`() {
        let harness = HTTP2SessionHarness()
        let block = HeaderBlock.encode([
            (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a"),
        ])
        harness.feed(HTTP2Frame(.headers, flags: HTTP2Frame.endStream, stream: 1, block))
        for number in 0..<HTTP2Limits.maxContinuations {
            harness.feed(HTTP2Frame(.continuation, stream: 1, HeaderBlock.encode([("x", "\(number)")])))
        }
        #expect(!isDropped(harness))
        harness.feed(HTTP2Frame(.continuation, stream: 1, HeaderBlock.encode([("x", "y")])))
        #expect(isDropped(harness))
    }

    @Test func `a header section that grows beyond all limits when it is decoded drops the client`() {
        let harness = HTTP2SessionHarness(limits: RequestLimits(maxHead: 4096))
        // One field of 3,000 bytes into the table, and then the table's first entry over and over.
        var block = HeaderBlock.encode([(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a")])
        block += [0x40] + HeaderBlock.encode([("x", String(repeating: "y", count: 3000))]).dropFirst()
        block += [UInt8](repeating: 0xBE, count: 100)
        harness.feed(
            HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, block))
        #expect(isDropped(harness))
        #expect(harness.dropCause == "a header section is far beyond the limit")
    }

    @Test(arguments: [
        HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8)), HTTP2Frame(.settings),
        HTTP2Frame(.priority, stream: 1, [0, 0, 0, 0, 1]), HTTP2Frame(kind: 0x77, flags: 0, stream: 0, payload: []),
    ])
    func `a client that sends control frames without end is dropped`(frame: HTTP2Frame) {
        let harness = HTTP2SessionHarness()
        // The client's settings and its acknowledgement count too.
        for _ in 0..<HTTP2Limits.control.size - 2 {
            harness.feed(frame)
            #expect(harness.bytes().count < 64)
        }
        #expect(!harness.session.isFinished)
        for _ in 0..<3 { harness.feed(frame) }
        #expect(isDropped(harness))
    }

    @Test func `a client that does not read the responses to its PINGs is dropped`() {
        let harness = HTTP2SessionHarness()
        for _ in 0...HTTP2Limits.control.size { harness.feed(HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))) }
        #expect(isDropped(harness))
    }

    @Test func `a client that sends content without bytes is dropped`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "PUT", "/", endsStream: false))
        for _ in 0..<HTTP2Limits.empty.size { harness.feed(.data(stream: 1, [], endsStream: false)) }
        #expect(!isDropped(harness))
        harness.feed(.data(stream: 1, [], endsStream: false))
        #expect(isDropped(harness))
        #expect(harness.dropCause == "too many frames without content")
    }

    @Test func `a client that opens its windows byte by byte is dropped`() {
        let body = String(repeating: "x", count: 10_000)
        let harness = HTTP2SessionHarness(settings: [(4, 0)]) { _ in HTTP2SessionHarness.response(body: body) }
        harness.feed(.request(stream: 1, "/"))
        var count = 0
        while !harness.session.isFinished, count < 5_000 {
            harness.feed(.windowUpdate(stream: 1, 1))
            _ = harness.bytes()
            count += 1
        }
        #expect(count > HTTP2Limits.windowUpdates.size && count < HTTP2Limits.windowUpdates.size + 20)
        #expect(harness.dropCause == "too many WINDOW_UPDATE frames for what is sent")
    }

    @Test func `a client that reads much may open its windows as often as it likes`() {
        let body = String(repeating: "x", count: 20_000_000)
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(body: body) }
        harness.feed(.request(stream: 1, "/"))
        var received = 0
        while received < body.utf8.count {
            let count = harness.frames().filter { $0.isKind(.data) }.reduce(0) { $0 + $1.payload.count }
            guard count > 0 else { break }
            received += count
            for _ in 0..<count / 2048 { harness.feed(.windowUpdate(stream: 0, 2048), .windowUpdate(stream: 1, 2048)) }
            harness.feed(.windowUpdate(stream: 0, 2048), .windowUpdate(stream: 1, 2048))
        }
        #expect(received == body.utf8.count)
    }

    @Test func `a client may acknowledge every frame of a response that comes in small pieces`() {
        var delivery = Delivery()
        let count = HTTP2Limits.windowUpdates.size
        delivery.pace = .parts(count: count, pause: 1_000_000)
        let body = String(repeating: "x", count: count)
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(body: body, delivery) }
        harness.feed(.request(stream: 1, "/"))
        var received = 0
        for _ in 0..<count {
            harness.advance(milliseconds: 1)
            for frame in harness.frames() where frame.isKind(.data) {
                received += frame.payload.count
                if !frame.endsStream { harness.feed(.windowUpdate(stream: 0, 1), .windowUpdate(stream: 1, 1)) }
            }
        }
        #expect(received == count)
        #expect(harness.dropCause == nil)
    }

    @Test func `responses that wait for a window longer than the deadline are seen to have stalled`() {
        let harness = HTTP2SessionHarness(settings: [(4, 0)])
        harness.feed(.request(stream: 1, "/"))
        _ = harness.frames()
        #expect(!harness.session.hasStalled(since: harness.now))
        #expect(harness.session.hasStalled(since: harness.now + 1))
        harness.session.dropStalled()
        #expect(isDropped(harness))
    }

    @Test func `content of unfinished requests is bounded over all streams`() {
        let harness = HTTP2SessionHarness()
        let piece = [UInt8](repeating: 0, count: 16_000)
        var stream: UInt32 = 1
        harness.feed(.request(stream: stream, "PUT", "/", endsStream: false))
        var sent = 0
        while harness.refusals.isEmpty, sent < 2 * HTTP2Limits.maxPending {
            if sent > 0, sent % 8_000_000 == 0 {
                stream += 2
                harness.feed(.request(stream: stream, "PUT", "/", endsStream: false))
            }
            harness.feed(.data(stream: stream, piece, endsStream: false))
            _ = harness.bytes()
            sent += piece.count
        }
        #expect(sent > HTTP2Limits.maxPending && sent <= HTTP2Limits.maxPending + piece.count)
        #expect(harness.refusals.map(\.status) == [413])
    }
}
