// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Bytes on their way: filled at the end, used from the start.
///
/// The memory belongs to the buffer alone and is freed with it; pointers it gives out are good until the next call of a
/// method that changes it.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each piece.
package final class ByteBuffer {
    /// The capacity of a new buffer before it grows: more than a common request's head. 4 KiB.
    package static let initialCapacity = 4 * 1024
    /// How far a buffer grows on its own account; a head limit beyond it is met by growing further.
    package static let bulkCapacity = 64 * 1024
    /// The most memory that an empty buffer keeps. 128 KiB.
    package static let keptCapacity = 128 * 1024

    @exclusivity(unchecked) private var memory: UnsafeMutableBufferPointer<UInt8>
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var end = 0

    package init() {
        memory = .allocate(capacity: Self.initialCapacity)
    }

    deinit {
        memory.deallocate()
    }

    @inline(__always)
    package var readable: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: memory[start..<end])
    }

    package var count: Int { end - start }
    package var isEmpty: Bool { start == end }
    package var capacity: Int { memory.count }

    /// Free space at the end, at least one byte: used bytes are given up first, then the buffer doubles.
    package func space() -> UnsafeMutableRawBufferPointer {
        if isEmpty {
            start = 0
            end = 0
        }
        return space(atLeast: 1)
    }

    /// Free space at the end for so many bytes, or more.
    package func space(atLeast more: Int) -> UnsafeMutableRawBufferPointer {
        if end + more > memory.count {
            // Sizes are powers of two, so that a buffer that has to hold as much as before is as large as before.
            move(to: count + more > memory.count ? Self.powerOfTwo(from: count + more) : memory.count)
        }
        return UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[end...]))
    }

    /// Says how many bytes of `space()` have been filled.
    package func filled(_ count: Int) {
        end += count
    }

    /// Says how many readable bytes have been used.
    package func consume(_ count: Int) {
        start += count
    }

    @inline(__always)
    package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if end + bytes.count > memory.count { _ = space(atLeast: bytes.count) }
        guard let first = bytes.baseAddress, let start = memory.baseAddress else { return }
        (start + end).update(from: first, count: bytes.count)
        end += bytes.count
    }

    package func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Empties the buffer; memory beyond `keptCapacity` is given back.
    package func removeAll() {
        start = 0
        end = 0
        if memory.count > Self.keptCapacity {
            memory.deallocate()
            memory = .allocate(capacity: Self.initialCapacity)
        }
    }

    /// Makes reads of a body larger, once one read has filled the buffer.
    package func growForBulk() {
        if memory.count < Self.bulkCapacity { move(to: min(memory.count * 4, Self.bulkCapacity)) }
    }

    private static func powerOfTwo(from size: Int) -> Int {
        1 << (Int.bitWidth - (size - 1).leadingZeroBitCount)
    }

    /// Moves the readable bytes to the front, into other memory if that is to have another size.
    private func move(to capacity: Int) {
        let source = memory
        if capacity != source.count { memory = .allocate(capacity: capacity) }
        _ = memory.update(fromContentsOf: source[start..<end])
        if capacity != source.count { source.deallocate() }
        end -= start
        start = 0
    }
}
