// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A half-open range of positions in a head's bytes.
///
/// Four bytes an end: a head is limited to well under 4 GiB, and a request touches many of these.
public struct ByteRange: Hashable, Sendable, BitwiseCopyable {
    public var start: UInt32
    public var end: UInt32

    @inlinable public static var empty: ByteRange { ByteRange(0, 0) }

    @inlinable
    public init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    @inlinable public var count: Int { Int(end) - Int(start) }
    @inlinable public var isEmpty: Bool { start == end }
    @inlinable public var range: Range<Int> { Int(start)..<Int(end) }
}
