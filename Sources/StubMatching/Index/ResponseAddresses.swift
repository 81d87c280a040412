// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPlatform

/// Where in memory lies what a stub answers with.
///
/// The addresses are never read from, so that nothing comes of one that is not good any more.
package struct ResponseAddresses: BitwiseCopyable, Sendable {
    package var stub: UInt
    package var response: UInt
    /// What goes to the wire as it is.
    package var whole: UInt
    package var head: UInt
    package var headBytes: UInt
    package var body: UInt
    package var names: UInt

    package init(stub: UInt, response: UInt, whole: UInt, head: UInt, headBytes: UInt, body: UInt, names: UInt) {
        self.stub = stub
        self.response = response
        self.whole = whole
        self.head = head
        self.headBytes = headBytes
        self.body = body
        self.names = names
    }

    /// Has all of it fetched at once, while the stub is still asked: of thousands of stubs none is in the processor's caches, and one
    /// thing behind the other would be waited for.
    @inline(__always)
    func fetch() {
        Self.fetch(stub, 1)
        Self.fetch(response, 2)
        Self.fetch(whole, 2)
        Self.fetch(head, 2)
        Self.fetch(headBytes, 3)
        Self.fetch(body, 2)
        Self.fetch(names, 2)
    }

    @inline(__always)
    private static func fetch(_ address: UInt, _ lines: UInt) {
        for line in 0..<lines { cplatform_prefetch(UnsafeRawPointer(bitPattern: address &+ 64 &* line)) }
    }
}
