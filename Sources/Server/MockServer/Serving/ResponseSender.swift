// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPWire
import Synchronization

/// A request whose response is made beside its loop, or elsewhere.
///
/// `@unchecked Sendable`: the variables are touched only on the loop that the request came by, where `start`, the closures of `carry` and
/// `began` run; work beside it is given the note, which does not change.
final class DeferredRequest: @unchecked Sendable {
    /// Where the response comes from.
    enum Origin {
        case here
        /// Another server, for a stub; without a stub, the proxy for unmatched requests.
        case elsewhere(MatchedStub?)
    }

    let note: PendingEntry
    var origin = Origin.here
    /// Whether the client had gone before there was a response.
    var hasGone = false
    /// Whether it has been noted when it came.
    var hasArrived = false
    /// Its entry in the journal; nil if it has none yet.
    var place: JournalRing.Place?

    init(_ note: PendingEntry) {
        self.note = note
    }
}

/// The one chance to respond later to a request: it is used up by the response, or by the code that is to make one.
///
/// One that comes to nothing breaks its response off, so that no client waits for ever.
struct ResponseSender: ~Copyable, Sendable {
    let request: DeferredRequest
    let stream: StreamedResponse
    private var isUsed = false

    var note: PendingEntry { request.note }

    init(_ request: DeferredRequest, _ stream: StreamedResponse) {
        self.request = request
        self.stream = stream
    }

    /// - Parameter response: as it is to be sent.
    consuming func send(_ response: Response) {
        isUsed = true
        stream.respond(withAdapted: response)
    }

    /// Leaves the response to a producer.
    consuming func handOver() -> StreamedResponse {
        isUsed = true
        return stream
    }

    deinit {
        if !isUsed { stream.fail() }
    }
}

/// Carries a sender through work beside its loop, whose closure can be called any number of times: the first to ask has it.
private final class CarriedSender: Sendable {
    private let sender: Mutex<ResponseSender?>

    init(_ sender: consuming ResponseSender) {
        self.sender = Mutex(sender)
    }

    func take() -> ResponseSender? { sender.withLock { $0.take() } }
}

/// The way back to a responder's loop from work that is done beside it.
///
/// `@unchecked Sendable`: other threads carry the responder without touching it; only the work that `run` puts on its loop does. The loop is
/// Sendable by itself.
private struct LoopReturn: @unchecked Sendable {
    let responder: Responder
    let loop: EventLoop

    /// Runs work on the loop, from whatever thread it is called.
    func run(_ work: @escaping @Sendable (Responder) -> Void) {
        loop.execute { _ in work(responder) }
    }
}

extension Responder {
    /// Runs work beside the loop, and uses its result on it.
    ///
    /// - Parameters:
    ///   - use: called once, on the loop, with the result.
    ///   - start: starts the work, and calls the closure that it gets with the result, from any thread; false if too much is
    ///     under way.
    /// - Returns: the sender if the work is not taken.
    func carry<Result: Sendable>(
        _ sender: consuming ResponseSender,
        use: @escaping @Sendable (Responder, Result, consuming ResponseSender) -> Void,
        start: (@escaping @Sendable (Result) -> Void) -> Bool
    ) -> ResponseSender? {
        guard let eventLoop else { return sender }
        let back = LoopReturn(responder: self, loop: eventLoop)
        let carried = CarriedSender(sender)
        let isTaken = start { result in
            back.run { responder in
                if let sender = carried.take() { use(responder, result, sender) }
            }
        }
        return isTaken ? nil : carried.take()
    }
}
