// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiHTTPServer
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A descriptor written to by a thread of its own, behind a bounded queue, so that nobody waits for its reader.
///
/// Lines that do not fit into the queue are dropped, and their number is written once there is room. A process that
/// ends by `exit` waits for queued lines, for two seconds at most.
package final class QueuedWriter: Sendable {
    /// Bytes that may wait, 1 MiB; a write that goes beyond is dropped whole, so that no line is cut.
    static let limit = 1024 * 1024
    /// Bytes handed to the system at once. 64 KiB.
    private static let piece = 64 * 1024
    /// How long a process that ends waits for both streams. 2 s.
    fileprivate static let patience = DispatchTimeInterval.seconds(2)

    /// The writer of standard output.
    package static let output = QueuedWriter(STDOUT_FILENO)
    /// The writer of standard error.
    package static let error = QueuedWriter(STDERR_FILENO)

    private struct State {
        var waiting: [UInt8] = []
        /// Bytes that the thread has taken and not yet written.
        var taken = 0
        var dropped = 0
        /// Whether the thread is at work, or on its way to it.
        var isBusy = false
        var hasThread = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    /// Signalled once for each time that the thread becomes busy.
    private let work = DispatchSemaphore(value: 0)
    /// Entered while the thread is busy.
    private let idle = DispatchGroup()

    /// - Parameter descriptor: it stays open for good, as does the writer.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Queues whole lines, or a part of one.
    ///
    /// - Parameter lines: how many are missing if there is no room for them.
    package func write(_ bytes: [UInt8], lines: Int) {
        guard !bytes.isEmpty else { return }
        let wakes = state.withLock { state in
            let queued = state.waiting.count + state.taken
            guard queued == 0 || queued + bytes.count <= Self.limit, state.hasThread || startThread() else {
                state.dropped += lines
                return false
            }
            state.hasThread = true
            state.waiting += bytes
            if state.isBusy { return false }
            state.isBusy = true
            idle.enter()
            return true
        }
        if wakes { work.signal() }
    }

    /// Waits until nothing is queued.
    ///
    /// - Returns: false if that takes longer than the deadline.
    @discardableResult
    func flush(until deadline: DispatchTime) -> Bool {
        idle.wait(timeout: deadline) == .success
    }

    // MARK: The thread

    private func startThread() -> Bool {
        _ = Self.endsProcess
        return BackgroundThread.start(givesWay: false) { self.run() }
    }

    /// Registers, once, the last actions of a process.
    private static let endsProcess: Void = {
        atexit { flushLog() }
    }()

    private func run() {
        while true {
            work.wait()
            while let bytes = take() {
                var start = 0
                while start < bytes.count {
                    let end = min(start + Self.piece, bytes.count)
                    Self.deliver(bytes[start..<end], to: descriptor)
                    state.withLock { $0.taken -= end - start }
                    start = end
                }
            }
        }
    }

    /// The bytes that wait, followed by how much was dropped; nil if there is neither, and the thread is idle from
    /// then on.
    private func take() -> [UInt8]? {
        state.withLock { state in
            var bytes = state.waiting
            if state.dropped > 0 {
                let lines = state.dropped == 1 ? "1 line was" : "\(state.dropped) lines were"
                bytes += "  \(lines) dropped here: nobody read them in time\n".utf8
            }
            state.waiting = []
            state.dropped = 0
            state.taken = bytes.count
            if bytes.isEmpty {
                state.isBusy = false
                idle.leave()
                return nil
            }
            return bytes
        }
    }

    /// Writes to a descriptor, and waits for its reader; bytes that it does not take are left out.
    package static func deliver(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // The parent of this process may have made the descriptor non-blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// Waits until the lines of all logs are written, for `QueuedWriter.patience` at most.
package func flushLog() {
    let deadline = DispatchTime.now() + QueuedWriter.patience
    QueuedWriter.output.flush(until: deadline)
    QueuedWriter.error.flush(until: deadline)
}
