// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

/// What a connection needs while a request of it is under way; idle connections have none.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each request.
final class Workspace {
    let input = ByteBuffer()
    let output = OutputQueue()
    @exclusivity(unchecked) var parser: HTTP1Parser
    @exclusivity(unchecked) var body: [UInt8] = []
    /// What the body takes of the server's bound; nil for a small one.
    @exclusivity(unchecked) var share: ContentShare?

    init(limits: RequestLimits) {
        parser = HTTP1Parser(limits: limits)
    }

    /// Whether nothing is under way, so that another connection can have it.
    var isIdle: Bool { input.isEmpty && output.isEmpty && !parser.isMidRequest }

    /// Bodies up to this size leave their memory for the next. 64 KiB.
    private static let bodyKeepLimit = 64 * 1024

    func resetBody() {
        share = nil
        body.removeAll(keepingCapacity: body.capacity <= Self.bodyKeepLimit)
    }

    /// Adds to the body; false where the requests of the server hold more than they may.
    func appendBody(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits) -> Bool {
        body.append(contentsOf: bytes)
        guard body.count > ContentShare.freeBytes else { return true }
        let share = share ?? ContentShare(limits.content)
        self.share = share
        return share.cover(body.count, limits)
    }

    /// Lets go of a large body that has been answered.
    func dropLargeBody() {
        share = nil
        if body.capacity > Self.bodyKeepLimit { body = [] }
    }
}
