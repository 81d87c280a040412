// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Hears SIGHUP: somebody wants the fixtures read again, or the terminal has gone that the command was started from.
///
/// `@unchecked Sendable`: `source` is set by `init`, and only kept from then on.
final class HangUpSignal: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    /// - Parameters:
    ///   - reload: called for each signal that asks for it, one at a time.
    ///   - end: called when the terminal has gone, unless the command should outlive that (nohup).
    init(reload: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        // Compares two addresses, since a value need not be the address of a function.
        let outlives = unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        let hadTerminal = Self.hasTerminal
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "mockapi.hangup"))
        source.setEventHandler {
            if !outlives, hadTerminal, !Self.hasTerminal { end() } else { reload() }
        }
        source.activate()
    }

    /// Whether the process has a controlling terminal that is still there.
    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return isatty(descriptor) == 1
    }
}
