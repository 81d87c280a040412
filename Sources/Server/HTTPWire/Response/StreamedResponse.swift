// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A response whose head and content come one after another from elsewhere, while it is sent.
///
/// The producer calls `begin`, `send` as often as there is content, and `finish` or `fail`; from any thread, one call after the other.
/// The connection takes the parts that have come by `next`, on its loop.
package final class StreamedResponse: Sendable {
    /// Bytes that wait to be sent before `send` waits. 256 KiB.
    package static let highWater = 256 * 1024

    /// The value that the handler which made the response keeps with it.
    package let context: (any Sendable)?

    private let state = Mutex(StreamedResponseState())

    /// Whether a client that has ended its side still gets the response.
    package let outlastsClientEnd: Bool

    /// The change to the head, wherever it comes from, before it is sent.
    private let adapt: (@Sendable (ResponseHead) -> ResponseHead)?

    /// - Parameters:
    ///   - outlastsClientEnd: whether nothing is spared by giving up a response when the client has only ended its
    ///     side.
    ///   - adapt: the change to the head before it is sent; nil leaves it as it is.
    package init(
        context: (any Sendable)? = nil, outlastsClientEnd: Bool = false,
        adapt: (@Sendable (ResponseHead) -> ResponseHead)? = nil
    ) {
        self.context = context
        self.outlastsClientEnd = outlastsClientEnd
        self.adapt = adapt
    }

    // MARK: The producer's side

    /// The head. With `.chunked` framing the content has any length; with a length it has that.
    package func begin(_ head: ResponseHead) {
        let head = adapt?(head) ?? head
        change { $0.begin(.head(head)) }
    }

    /// The next bytes of the content; waits while too many wait to be sent.
    ///
    /// - Returns: false once the client has gone.
    package func send(_ bytes: [UInt8]) async -> Bool {
        push(bytes)
        return await waitForRoom()
    }

    /// Waits while too many bytes wait to be sent.
    ///
    /// - Returns: false once the client has gone.
    package func waitForRoom() async -> Bool {
        if let leave = room { return leave }
        return await withCheckedContinuation { continuation in
            if let leave = room(orThen: { continuation.resume(returning: $0) }) {
                continuation.resume(returning: leave)
            }
        }
    }

    /// The next bytes of the content, however many wait; a producer that does not look for `room` has no bound.
    package func push(_ bytes: [UInt8]) {
        change { $0.append(bytes) }
    }

    /// Whether more may be sent; false once the client has gone, nil while too many bytes wait.
    package var room: Bool? { state.withLock { $0.leave } }

    /// The same; if it cannot be said yet, a function is called with it, once and from any thread, as soon as it can.
    package func room(orThen tell: @escaping @Sendable (Bool) -> Void) -> Bool? {
        state.withLock { state in
            let leave = state.leave
            if leave == nil { state.senders.append(tell) }
            return leave
        }
    }

    /// The response is complete.
    package func finish(trailers: [WireField] = []) {
        let trailers = WireField.trailers(trailers)
        change { $0.end(.end(trailers)) }
    }

    /// The response ends before it is complete: the client sees that it is broken off. Before `begin` it is one without a head.
    package func fail() {
        change { $0.end(.failure) }
    }

    /// Responds in full, in place of `begin` and all after it.
    package func respond(with response: Response) {
        var adapted = response
        if let adapt { adapted.head = adapt(response.head) }
        respond(withAdapted: adapted)
    }

    /// Responds in full with a response whose head is as it is to be sent.
    package func respond(withAdapted response: Response) {
        change { $0.begin(.response(response)) }
    }

    /// Calls back once, from any thread, when the client has gone before the producer was done; at once if it has already.
    package func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            if !state.isAbandoned { state.actions.append(action) }
            return state.isAbandoned
        }
        if isDue { action() }
    }

    /// Calls back once, from any thread, when the client has ended its side before the producer was done; at once if it has already.
    package func whenClientEnds(_ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            if !state.hasClientEnded, !state.isClosed { state.ends.append(action) }
            return state.hasClientEnded
        }
        if isDue { action() }
    }

    /// Changes the state, and wakes the connection if it waits for that.
    private func change(_ body: (inout StreamedResponseState) -> Void) {
        let wake = state.withLock { state in
            body(&state)
            return state.takeWake()
        }
        wake?()
    }

    // MARK: The connection's side

    /// Sets a function that is called, from any thread, when there is more to take than there was when `next` gave nothing.
    package func attach(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Bytes that wait to be taken.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Takes the next part; nil if nothing has come yet, and after the end.
    package func next() -> StreamPart? {
        let (part, senders) = state.withLock { state in (state.next(), state.takeSenders()) }
        for sender in senders { sender(true) }
        return part
    }

    /// Takes the end, if nothing is left before it: its trailers. If nothing has come, the connection is woken when something has.
    package func takeEnd() -> [WireField]? {
        state.withLock { $0.takeEnd() }
    }

    /// Throws away the parts that are here and those still to come: the client has all that it is to have.
    package func discard() {
        let senders = state.withLock { state in
            state.close()
            return state.takeSenders()
        }
        for sender in senders { sender(true) }
    }

    /// The client has ended its side; the response goes on.
    package func noteClientEnd() {
        let actions = state.withLock { $0.noteClientEnd() }
        for action in actions { action() }
    }

    /// The client has gone; nothing is changed if all was taken.
    package func abandon() {
        let (senders, actions) = state.withLock { $0.abandon() }
        for sender in senders { sender(false) }
        for action in actions { action() }
    }
}
