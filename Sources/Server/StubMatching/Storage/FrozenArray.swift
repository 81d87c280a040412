// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An array that never changes once it is made and that is read without reference counting or bounds checks in release.
///
/// Its owner frees it with `deallocate()`; copies are views of the same memory.
// Sendable although it holds a pointer: the memory is written in `init` alone, before any copy of the value exists, holds
// bitwise-copyable elements only, and lives as long as the `StubIndex` that owns every copy.
struct FrozenArray<Element: BitwiseCopyable>: @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Bytes: a line of the processor's cache, so that no element of half a line lies in two. 64.
    private static var alignment: Int { 64 }

    init(_ elements: [Element]) {
        count = elements.count
        let size = MemoryLayout<Element>.stride * max(1, elements.count)
        base = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: max(Self.alignment, MemoryLayout<Element>.alignment)
        )
        .bindMemory(to: Element.self, capacity: max(1, elements.count))
        elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { base.initialize(from: first, count: source.count) }
        }
    }

    func deallocate() { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        return base[index]
    }

    @inline(__always)
    subscript(index: UInt32) -> Element { self[Int(index)] }
}

extension FrozenArray<UInt8> {
    /// The bytes of a range.
    @inline(__always)
    func slice(_ start: UInt32, _ end: UInt32) -> Bytes {
        assert(start <= end && Int(end) <= count)
        return Bytes(start: base + Int(start), count: Int(end &- start))
    }
}
