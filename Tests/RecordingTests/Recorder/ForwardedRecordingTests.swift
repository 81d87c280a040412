// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiProxy
import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What stubs have passed on, kept to be recorded.
@Suite(.supervised) struct ForwardedRecordingTests {
    private func exchange(
        _ number: UInt64, _ content: [UInt8] = Array("x".utf8), type: String = "text/plain"
    ) -> OwnExchange {
        OwnExchange(
            number: number, base: "http://127.0.0.1:1/base", method: "GET", target: "/n/\(number)", fields: [],
            body: [],
            status: 200, responseFields: [WireField("Content-Type", type)], content: content)
    }

    @Test func `no more is kept than there is room for, and what gave way is told`() async throws {
        let recordings = ForwardedRecordings()
        let last = UInt64(ForwardedRecordings.countLimit + 100)
        for number in 1...last { recordings.keep(ForwardedExchange(exchange(number))) }
        #expect(recordings.lost == 100)
        let directory = try TemporaryDirectory([:])
        #expect(await recordings.record([100, 101, last], beside: [], into: directory.path) == [])
        let stubs = directory.snapshot().keys.filter { $0.hasSuffix(".stub.json") }.sorted()
        #expect(stubs == ["n/101.stub.json", "n/\(last).stub.json"])
    }

    @Test func `large contents give way sooner`() {
        let recordings = ForwardedRecordings()
        let content = [UInt8](repeating: 0, count: ForwardedRecordings.sizeLimit / 8)
        for number: UInt64 in 1...10 {
            recordings.keep(ForwardedExchange(exchange(number, content, type: "image/png")))
        }
        // Seven, since lines count too.
        #expect(recordings.lost == 3)
    }

    @Test func `what was not passed on is recorded beside it, and what was is not recorded twice`() async throws {
        let recordings = ForwardedRecordings()
        recordings.keep(ForwardedExchange(exchange(2)))
        let directory = try TemporaryDirectory([:])
        let others = [exchange(1, Array("own".utf8)), exchange(2, Array("again".utf8))]
        #expect(await recordings.record([1, 2], beside: others, into: directory.path) == [])
        #expect(directory.text("n/1.txt") == "own" && directory.text("n/2.txt") == "x")
        #expect(recordings.writable("Accept", "text/plain") == "text/plain")
        #expect(recordings.writable("Authorization", "Bearer abcdefghijklmnopqrstuvwxyz012345") == nil)
    }
}
