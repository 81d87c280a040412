// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Synchronization

/// How far a fetch is, over all the requests that its redirections make of it.
final class ProgressMeter: Sendable {
    private struct Counts {
        var sent = 0
        var toSend = 0
        var received = 0
        var toReceive: Int?
    }

    private let counts = Mutex(Counts())
    private let tell: (@Sendable (TransferProgress) -> Void)?

    init(_ tell: (@Sendable (TransferProgress) -> Void)?) {
        self.tell = tell
    }

    /// Whether somebody wants to know.
    var isRead: Bool { tell != nil }

    /// One more request is about to be sent; the unsent content of an earlier one does not come any more.
    func willSend(_ count: Int) {
        counts.withLock { $0.toSend = $0.sent + count }
    }

    func sent(_ count: Int) {
        report { $0.sent += count }
    }

    func willReceive(_ count: Int?) {
        counts.withLock { $0.toReceive = count }
    }

    func received(_ count: Int) {
        report { $0.received += count }
    }

    /// All has come.
    func finish() {
        report { counts in
            counts.toSend = counts.sent
            counts.toReceive = counts.received
        }
    }

    private func report(_ change: (inout Counts) -> Void) {
        guard let tell else { return }
        let progress = counts.withLock { counts in
            change(&counts)
            let total = counts.toReceive.map { Int64(counts.toSend + $0) }
            return TransferProgress(completed: Int64(counts.sent + counts.received), total: total)
        }
        tell(progress)
    }
}
