// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The part of a streamed response that has come and has not been taken.
struct StreamedResponseState {
    /// How far the producer is.
    private enum Phase {
        case begins
        case goesOn
        case ended
    }

    private var phase = Phase.begins
    /// The parts that are still to be taken, from `first` on.
    private var parts: [StreamPart] = []
    private var first = 0
    /// Bytes of content among the parts.
    private(set) var waiting = 0
    /// Whether nothing more is taken.
    private(set) var isClosed = false
    private(set) var isAbandoned = false
    /// Whether the connection has found nothing and waits to be woken.
    private var isAwaited = false
    var wake: (@Sendable () -> Void)?
    /// The producer that waits for room.
    var senders: [@Sendable (Bool) -> Void] = []
    var actions: [@Sendable () -> Void] = []
    private(set) var hasClientEnded = false
    /// The functions to call when the client ends its side.
    var ends: [@Sendable () -> Void] = []

    // MARK: The producer's side

    /// - Parameter part: a head or a response; any part after the first is passed over.
    mutating func begin(_ part: StreamPart) {
        guard phase == .begins else { return }
        append(part)
        if case .response = part { end() } else { phase = .goesOn }
    }

    /// Content without a head before it is passed over, as is content after the end.
    mutating func append(_ bytes: [UInt8]) {
        guard phase == .goesOn, !isClosed, !bytes.isEmpty else { return }
        append(.content(bytes))
        waiting += bytes.count
    }

    /// - Parameter part: the end or the failure; an end without a head is a failure.
    mutating func end(_ part: StreamPart) {
        guard phase != .ended else { return }
        append(phase == .begins ? .failure : part)
        end()
    }

    private mutating func end() {
        phase = .ended
        // The producer's work is over, so nothing of it can be spared.
        actions = []
        ends = []
    }

    private mutating func append(_ part: StreamPart) {
        if !isClosed { parts.append(part) }
    }

    /// The function to call, once, for the parts since the connection found nothing.
    mutating func takeWake() -> (@Sendable () -> Void)? {
        guard isAwaited, first < parts.count else { return nil }
        isAwaited = false
        return wake
    }

    /// Whether `send` may go on, and with which result; nil if it waits.
    var leave: Bool? {
        if isAbandoned { return false }
        return waiting < StreamedResponse.highWater ? true : nil
    }

    // MARK: The connection's side

    mutating func next() -> StreamPart? {
        guard first < parts.count else {
            isAwaited = true
            return nil
        }
        let part = parts[first]
        switch part {
        case .content(let bytes): waiting -= bytes.count
        case .head: break
        case .response, .end, .failure:
            close()
            return part
        }
        parts[first] = .failure
        first += 1
        // The taken parts must not pile up if a producer is always ahead.
        if 2 * first >= parts.count {
            parts.removeFirst(first)
            first = 0
        }
        return part
    }

    mutating func takeEnd() -> [WireField]? {
        if first == parts.count { isAwaited = true }
        guard first + 1 == parts.count, case .end(let trailers) = parts[first] else { return nil }
        close()
        return trailers
    }

    /// The senders that have room now.
    mutating func takeSenders() -> [@Sendable (Bool) -> Void] {
        guard !senders.isEmpty, waiting < StreamedResponse.highWater else { return [] }
        defer { senders = [] }
        return senders
    }

    mutating func close() {
        isClosed = true
        parts = []
        first = 0
        waiting = 0
        wake = nil
        actions = []
        ends = []
    }

    /// - Returns: the functions to call.
    mutating func noteClientEnd() -> [@Sendable () -> Void] {
        guard !isClosed else { return [] }
        hasClientEnded = true
        defer { ends = [] }
        return ends
    }

    /// - Returns: the senders that wait, and the functions to call.
    mutating func abandon() -> (senders: [@Sendable (Bool) -> Void], actions: [@Sendable () -> Void]) {
        guard !isClosed else { return ([], []) }
        isAbandoned = true
        let told = (senders, actions)
        senders = []
        close()
        return told
    }
}
