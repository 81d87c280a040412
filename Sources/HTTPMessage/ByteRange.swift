// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A half-open range of positions in a head's bytes.
///
/// Four bytes an end: a head is limited to well under 4 GiB, and a request touches many of these.
package struct ByteRange: Hashable, Sendable, BitwiseCopyable {
    package var start: UInt32
    package var end: UInt32

    package static let empty = ByteRange(0, 0)

    @inlinable
    package init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    @inlinable package var count: Int { Int(end) - Int(start) }
    @inlinable package var isEmpty: Bool { start == end }
    @inlinable package var range: Range<Int> { Int(start)..<Int(end) }
}
