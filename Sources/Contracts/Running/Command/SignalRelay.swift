// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Passes the signals that come to this process on to the commands that it runs, and ends by none of them itself.
///
/// A signal from the keys of a terminal reaches all of the foreground's process group without help, and is not sent
/// twice. A signal that was ignored when this process began stays so, for the commands too (nohup).
///
/// `@unchecked Sendable`: `source` is set by `init`, and only kept from then on.
package final class SignalRelay: @unchecked Sendable {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// Where the handler writes to; -1 while there is nobody to read it.
    private static let writeEnd = Atomic<Int32>(-1)

    /// The signals that were ignored when `begin` was called.
    static let ignoredAtStart: Set<Int32> = Set(
        (numbers + [SIGPIPE]).filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            #if canImport(Glibc)
                let handler = action.__sigaction_handler.sa_handler
            #else
                let handler = action.__sigaction_u.__sa_handler
            #endif
            // Compares two addresses, since a value need not be the address of a function.
            return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        })

    /// Notes the ignored signals, before this process ignores any itself.
    package static func begin() { _ = ignoredAtStart }

    private struct State {
        var children: [ChildProcess] = []
        var interruption: Int32?
    }

    private let state = Mutex(State())
    private let noticed: @Sendable (Int32) -> Void
    private let source: any DispatchSourceRead

    /// There is one at a time.
    ///
    /// - Parameter noticed: called with each signal that came.
    package init(noticed: @escaping @Sendable (Int32) -> Void = { _ in }) {
        self.noticed = noticed
        let ignored = Self.ignoredAtStart
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        let reader = ends[0]
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: DispatchQueue(label: "mockapi.signals"))
        source.setEventHandler { [weak self] in
            var bytes: [UInt8] = [0, 0]
            while read(reader, &bytes, 2) == 2 { self?.relay(Int32(bytes[0]), isOfTerminal: bytes[1] != 0) }
        }
        source.activate()
        for number in Self.numbers where !ignored.contains(number) { Self.handle(number) }
        // Output that nobody reads must not end this process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Passes the signals of this process on to a command, too, until it ends.
    package func add(_ child: ChildProcess) {
        let missed = state.withLock { state in
            state.children.append(child)
            return state.interruption
        }
        // One that came before there was a command ends it as it would have ended this process.
        if let missed { child.send(missed) }
    }

    package func remove(_ child: ChildProcess) {
        state.withLock { state in state.children.removeAll { $0 === child } }
    }

    /// The signal that asked this process to end; nil if none did.
    package var interruption: Int32? { state.withLock { $0.interruption } }

    private func relay(_ number: Int32, isOfTerminal: Bool) {
        let children = state.withLock { state in
            if [SIGHUP, SIGINT, SIGQUIT, SIGTERM].contains(number) { state.interruption = number }
            return state.children
        }
        for child in children where !(isOfTerminal && !child.leadsGroup) { child.send(number) }
        noticed(number)
    }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        action.sa_flags = SA_SIGINFO | Int32(SA_RESTART)
        let handler: @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
            number, information, _ in
            let saved = errno
            #if canImport(Glibc)
                let isOfTerminal = (information?.pointee.si_code ?? 0) > 0
            #else
                let isOfTerminal = information?.pointee.si_pid == 0
            #endif
            // Two bytes that go out as one (PIPE_BUF): the number, and the sender.
            var word = UInt16(littleEndian: UInt16(truncatingIfNeeded: number) | (isOfTerminal ? 0x100 : 0))
            _ = write(SignalRelay.writeEnd.load(ordering: .relaxed), &word, 2)
            errno = saved
        }
        #if canImport(Glibc)
            action.__sigaction_handler.sa_sigaction = handler
        #else
            action.__sigaction_u.__sa_sigaction = handler
        #endif
        sigaction(number, &action, nil)
    }
}
