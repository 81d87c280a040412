// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits for SIGINT or SIGTERM; a second one ends the process at once, with 128 and the signal's number.
///
/// The signals stay ignored, and are heard by a thread: a default action would not end the first process of a container.
///
/// `@unchecked Sendable`: `sources` is set by `init`, and only kept from then on.
final class StopSignals: @unchecked Sendable {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private static let numbers = [SIGINT, SIGTERM]

    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]
    private let flag: Flag

    /// Whether one has come, so that the next ends the process.
    var hasCome: Bool { flag.isSet.load(ordering: .relaxed) }

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        self.continuation = continuation
        // A queue of its own has a thread even if all shared ones are busy.
        let queue = DispatchQueue(label: "mockapi.signals")
        let flag = Flag()
        self.flag = flag
        // Until a source is registered, which happens on another thread, a signal that is ignored is lost.
        let registered = DispatchSemaphore(value: 0)
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if flag.isSet.exchange(true, ordering: .relaxed) { _exit(128 + number) }
                continuation.yield()
            }
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            return source
        }
        for _ in Self.numbers { registered.wait() }
        // A log that nobody reads must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    func first() async {
        for await _ in stream { return }
    }

    /// Makes `first` return as a signal would.
    func stop() {
        continuation.yield()
    }

    /// Gives the signals their default action back: there is nothing left to be ended in order.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
