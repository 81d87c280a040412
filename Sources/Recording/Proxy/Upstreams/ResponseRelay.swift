// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Dispatch
package import MockapiContentCodings
package import MockapiHTTPWire
package import MockapiUpstream

/// An upstream's response on its way to the client of a proxy.
///
/// Text is held back for a moment, until it is known whether a URL of an upstream stands in it: if none does it passes as it came, with its
/// length, its tag and its coding. Text that does not come whole in time is decoded and rewritten as it streams.
///
///     begin ─▶ (push, advance…)* ─▶ decide ─▶ advance… ─▶ finish
///
/// `@unchecked Sendable`: it is used on one serial queue.
package final class ResponseRelay: @unchecked Sendable {
    /// The result of `advance`.
    package enum Step {
        /// There is nothing to do until more is pushed.
        case idle
        /// Something was done, and there may be more.
        case moved
        /// The client has to take the waiting bytes first.
        case full
        /// The client has gone.
        case gone
    }

    private enum Mode {
        /// The head and the bytes after it wait for the end of the text, or for its time.
        case held
        /// The result for the whole text is known.
        case decided(SeenHead.Content, [UInt8])
        case passing
        case rewriting(ContentRewriter)
    }

    /// Text that is held back. 64 KiB.
    static let heldLimit = 64 * 1024
    /// How long text is held back. 20 ms.
    private static let heldTime = DispatchTimeInterval.milliseconds(20)
    /// Pieces of 64 KiB that are made at once if nobody asks for the next. 4.
    private static let piecesAtOnce = 4

    private let streamed: StreamedResponse
    private let isHead: Bool
    private let view: ProxyView
    private let limit: DecodedLimit
    private let queue: DispatchQueue
    private var seen: SeenHead?
    private var mode = Mode.passing
    /// The text that is held back.
    private var held: [UInt8] = []
    private var isTimed = false
    /// Bytes to the end of the content if its length was announced and stays.
    private var remaining: Int?
    /// The bytes that complete an announced length.
    private var last: [UInt8] = []
    /// Whether the client's response has begun.
    package private(set) var hasBegun = false
    /// Whether the client's response cannot be completed, though the recorded one can.
    package private(set) var isBroken = false
    /// Why it cannot, if the reason is in the content; in words.
    package private(set) var failure: String?

    /// - Parameter queue: the queue that it is used on.
    package init(
        _ streamed: StreamedResponse, isHead: Bool, seenAs view: ProxyView, limit: DecodedLimit, queue: DispatchQueue
    ) {
        self.streamed = streamed
        self.isHead = isHead
        self.view = view
        self.limit = limit
        self.queue = queue
    }

    package func begin(_ head: ReceivedHead) {
        let seen = SeenHead(head, isHead: isHead, view: view)
        self.seen = seen
        // A part is one of the bytes that the upstream has.
        if seen.hasContent, head.status != 206, ContentRewriter.mayRewrite(head, limit: limit) {
            mode = .held
        } else {
            if seen.hasContent { remaining = seen.length }
            start(.untouched)
        }
    }

    private func start(_ content: SeenHead.Content) {
        guard let seen, !hasBegun else { return }
        hasBegun = true
        streamed.begin(seen.responseHead(content))
    }

    /// Takes the next bytes of the content.
    package func push(_ bytes: [UInt8]) {
        if isBroken { return }
        switch mode {
        case .held:
            if held.isEmpty { held = bytes } else { held += bytes }
            if held.count > Self.heldLimit { stream() }
        case .decided: break
        case .passing: pass(bytes)
        case .rewriting(let rewriter): rewriter.push(bytes)
        }
    }

    private func pass(_ bytes: [UInt8]) {
        if let left = remaining {
            remaining = left - bytes.count
            // The last bytes go together with the end: when the client has them the exchange is on its way to be recorded, before that of
            // the client's next request.
            if left <= bytes.count {
                last = last.isEmpty ? bytes : last + bytes
                return
            }
        }
        streamed.push(bytes)
    }

    /// Nothing more has come for now: held bytes go out soon, whether the text is whole by then or not.
    package func pause() {
        guard case .held = mode, !isTimed, seen != nil else { return }
        isTimed = true
        queue.asyncAfter(deadline: .now() + Self.heldTime) { [weak self] in
            guard let self, case .held = mode, !isBroken else { return }
            stream()
            // The rest of it, if a few bytes stand for very many, goes out with the next bytes.
            for _ in 0..<Self.piecesAtOnce { guard case .moved = advance() else { return } }
        }
    }

    /// Rewrites the held bytes and those after them, as they come; content that is not of its coding passes as it came.
    private func stream() {
        guard let seen, let rewriter = ContentRewriter(seen.head, seenAs: view, limit: limit) else { return }
        let bytes = held
        held = []
        if ContentRewriter.isMiscoded(bytes, seen.head, limit: limit) {
            mode = .passing
            remaining = seen.length
            start(.untouched)
            return pass(bytes)
        }
        start(.rewritten(length: nil))
        rewriter.push(bytes)
        mode = .rewriting(rewriter)
    }

    /// Does the next piece of the work on the pushed bytes.
    package func advance() -> Step {
        if isBroken { return .idle }
        switch streamed.room {
        case nil: return .full
        case false: return .gone
        default: break
        }
        guard case .rewriting(var rewriter) = mode else { return .idle }
        do throws(DecodingFailure) {
            let piece = try rewriter.pull()
            mode = .rewriting(rewriter)
            guard let piece else { return .idle }
            streamed.push(piece)
            return .moved
        } catch {
            breakOff(error)
            return .idle
        }
    }

    /// The same until all is done; for a task.
    ///
    /// - Returns: false once the client has gone.
    package func advanceAll() async -> Bool {
        var pieces = 0
        while true {
            switch advance() {
            case .idle: return true
            case .gone: return false
            case .full: guard await streamed.waitForRoom() else { return false }
            case .moved:
                pieces += 1
                // Other work that waits for this queue has its turn.
                if pieces.isMultiple(of: Self.piecesAtOnce) { await Task.yield() }
            }
        }
    }

    private func breakOff(_ error: DecodingFailure) {
        isBroken = true
        failure = "the client's answer was broken off: \(error)"
        streamed.fail()
    }

    /// All of the content has been pushed; `advance` may have more to do now.
    package func decide() {
        guard case .held = mode, let seen, !isBroken else { return }
        switch ContentRewriter.judge(held, seen.head, seenAs: view, limit: limit) {
        case .untouched: mode = .decided(.untouched, held)
        case .rewritten(let text): mode = .decided(.rewritten(length: text.count), text)
        case .tooLong: stream()
        }
        held = []
    }

    /// The response is complete.
    package func finish(_ trailers: [UpstreamField]) {
        if isBroken { return }
        switch mode {
        case .held: break
        case .decided(.rewritten, let bytes):
            // A response with trailers is sent in chunks.
            start(.rewritten(length: trailers.isEmpty ? bytes.count : nil))
            streamed.push(bytes)
        case .decided(let content, let bytes):
            start(content)
            streamed.push(bytes)
        case .passing: streamed.push(last)
        case .rewriting(var rewriter):
            do throws(DecodingFailure) {
                streamed.push(try rewriter.finish())
            } catch {
                return breakOff(error)
            }
        }
        streamed.finish(trailers: trailers.map { WireField($0.name, bytes: $0.bytes) })
    }

    /// The response ends before it is complete.
    package func fail() {
        if !isBroken { streamed.fail() }
        isBroken = true
    }
}
