// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire
import Upstream

/// An upstream's answer on its way to the client of a proxy; used by one task at a time.
final class AnswerRelay {
    private let live: LiveAnswer
    private let method: String
    private let view: ProxyView
    private var rewriter: ContentRewriter?
    /// Bytes to the end of the content where its length was announced and stays.
    private var remaining: Int?
    /// The bytes that complete an announced length.
    private var last: [UInt8] = []
    private(set) var hasBegun = false
    /// What the client gets cannot be completed, though what is recorded can.
    private(set) var isBroken = false
    /// Why it cannot, where the reason is in the content; in words.
    private(set) var failure: String?
    private let limit: DecodedLimit

    init(_ live: LiveAnswer, method: String, seenAs view: ProxyView, limit: DecodedLimit) {
        self.live = live
        self.method = method
        self.view = view
        self.limit = limit
    }

    func begin(_ head: UpstreamHead) {
        let hasContent = method != "HEAD" && head.status != 204 && head.status != 304
        rewriter = ContentRewriter(head, seenAs: view, limit: limit)
        let seen = SeenHead(head, rewriter: rewriter, hasContent: hasContent, isHead: method == "HEAD", view: view)
        if !hasContent { rewriter = nil }
        if case .length(let length) = seen.framing, hasContent { remaining = length }
        hasBegun = true
        live.begin(seen.responseHead)
    }

    /// Passes content on.
    ///
    /// - Returns: false once the client has gone.
    func send(_ bytes: [UInt8]) async -> Bool {
        if isBroken { return true }
        guard rewriter == nil else { return await sendRewritten(bytes) }
        if let left = remaining {
            remaining = left - bytes.count
            // The last bytes go together with the end: when the client has them the exchange is on its way to be recorded, before that of
            // the client's next request.
            if left <= bytes.count {
                last += bytes
                return true
            }
        }
        return await live.send(bytes)
    }

    private func sendRewritten(_ bytes: [UInt8]) async -> Bool {
        rewriter?.push(bytes)
        do throws(RecordingError) {
            var pieces = 0
            while let output = try rewriter?.pull() {
                if !output.isEmpty, !(await live.send(output)) { return false }
                pieces += 1
                // What else waits for this queue has its turn.
                if pieces.isMultiple(of: 4) { await Task.yield() }
            }
        } catch {
            breakOff(error)
        }
        return true
    }

    private func breakOff(_ error: RecordingError) {
        isBroken = true
        failure = "the client's answer was broken off: \(error)"
        live.fail()
    }

    /// The answer is complete.
    func finish(_ trailers: [UpstreamField]) async {
        if isBroken { return }
        do throws(RecordingError) {
            if let rest = try rewriter?.finish(), !rest.isEmpty { _ = await live.send(rest) }
        } catch {
            return breakOff(error)
        }
        if !last.isEmpty { _ = await live.send(last) }
        live.finish(trailers: trailers.map { WireField($0.name, $0.value) })
    }

    /// The answer ends before it is complete.
    func fail() {
        if !isBroken { live.fail() }
        isBroken = true
    }
}
