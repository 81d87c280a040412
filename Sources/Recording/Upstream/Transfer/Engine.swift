// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import Dispatch

/// The one queue of a client: its running transfers, and the connections of each protocol.
///
/// The protocols have multi handles of their own, since libcurl 7.88 would send the preface of HTTP/2 on a connection that has spoken
/// HTTP/1.1 before.
///
/// `@unchecked Sendable`: everything stored that varies is touched only on `queue`, which is serial; `cancel` and `release`, which may be
/// called from elsewhere, only go there.
final class Engine: @unchecked Sendable {
    let configuration: UpstreamConfiguration
    let queue: DispatchQueue
    private var multis: [UpstreamProtocol: Multi] = [:]
    /// Keyed by their easy handles; the pointers that libcurl has of a transfer are valid while it is in here.
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var isReleased = false
    /// When the last transfer has ended, in nanoseconds.
    private var restsSince: UInt64 = 0
    /// Whether a look is due at whether it rests.
    private var isLookDue = false
    var priorKnowledge = PriorKnowledge()

    /// - Parameter queue: a serial one, which others may use too; nil for one of its own.
    init(_ configuration: UpstreamConfiguration, queue: DispatchQueue?) {
        self.configuration = configuration
        self.queue = queue ?? DispatchQueue(label: "mockapi.upstream", qos: .userInitiated)
    }

    /// Ends a transfer at once, or keeps it from beginning.
    func cancel(_ transfer: Transfer) {
        queue.async {
            guard !transfer.hasEnded else { return }
            transfer.discard()
            self.end(transfer, .cancelled("the request was cancelled"))
        }
    }

    /// Closes the connections once nothing runs any more.
    func release() {
        queue.async {
            self.isReleased = true
            self.closeWhenIdle()
        }
    }

    /// Closes the connections that are kept if nobody can send by them any more, or nothing was sent by them for some time: libcurl looks at
    /// them only when there is something to send, and keeps those too that their servers have closed.
    private func closeWhenIdle() {
        guard running.isEmpty, !multis.isEmpty else { return }
        if isReleased { return close() }
        restsSince = DispatchTime.now().uptimeNanoseconds
        if !isLookDue { lookLater() }
    }

    private func lookLater() {
        isLookDue = true
        let start = restsSince
        let end = DispatchTime(uptimeNanoseconds: start) + .milliseconds(configuration.keepsIdle.milliseconds)
        queue.asyncAfter(deadline: end) { [weak self] in
            guard let self else { return }
            isLookDue = false
            guard running.isEmpty, !multis.isEmpty else { return }
            // Something may have been sent meanwhile.
            if restsSince == start { close() } else { lookLater() }
        }
    }

    private func close() {
        for multi in multis.values { multi.close() }
        multis = [:]
    }

    private func multi(_ version: UpstreamProtocol) -> Multi? {
        if let multi = multis[version] { return multi }
        let multi = Multi(version, configuration, queue: queue) { [unowned self] _, easy, code in
            if let transfer = running[easy], !retry(transfer), !sendAgain(transfer, code) { end(transfer, .done(code)) }
        } saidNothing: { [unowned self] easy in
            // Chunks have extensions, and come after the head of HTTP/1; a head is bounded by itself.
            guard let transfer = running[easy], transfer.assembler.isFinal,
                transfer.assembler.heads.last?.version != .http2
            else { return }
            let text = "more than \(Multi.silentLimit) bytes in a row belong to no response; mend the server"
            end(transfer, .failed(transfer.error(.tooLarge, text)))
        }
        multis[version] = multi
        return multi
    }
}

// On the queue only.
extension Engine {
    /// Begins a transfer that nothing has ended yet.
    func start(_ transfer: Transfer) {
        guard !transfer.hasEnded else { return transfer.report() }
        if let failure = ccurl_load() {
            return end(transfer, .failed(transfer.error(.libraryMissing, String(cString: failure))))
        }
        guard transfer.request.version == .h2c, PriorKnowledge.isNeeded(version: ccurl_version_number()) else {
            return begin(transfer, .any)
        }
        if !priorKnowledge.wait(transfer) { begin(transfer, .oldConnection) }
    }

    func begin(_ transfer: Transfer, _ way: ConnectionWay) {
        guard let multi = multi(transfer.request.version), let easy = ccurl_easy_init() else {
            return end(transfer, .failed(transfer.error(.libraryMissing, "libcurl is out of memory; free some")))
        }
        do throws(UpstreamError) {
            try transfer.open(easy, on: self, multi, way)
        } catch {
            return end(transfer, .failed(error))
        }
        running[easy] = transfer
        if let failure = multi.add(easy) {
            end(transfer, .failed(transfer.error(.libraryMissing, "libcurl takes no request: \(failure)")))
        }
    }

    /// Sends a request once more, on another connection, if the server gave up the first before it responded (RFC 9113 §6.8).
    ///
    /// - Returns: false if that is not so, or it may not be sent again.
    private func sendAgain(_ transfer: Transfer, _ code: CURLcode) -> Bool {
        guard transfer.isGivenUp(code) else { return false }
        detach(transfer)
        start(transfer)
        return true
    }

    /// Ends a transfer and calls its waiters; not to be called out of a callback.
    func end(_ transfer: Transfer, _ ending: Transfer.Ending) {
        guard !transfer.hasEnded else { return }
        transfer.settle(ending)
        detach(transfer)
        transfer.report()
        release(waitingFor: transfer, transfer.reason)
        closeWhenIdle()
    }

    /// Takes a transfer from libcurl; not to be called out of a callback.
    func detach(_ transfer: Transfer) {
        if let easy = transfer.easy, running.removeValue(forKey: easy) != nil { transfer.multi?.remove(easy) }
        transfer.close()
    }

    /// Hands a consumer the content that has come, or the end.
    func take(_ transfer: Transfer, _ taker: Transfer.Taker) {
        transfer.take(taker)
    }
}
