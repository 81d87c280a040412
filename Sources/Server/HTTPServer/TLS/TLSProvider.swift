// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Sets TLS up when the first client asks for it: a server that nobody asks pays nothing.
final class TLSProvider: Sendable {
    private enum State {
        case unused
        case ready(TLSContext)
        case failed
    }

    private let settings: TLSSettings
    private let report: @Sendable (TLSError) -> Void
    private let state = Mutex(State.unused)

    init(_ settings: TLSSettings, report: @escaping @Sendable (TLSError) -> Void) {
        self.settings = settings
        self.report = report
    }

    /// The context; nil if it cannot be set up, which is reported once.
    var context: TLSContext? {
        state.withLock { state in
            switch state {
            case .ready(let context): return context
            case .failed: return nil
            case .unused: break
            }
            do throws(TLSError) {
                let context = try TLSContext(settings)
                state = .ready(context)
                return context
            } catch {
                state = .failed
                report(error)
                return nil
            }
        }
    }
}
