// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPWire

@Suite(.supervised) struct StreamedResponseTests {
    private static let head = ResponseHead(status: 200, fields: [], framing: .chunked)

    /// What is there, in short.
    private func taken(_ answer: StreamedResponse) -> [String] {
        var story: [String] = []
        while let part = answer.next() { story.append(Self.text(part)) }
        return story
    }

    private static func text(_ part: StreamPart) -> String {
        switch part {
        case .head(let head): "head \(head.status)"
        case .response(let response): "whole \(response.head.status)"
        case .content(let bytes): String(decoding: bytes, as: UTF8.self)
        case .end(let trailers): "end \(trailers.map(\.name))"
        case .failure: "failure"
        }
    }

    @Test func `what the producer gives is taken in its order, and nothing behind the end`() async {
        let answer = StreamedResponse()
        #expect(taken(answer) == [])
        answer.begin(Self.head)
        #expect(await answer.send(Array("a".utf8)))
        #expect(await answer.send([]))
        #expect(taken(answer) == ["head 200", "a"])
        #expect(await answer.send(Array("b".utf8)))
        answer.finish(trailers: [WireField("X-Sum", "1")])
        answer.fail()
        #expect(await answer.send(Array("c".utf8)))
        #expect(taken(answer) == ["b", "end [\"X-Sum\"]"])
        #expect(taken(answer) == [])
    }

    @Test func `a response has one beginning, and without a head it has failed`() async {
        let twice = StreamedResponse()
        twice.begin(Self.head)
        twice.begin(ResponseHead(status: 201, fields: [], framing: .none))
        twice.respond(with: Response(head: ResponseHead(status: 202, fields: [], framing: .none)))
        #expect(taken(twice) == ["head 200"])
        let response = StreamedResponse()
        response.respond(with: Response(head: ResponseHead(status: 502, fields: [], framing: .none)))
        response.begin(Self.head)
        #expect(taken(response) == ["whole 502"])
        let headless = StreamedResponse()
        #expect(await headless.send(Array("lost".utf8)))
        headless.finish()
        #expect(taken(headless) == ["failure"])
    }

    @Test func `the end can be taken with what is last before it`() async {
        let answer = StreamedResponse()
        answer.begin(Self.head)
        #expect(await answer.send(Array("a".utf8)))
        #expect(answer.takeEnd() == nil)
        answer.finish()
        #expect(answer.takeEnd() == nil)
        _ = answer.next()
        _ = answer.next()
        #expect(answer.takeEnd() == [])
        #expect(taken(answer) == [])
    }

    @Test func `the connection is woken once for what comes after it found nothing`() async {
        let answer = StreamedResponse()
        let wakes = Mutex(0)
        answer.attach { wakes.withLock { $0 += 1 } }
        answer.begin(Self.head)
        #expect(wakes.withLock { $0 } == 0)
        #expect(taken(answer) == ["head 200"])
        #expect(await answer.send([1]))
        #expect(await answer.send([2]))
        #expect(wakes.withLock { $0 } == 1)
        _ = taken(answer)
        answer.finish()
        answer.finish()
        #expect(wakes.withLock { $0 } == 2)
    }

    /// What a producer gave and a connection took, beside a list of the parts.
    @Test func `parts are taken in their order, and a connection that found nothing is woken once`() {
        var random = SplitMix(seed: UInt64(Thoroughness.rounds(256, thorough: .random(in: 0..<1 << 31))))
        for _ in 0..<Thoroughness.rounds(400, thorough: 20_000) {
            let answer = StreamedResponse()
            let wakes = Mutex(0)
            answer.attach { wakes.withLock { $0 += 1 } }
            var (parts, hasBegun, hasEnded, isClosed): ([String], Bool, Bool, Bool) = ([], false, false, false)
            var (isAwaited, expectedWakes) = (false, 0)
            func give(_ part: String) {
                if isClosed { return }
                parts.append(part)
                if isAwaited { expectedWakes += 1 }
                isAwaited = false
            }
            for number in 0..<random.below(20) {
                switch random.below(9) {
                case 0:
                    answer.begin(Self.head)
                    if !hasBegun, !hasEnded { give("head 200") }
                    hasBegun = true
                case 1, 2, 3:
                    answer.push(Array("\(number)".utf8))
                    if hasBegun, !hasEnded { give("\(number)") }
                case 4 where random.chance(30):
                    answer.finish()
                    if !hasEnded { give(hasBegun ? "end []" : "failure") }
                    hasEnded = true
                case 5, 6:
                    let part = answer.next().map(Self.text)
                    #expect(part == parts.first)
                    if parts.isEmpty { isAwaited = !isClosed } else { parts.removeFirst() }
                    if part == "end []" || part == "failure" { isClosed = true }
                case 7:
                    let isLast = parts == ["end []"]
                    #expect((answer.takeEnd() != nil) == isLast)
                    if parts.isEmpty { isAwaited = !isClosed }
                    if isLast { (parts, isClosed) = ([], true) }
                case 8 where random.chance(20):
                    answer.discard()
                    (parts, isClosed, isAwaited) = ([], true, false)
                default: break
                }
                #expect(wakes.withLock { $0 } == expectedWakes)
                #expect(answer.waiting == parts.reduce(0) { $0 + (Int($1) == nil ? 0 : $1.utf8.count) })
            }
        }
    }

    @Test func `a producer that is ahead waits, so that no more is held than the bound and a piece`() async throws {
        let answer = StreamedResponse()
        let piece = 100 * 1024
        let sent = Mutex(0)
        answer.begin(Self.head)
        let producer = Task {
            for number in 0..<50 {
                guard await answer.send([UInt8](repeating: UInt8(number), count: piece)) else { return }
                sent.withLock { $0 += 1 }
            }
            answer.finish()
        }
        #expect(try await until({ answer.waiting }, { $0 >= StreamedResponse.highWater }))
        #expect(sent.withLock { $0 } == StreamedResponse.highWater / piece)
        var numbers: [UInt8] = []
        var most = 0
        let (wakes, waker) = AsyncStream<Void>.makeStream()
        answer.attach { waker.yield() }
        var iterator = wakes.makeAsyncIterator()
        loop: while true {
            most = max(most, answer.waiting)
            switch answer.next() {
            case .content(let bytes): numbers.append(bytes[0])
            case .end: break loop
            case nil: await iterator.next()
            default: break
            }
        }
        await producer.value
        #expect(numbers == Array(0..<50))
        #expect(most >= StreamedResponse.highWater && most < StreamedResponse.highWater + piece)
    }

    @Test func `a producer hears once that the client has gone, whatever it does then`() async throws {
        let answer = StreamedResponse()
        let calls = Mutex(0)
        answer.begin(Self.head)
        answer.whenAbandoned { calls.withLock { $0 += 1 } }
        let producer = Task { await answer.send([UInt8](repeating: 0, count: StreamedResponse.highWater)) }
        #expect(try await until({ answer.waiting }, is: StreamedResponse.highWater))
        answer.abandon()
        answer.abandon()
        #expect(await producer.value == false)
        #expect(await answer.send([1]) == false)
        #expect(calls.withLock { $0 } == 1)
        answer.whenAbandoned { calls.withLock { $0 += 10 } }
        #expect(calls.withLock { $0 } == 11)
        #expect(taken(answer) == [] && answer.waiting == 0)
    }

    @Test func `a producer hears once that the client has ended its side, and goes on`() {
        let answer = StreamedResponse(outlastsClientEnd: true)
        let calls = Mutex(0)
        answer.whenClientEnds { calls.withLock { $0 += 1 } }
        answer.noteClientEnd()
        answer.noteClientEnd()
        #expect(calls.withLock { $0 } == 1)
        answer.whenClientEnds { calls.withLock { $0 += 10 } }
        #expect(calls.withLock { $0 } == 11)
        answer.begin(Self.head)
        answer.finish()
        #expect(taken(answer).count == 2)
    }

    @Test func `a producer that is done hears nothing more`() async {
        let calls = Mutex(0)
        let done = StreamedResponse()
        done.begin(Self.head)
        done.whenAbandoned { calls.withLock { $0 += 1 } }
        done.whenClientEnds { calls.withLock { $0 += 1 } }
        done.finish()
        done.noteClientEnd()
        done.abandon()
        let taken = StreamedResponse()
        taken.begin(Self.head)
        taken.whenAbandoned { calls.withLock { $0 += 1 } }
        taken.discard()
        taken.abandon()
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func `what nobody is to have is thrown away as it comes`() async throws {
        let answer = StreamedResponse()
        answer.begin(Self.head)
        let producer = Task { await answer.send([UInt8](repeating: 0, count: 2 * StreamedResponse.highWater)) }
        #expect(try await until({ answer.waiting }, { $0 > 0 }))
        answer.discard()
        #expect(await producer.value)
        #expect(await answer.send([UInt8](repeating: 0, count: 2 * StreamedResponse.highWater)))
        #expect(answer.waiting == 0)
    }
}
