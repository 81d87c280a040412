// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits for SIGINT or SIGTERM; a second one ends the process at once.
///
/// `@unchecked Sendable`: `sources` is set by `init`, and only kept from then on.
final class StopSignals: @unchecked Sendable {
    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The default action is back for the next.
                signal(number, SIG_DFL)
                continuation.yield()
            }
            source.activate()
            return source
        }
        // A log that nobody reads must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    func first() async {
        for await _ in stream { return }
    }
}
