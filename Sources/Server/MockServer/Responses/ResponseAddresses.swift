// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPlatform
import MockapiFixtures
import MockapiHTTPWire

/// The addresses in memory of a stub's response.
///
/// The addresses are never read from, so that a stale address does no harm.
struct ResponseAddresses: BitwiseCopyable, Sendable {
    private let response: UInt
    /// The response that goes to the wire as it is.
    private let whole: UInt
    private let head: UInt
    private let headBytes: UInt
    private let body: UInt
    private let names: UInt

    init(_ response: PreparedResponse, _ names: JournalNames) {
        func place(_ object: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
        // In front of an array's elements stand its counts.
        func place(_ bytes: [UInt8]) -> UInt { bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) &- 32 } }
        self.response = place(response)
        whole = response.whole?.place ?? place(response)
        head = place(response.head)
        headBytes = place(response.head.http1)
        body = place(response.body.held)
        self.names = place(names.bytes)
    }

    /// Fetches all of it at once: if there are thousands of stubs, none is in the processor's caches, and the fetches would wait for each other.
    @inline(__always)
    func fetch() {
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
