// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiContentCodings
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@testable import MockapiProxy

/// Responses in pieces on their way to a client, beside the same response as a whole.
@Suite(.supervised) struct ResponseRelayTests {
    private static let queue = DispatchQueue(label: "mockapi.relay-tests")
    private static let view = ProxyView(origins: ["https://aab.example"], bases: ["http://p:1"], isSecure: false)

    /// The parts that a client has got.
    private struct Seen: Equatable {
        var head: [UInt8]?
        var content: [UInt8] = []
        var trailers: [String]?
        var hasFailed = false

        mutating func take(from streamed: StreamedResponse) {
            while let part = streamed.next() {
                switch part {
                case .head(let head): self.head = head.http1
                case .content(let bytes): content += bytes
                case .end(let fields): trailers = fields.map { "\($0.name): \($0.value)" }
                case .failure: hasFailed = true
                case .response: Issue.record("a response in the place of a head")
                }
            }
        }
    }

    private static func head(_ status: Int, _ lines: [(String, String)]) -> ReceivedHead {
        var head = ReceivedHead()
        func range(_ text: String) -> ByteRange {
            head.bytes += text.utf8
            return ByteRange(head.bytes.count - text.utf8.count, head.bytes.count)
        }
        head.status = status
        for line in lines {
            let name = range(line.0)
            head.fields.append(RequestHead.Field(name: name, value: range(line.1)))
        }
        return head
    }

    /// Pushes bytes in pieces at random, all but so many of them.
    private static func push(
        _ bytes: [UInt8], to relay: ResponseRelay, _ streamed: StreamedResponse, _ seen: inout Seen,
        _ random: inout SplitMix
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, random.pick([1, 7, 100, 5000, 40_000]))
            relay.push(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            advance(relay, streamed, &seen)
        }
    }

    private static func advance(_ relay: ResponseRelay, _ streamed: StreamedResponse, _ seen: inout Seen) {
        while true {
            switch relay.advance() {
            case .idle: return seen.take(from: streamed)
            case .moved, .full: seen.take(from: streamed)
            case .gone:
                Issue.record("the client has gone")
                return
            }
        }
    }

    @Test func `a client gets all of a content, as it came or with the proxy in the place of its upstream`() throws {
        var random = SplitMix(seed: 21)
        for _ in 0..<400 {
            let piece = random.pick(["a word ", "see https://aab.example/x ", "https://aab.exampl ", "é"])
            let count = random.pick([0, 1, 3, 40, 900, random.chance(20) ? 12_000 : 2])
            let text = Array(String(repeating: piece, count: count).utf8)
            let coding = random.pick([nil, nil, ContentCoding.gzip, .br])
            let isMiscoded = coding != nil && random.chance(10)
            let bytes = try coding.map { isMiscoded ? [1, 2, 3] + text : try $0.encode(text) } ?? text
            let type = random.pick(["text/plain", "application/json", "image/png"])
            let status = random.pick([200, 200, 200, 206, 404])
            let hasLength = random.chance(70)
            let trailers = random.chance(30) ? [UpstreamField("X-End", "1")] : []
            var lines = [("Content-Type", type), ("ETag", "\"e\"")]
            if let coding { lines.append(("Content-Encoding", coding.rawValue)) }
            if hasLength { lines.append(("Content-Length", "\(bytes.count)")) }
            let head = Self.head(status, lines)

            let streamed = StreamedResponse()
            let relay = ResponseRelay(
                streamed, isHead: false, seenAs: Self.view, limit: DecodedLimit(), queue: Self.queue)
            var seen = Seen()
            #expect(!relay.hasBegun && !relay.isBroken)
            relay.begin(head)
            seen.take(from: streamed)
            let isText = type != "image/png" && status != 206
            #expect(relay.hasBegun != isText && (seen.head == nil) == isText)
            Self.push(bytes, to: relay, streamed, &seen, &random)
            relay.decide()
            Self.advance(relay, streamed, &seen)
            relay.finish(trailers)
            seen.take(from: streamed)

            let rewritten = Self.view.rewritten(text, mediaType: type)
            let isStreamed = bytes.count > ResponseRelay.heldLimit
            let isSame = !isText || isMiscoded || !isStreamed && rewritten == text
            let expected = SeenHead(head, isHead: false, view: Self.view).responseHead(
                isSame
                    ? .untouched : .rewritten(length: isStreamed || !trailers.isEmpty ? nil : rewritten.count))
            let words = "\(type) \(status) \(coding?.rawValue ?? "-") \(isMiscoded) \(piece)*\(count)"
            #expect(seen.head == expected.http1, "\(words)")
            #expect(seen.content == (isSame ? bytes : rewritten), "\(words)")
            #expect(seen.trailers == trailers.map(\.description) && !seen.hasFailed, "\(words)")
            #expect(relay.hasBegun && !relay.isBroken && relay.failure == nil)
        }
    }

    @Test func `the last bytes of an announced length wait for the end of the response`() {
        for (length, pieces) in [(5, [3, 2]), (5, [5]), (6, [3, 2]), (4, [3, 2]), (nil, [3, 2])] as [(Int?, [Int])] {
            let streamed = StreamedResponse()
            let relay = ResponseRelay(
                streamed, isHead: false, seenAs: Self.view, limit: DecodedLimit(), queue: Self.queue)
            let lines = [("Content-Type", "image/png")] + (length.map { [("Content-Length", "\($0)")] } ?? [])
            relay.begin(Self.head(200, lines))
            var (seen, sent) = (Seen(), 0)
            for count in pieces {
                relay.push([UInt8](repeating: 7, count: count))
                sent += count
                seen.take(from: streamed)
                let isLast = length.map { sent >= $0 } ?? false
                #expect(seen.content.count == (isLast ? sent - count : sent), "\(String(describing: length)) \(pieces)")
            }
            relay.decide()
            relay.finish([])
            seen.take(from: streamed)
            #expect(seen.content.count == sent && seen.trailers == [])
        }
    }

    @Test func `a response that fails, and one whose coding breaks off, ends as broken`() throws {
        let streamed = StreamedResponse()
        let relay = ResponseRelay(
            streamed, isHead: false, seenAs: Self.view, limit: DecodedLimit(), queue: Self.queue)
        var seen = Seen()
        relay.begin(Self.head(200, [("Content-Type", "image/png")]))
        relay.push([1])
        relay.fail()
        relay.push([2])
        relay.fail()
        relay.finish([])
        seen.take(from: streamed)
        #expect(seen.hasFailed && seen.content == [1] && seen.trailers == nil && relay.isBroken && relay.failure == nil)
        #expect(relay.advance() == .idle)

        let long = try ContentCoding.gzip.encode((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        let other = StreamedResponse()
        let broken = ResponseRelay(other, isHead: false, seenAs: Self.view, limit: DecodedLimit(), queue: Self.queue)
        var random = SplitMix(seed: 2)
        seen = Seen()
        broken.begin(Self.head(200, [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")]))
        try #require(long.count > 2 * ResponseRelay.heldLimit)
        Self.push(Array(long.dropLast(40)) + [UInt8](repeating: 0xFF, count: 40), to: broken, other, &seen, &random)
        broken.decide()
        Self.advance(broken, other, &seen)
        broken.finish([])
        seen.take(from: other)
        #expect(broken.isBroken && seen.hasFailed && seen.trailers == nil)
        #expect(broken.failure?.hasPrefix("the client's answer was broken off: ") == true)
    }

    private static func relay(to streamed: StreamedResponse) -> ResponseRelay {
        ResponseRelay(streamed, isHead: false, seenAs: view, limit: DecodedLimit(), queue: queue)
    }

    @Test func `text is held back up to its limit`() {
        for (count, hasBegun) in [(ResponseRelay.heldLimit, false), (ResponseRelay.heldLimit + 1, true)] {
            let relay = Self.relay(to: StreamedResponse())
            relay.begin(Self.head(200, [("Content-Type", "text/plain")]))
            relay.push([UInt8](repeating: 97, count: count))
            #expect(relay.hasBegun == hasBegun)
        }
    }

    @Test func `text that pauses goes out before its end`() async throws {
        let streamed = StreamedResponse()
        let relay = Self.relay(to: streamed)
        Self.queue.sync {
            relay.pause()
            relay.begin(Self.head(200, [("Content-Type", "text/plain")]))
            relay.push(Array("see https://aab.example/ and".utf8))
            relay.pause()
            relay.pause()
        }
        var seen = Seen()
        // An origin may go on, so that the last word waits.
        try await until({
            Self.queue.sync { seen.take(from: streamed) }
            return String(decoding: seen.content, as: UTF8.self)
        }) { $0.hasPrefix("see http://p:1/") }
        #expect(seen.head != nil && seen.trailers == nil)
        Self.queue.sync {
            relay.decide()
            relay.finish([])
            seen.take(from: streamed)
        }
        #expect(seen.content == Array("see http://p:1/ and".utf8) && seen.trailers == [])
    }

    @Test func `work for a client that has gone ends`() async throws {
        for isGone in [false, true] {
            let streamed = StreamedResponse()
            let relay = Self.relay(to: streamed)
            relay.begin(Self.head(200, [("Content-Type", "text/plain")]))
            relay.push([UInt8](repeating: 97, count: StreamedResponse.highWater + ResponseRelay.heldLimit))
            async let goesOn = relay.advanceAll()
            if isGone {
                streamed.abandon()
            } else {
                var seen = Seen()
                try await until({
                    seen.take(from: streamed)
                    return seen.content.count
                }) { $0 >= StreamedResponse.highWater }
            }
            #expect(await goesOn == !isGone)
        }
    }
}
