// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPServer

#if os(Linux)
    import Glibc

    /// What a server does to the process that it lives in; each in a process of its own.
    @Suite(.supervised) struct HostProcessTests {
        @Test func `a file for a client that has gone is no SIGPIPE`() async {
            await #expect(processExitsWith: .success) {
                signal(SIGPIPE, SIG_DFL)
                let file = try HostProcess.file(100_000)
                let (ours, theirs) = try HostProcess.pair()
                // A part is sent, as far as the socket takes it, then no more.
                guard case .bytes(let count) = Socket.sendFile(ours, file.descriptor, 0..<4096) else { fatalError() }
                precondition(count == 4096)
                precondition(close(theirs) == 0)
                guard case .failed = Socket.sendFile(ours, file.descriptor, 0..<100_000) else { fatalError() }
                precondition(errno == EPIPE)
                // Nothing waits for a moment at which the host would take it, and its settings are as they were.
                precondition(!HostProcess.isBlocked && !HostProcess.isWaiting)
            }
        }

        @Test func `a SIGPIPE that the host has blocked and not yet taken is left to it`() async {
            await #expect(processExitsWith: .success) {
                signal(SIGPIPE, SIG_DFL)
                let file = try HostProcess.file(100)
                let (ours, theirs) = try HostProcess.pair()
                precondition(close(theirs) == 0)
                HostProcess.block()
                guard case .failed = Socket.sendFile(ours, file.descriptor, 0..<100) else { fatalError() }
                precondition(HostProcess.isBlocked && !HostProcess.isWaiting)
                raise(SIGPIPE)
                guard case .failed = Socket.sendFile(ours, file.descriptor, 0..<100) else { fatalError() }
                precondition(HostProcess.isBlocked && HostProcess.isWaiting)
            }
        }

        @Test func `a process that is a server gives memory back once a burst is over`() async {
            await #expect(processExitsWith: .success) {
                ProcessMemory.giveBackWhenFreed()
                let echo = try EchoServer(loops: 1)
                let port = echo.port
                try await blocking {
                    let client = try WireClient(port: port)
                    for _ in 0..<1_100 { _ = try client.request("GET", "/a") }
                }
                let isGivenBack = try await until({ ProcessMemory.returnCount }, is: 1)
                precondition(isGivenBack)
                await echo.server.stop()
            }
        }

        @Test func `a process that is a server gives back what work beside its loops has left free, if it has grown`()
            async
        {
            await #expect(processExitsWith: .success) {
                let workers = BackgroundWorkers(width: 1, limit: .max)
                /// 128 bytes in each block, so that they come from the heap; the last one is kept, and with it the heap's end.
                @Sendable func leave(_ size: Int) {
                    let blocks = (0..<size / 128).map { _ in
                        UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16).initializeMemory(
                            as: UInt8.self, repeating: 1, count: 128)
                    }
                    for block in blocks.dropLast() { block.deallocate() }
                }
                @Sendable func dear() {
                    let start = Clock.thread()
                    while Clock.thread() - start < 60_000_000 {}
                }
                func run(_ work: @escaping @Sendable () -> Void) async {
                    await withCheckedContinuation { continuation in
                        _ = workers.add(work)
                        _ = workers.add { continuation.resume() }
                    }
                }
                await run { leave(32 << 20) }
                precondition(ProcessMemory.returnCount == 0)
                ProcessMemory.giveBackWhenFreed()
                await run(dear)
                let settled = ProcessMemory.returnCount
                await run(dear)
                precondition(ProcessMemory.returnCount == settled)
                for count in 1...3 {
                    await run { leave(32 << 20) }
                    precondition(ProcessMemory.returnCount == settled + count)
                }
                // A response is in use until it has been sent; its memory goes back before the next work.
                let made = Mutex<[[UInt8]]>([])
                await run {
                    let blocks = (0..<(48 << 20) / 128).map { _ in [UInt8](repeating: 1, count: 80) }
                    made.withLock { $0 = blocks }
                    dear()
                }
                let sent = ProcessMemory.returnCount
                made.withLock { $0 = $0.suffix(1) }
                await run {}
                precondition(ProcessMemory.returnCount == sent + 1)
            }
        }
    }

    /// The signal settings of the thread at hand, and what tests send over.
    enum HostProcess {
        static func file(_ count: Int) throws -> OpenFile {
            guard let file = tmpfile() else { throw SystemError(call: "tmpfile", code: errno) }
            defer { fclose(file) }
            let bytes = [UInt8](repeating: 1, count: count)
            guard fwrite(bytes, 1, count, file) == count, fflush(file) == 0 else {
                throw SystemError(call: "fwrite", code: errno)
            }
            return OpenFile(descriptor: dup(fileno(file)))
        }

        static func pair() throws -> (Int32, Int32) {
            var descriptors: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0 else {
                throw SystemError(call: "socketpair", code: errno)
            }
            return (descriptors[0], descriptors[1])
        }

        private static var pipeSignal: sigset_t {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGPIPE)
            return set
        }

        static func block() {
            var set = pipeSignal
            pthread_sigmask(SIG_BLOCK, &set, nil)
        }

        static var isBlocked: Bool {
            var set = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &set)
            return sigismember(&set, SIGPIPE) == 1
        }

        static var isWaiting: Bool {
            var set = sigset_t()
            sigpending(&set)
            return sigismember(&set, SIGPIPE) == 1
        }
    }
#endif
