// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiSystemIO
import MockapiTestSupport
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// In which order a loop does what there is: new events before those who have had their turn.
@Suite(.supervised) struct EventLoopTests {
    /// What happened, in order; written on the loop, read when that is done.
    private final class Record: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// A channel on a pipe that can be written at any time.
    private class PipeChannel: Channel {
        let name: String
        let record: Record
        private let writingEnd: Int32

        init(_ name: String, _ record: Record, on loop: EventLoop) throws {
            self.name = name
            self.record = record
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            writingEnd = ends[1]
            super.init(descriptor: ends[0], loop: loop)
            try loop.register(self)
        }

        func write() {
            _ = withUnsafeBytes(of: UInt8(1)) { systemWrite(writingEnd, $0) }
        }

        func end() {
            systemClose(writingEnd)
            loop.close(self)
        }

        override func ready(_ event: PollEvent) {
            if event.isReadable { record.add("\(name) ready") }
        }
    }

    /// A channel that has more to do each time, and takes longer than the moment in which several have their turns.
    private final class BusyChannel: PipeChannel {
        var turns = 0
        var inTurn: (Int) -> Void = { _ in }

        override func ready(_ event: PollEvent) {
            super.ready(event)
            if event.isReadable { resumed() }
        }

        override func resumed() {
            turns += 1
            record.add("\(name) turn \(turns)")
            let end = Clock.monotonic() + 1_100_000
            while Clock.monotonic() < end {}
            if turns < 20 { loop.resume(self) }
            inTurn(turns)
        }
    }

    /// Does something on a loop, and returns what it recorded when a channel has had 20 turns.
    private func record(_ begin: @escaping @Sendable (Record, EventLoop, @escaping () -> Void) throws -> Void)
        async throws -> [String]
    {
        let record = Record()
        let loop = try EventLoop(index: 0)
        await withCheckedContinuation { done in
            loop.execute { loop in
                do {
                    try begin(record, loop) { done.resume() }
                } catch {
                    Issue.record(error)
                    done.resume()
                }
            }
        }
        return record.all
    }

    @Test func `what is new goes before channels that have had their turn`() async throws {
        let lines = try await record { record, loop, done in
            let busy = try (0..<5).map { try BusyChannel("busy \($0)", record, on: loop) }
            let light = try PipeChannel("light", record, on: loop)
            busy[0].inTurn = { if $0 == 2 { light.write() } }
            busy[4].inTurn = { turn in
                guard turn == 20 else { return }
                for channel in busy { channel.end() }
                light.end()
                done()
            }
            for channel in busy { loop.resume(channel) }
        }
        let written = try #require(lines.firstIndex(of: "busy 0 turn 2"))
        #expect(lines[written + 1] == "light ready")
        #expect(lines.filter { $0 == "light ready" }.count == 1)
        // Those who are busy go on in turn.
        let busy = lines.filter { $0.hasPrefix("busy") }
        #expect(
            busy.prefix(7) == [
                "busy 0 turn 1", "busy 1 turn 1", "busy 2 turn 1", "busy 3 turn 1", "busy 4 turn 1", "busy 0 turn 2",
                "busy 1 turn 2",
            ])
        #expect(busy.count == 100)
    }

    @Test func `a channel that waits for its turn hears of an event then, and goes on all the same`() async throws {
        let lines = try await record { record, loop, done in
            let first = try BusyChannel("first", record, on: loop)
            let second = try BusyChannel("second", record, on: loop)
            let third = try BusyChannel("third", record, on: loop)
            first.inTurn = { if $0 == 1 { third.write() } }
            third.inTurn = { turn in
                guard turn == 20 else { return }
                for channel in [first, second, third] { channel.end() }
                done()
            }
            for channel in [first, second, third] { loop.resume(channel) }
        }
        #expect(lines.prefix(4) == ["first turn 1", "second turn 1", "third ready", "third turn 1"])
    }

    @Test func `work from elsewhere waits for one batch of events at most`() async throws {
        let lines = try await record { record, loop, done in
            let busy = try BusyChannel("busy", record, on: loop)
            busy.inTurn = { turn in
                if turn == 3 { loop.execute { _ in record.add("work") } }
                guard turn == 20 else { return }
                busy.end()
                done()
            }
            loop.resume(busy)
        }
        #expect(lines[3...4].contains("work"), "\(lines)")
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemClose(_ descriptor: Int32) {
    close(descriptor)
}
