// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiTestSupport
import Testing

@testable import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.supervised) struct QueuedWriterTests {
    /// What comes out of a pipe until its writer says that nothing is queued any more.
    private static func lines(of writer: QueuedWriter, _ reader: Int32) -> [Substring] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        _ = fcntl(reader, F_SETFL, O_RDONLY | O_NONBLOCK)
        while true {
            let isDone = writer.flush(until: .now() + .milliseconds(1))
            while case let count = read(reader, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
            if isDone { return String(decoding: bytes, as: UTF8.self).split(separator: "\n") }
        }
    }

    @Test func `what does not fit is dropped whole, counted, and told once there is room`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let writer = QueuedWriter(ends[1])
        let line = String(repeating: "x", count: 1023) + "\n"
        let count = 2_000
        for _ in 0..<count { writer.write(Array(line.utf8), lines: 1) }
        #expect(!writer.flush(until: .now()))
        let lines = Self.lines(of: writer, ends[0])
        let whole = lines.count { $0 == line.dropLast() }
        // A megabyte waits, beside what the pipe has taken.
        #expect(whole >= QueuedWriter.limit / 1024)
        let told = lines.filter { $0.hasSuffix(" lines were dropped here: nobody read them in time") }
        #expect(whole + told.count == lines.count)
        let dropped = told.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.reduce(0, +)
        #expect(dropped > 0 && whole + dropped == count)
    }

    @Test func `lines come out whole and in order where somebody reads`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let writer = QueuedWriter(ends[1])
        for number in 0..<5_000 { writer.write(Array("line \(number)\n".utf8), lines: 1) }
        #expect(Self.lines(of: writer, ends[0]) == (0..<5_000).map { "line \($0)" })
    }

    @Test func `a stream that is closed takes nothing and holds nothing up`() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let writer = QueuedWriter(ends[1])
        for _ in 0..<100 { writer.write(Array("line\n".utf8), lines: 1) }
        #expect(writer.flush(until: .distantFuture))
        close(ends[1])
    }
}
