// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import Dispatch

// On the queue only.
extension Engine {
    /// The connection of a transfer that makes one stands; called out of a callback.
    func connected(_ transfer: Transfer) {
        queue.async { self.release(waitingFor: transfer, nil) }
    }

    /// Lets those go on, or fail for the same reason, that wait for a transfer's connection.
    func release(waitingFor transfer: Transfer, _ failure: UpstreamError?) {
        guard transfer.isLeading else { return }
        transfer.isLeading = false
        for other in priorKnowledge.release(transfer.origin) {
            switch failure?.kind {
            case .resolve?, .connect?, .timeout(.connect)?:
                end(other, .failed(other.error(failure?.kind ?? .connect, failure?.text ?? "")))
            default: start(other)
            }
        }
    }

    /// Makes a transfer that found no connection open one, or wait for that of another.
    ///
    /// - Returns: false if it has not been refused one, or cannot be sent again.
    func retry(_ transfer: Transfer) -> Bool {
        guard transfer.wasRefused, transfer.source?.canRestart ?? true else { return false }
        detach(transfer)
        if !priorKnowledge.wait(transfer) {
            priorKnowledge.lead(transfer)
            transfer.isLeading = true
            begin(transfer, .newConnection)
        }
        return true
    }
}
