// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something a loop watches: a descriptor with the action for when it is ready.
///
/// A channel belongs to its loop: it is made, used and closed there. It is open, and the types that it names are public: only public types can be
/// subclassed in other modules; the module is part of no product.
open class Channel {
    public let descriptor: Int32
    public let loop: EventLoop
    /// The channel's name in events and timers; 0 until it is registered.
    public internal(set) var token: UInt64 = 0
    /// Whether it has had its turn and waits for the next.
    var waitsForTurn = false
    /// The event that was heard meanwhile.
    private var heard: PollEvent?

    public init(descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Keeps an event until the channel's turn comes.
    final func note(_ event: PollEvent) {
        // Writing stopped because its turn was over, not because the socket was full.
        heard = PollEvent(
            token: token, isReadable: event.isReadable || heard?.isReadable ?? false, isWritable: true,
            hasEnded: event.hasEnded || heard?.hasEnded ?? false)
    }

    final func takeTurn() {
        waitsForTurn = false
        let event = heard
        heard = nil
        if let event { ready(event) }
        if event?.isReadable != true { resumed() }
    }

    /// The descriptor can be read or written, or has ended; edge-triggered.
    open func ready(_ event: PollEvent) {}
    /// A deadline has come.
    open func due(now: UInt64) {}
    /// The turn that `EventLoop.resume` asked for: go on if the last one was too short.
    open func resumed() {}
    /// More has come from its source, as `EventLoop.notify` announced.
    ///
    /// - Parameter stream: the number of the part of the channel that it is for.
    open func moreHasCome(stream: UInt32) {}
}

/// An object that lives on a loop beside its channels, such as the part of a server that runs there.
open class LoopResident {
    public init() {}

    /// The events at hand are done, and `EventLoop.callAtEndOfWake` has announced work among them.
    open func endWake() {}
}
