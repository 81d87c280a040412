// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Limits as large as they can be asked for, with messages that try them.
@Suite(.supervised) struct ExtremeLimitTests {
    private static let limits = RequestLimits(maxHead: .max, maxBody: .max, maxStreams: .max)

    @Test func `limits stay where sums and products of them are numbers`() {
        var limits = Self.limits
        #expect(limits.maxHead == 1 << 30 && limits.maxBody == 1 << 40 && limits.maxStreams == Int(Int32.max))
        limits.maxHead = .max
        limits.maxBody = .max
        #expect(limits.maxHead == 1 << 30 && limits.maxBody == 1 << 40)
        #expect(RequestLimits(maxStreams: -1).maxStreams == 1)
    }

    @Test(arguments: [
        "9223372036854775807", "9223372036854775808", "9223372036854775810", "999999999999999999999999999999",
    ])
    func `no announced length is too long to be refused`(length: String) {
        let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
        #expect(readInEveryWay(text, limits: Self.limits)?.refusal?.status == (Int(length) == nil ? 400 : 413))
        let chunk = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFF\r\n"
        #expect(readInEveryWay(chunk, limits: Self.limits)?.refusal?.status == 413)
    }

    @Test func `a header section is counted under the largest limit`() {
        let harness = HTTP2SessionHarness(limits: Self.limits)
        harness.feed(.request(stream: 1, "/a"))
        #expect(harness.requests.count == 1)
        harness.feed(
            .request(stream: 3, "POST", "/a", [("content-length", "9223372036854775807")], endsStream: false))
        #expect(harness.refusals.map(\.status) == [413])
    }

    @Test func `a stream whose content finds no room is answered 503, and one that ends gives its room back`() {
        var limits = RequestLimits(maxBody: 256 * 1024)
        limits.maxContent = 256 * 1024
        let harness = HTTP2SessionHarness(limits: limits)
        func send(_ stream: UInt32, frames: Int) {
            harness.feed(.request(stream: stream, "POST", "/a", endsStream: false))
            for _ in 0..<frames {
                harness.feed(.data(stream: stream, Array(repeating: 0x61, count: 16_384), endsStream: false))
            }
        }
        send(1, frames: 10)
        send(3, frames: 6)
        #expect(harness.refusals.map(\.status) == [503])
        #expect(harness.refusals.first?.text == "the requests under way hold more than 262144 bytes of content")
        harness.feed(.reset(stream: 1, code: 8))
        send(5, frames: 10)
        harness.feed(.data(stream: 5, []))
        #expect(harness.requests.count == 1)
        #expect(harness.refusals.count == 1)
    }
}
