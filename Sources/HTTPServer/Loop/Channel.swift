// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something a loop watches: a descriptor with what is done when it is ready.
///
/// A channel belongs to its loop: it is made, used and closed there.
class Channel {
    let descriptor: Int32
    let loop: EventLoop
    /// Names the channel in events and timers; 0 until it is registered.
    var token: UInt64 = 0

    init(descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// The descriptor can be read or written, or has ended; edge-triggered.
    func ready(_ event: PollEvent) {}
    /// A deadline has come.
    func due(now: UInt64) {}
    /// What `EventLoop.resume` asked for: go on where a turn was too short.
    func resumed() {}
    /// More has come of an answer that comes from elsewhere.
    ///
    /// - Parameter stream: the stream's number in HTTP/2; 0 in HTTP/1.x.
    func moreHasCome(stream: UInt32) {}
}
