// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Bytes looked at eight at a time: a head is mostly bytes that need no more than a look.
public enum ByteWords {
    /// The end of the bytes from one place on, counted in eights, that are printable ASCII.
    ///
    /// - Returns: a place up to which all are; one of the next eight bytes is not, or fewer than eight are left.
    @inlinable
    public static func printableEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        wordsEnd(in: bytes, from: start, to: end, below: 0x20) { _ in 0 }
    }

    /// Whether all bytes of a range are printable ASCII; of fewer than eight bytes false is no more than a doubt.
    @inlinable
    public static func arePrintable(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
        // The last eight overlap those before them.
        end &- start >= 8 && printableEnd(in: bytes, from: start, to: end) > end &- 8
            && printableEnd(in: bytes, from: end &- 8, to: end) == end
    }

    /// The first byte of a range that is not printable ASCII and meets a condition.
    @inlinable
    public static func firstUnprintable(
        in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, where isMet: (UInt8) -> Bool
    ) -> UInt8? {
        var index = range.lowerBound
        while true {
            index = printableEnd(in: bytes, from: index, to: range.upperBound)
            guard index < range.upperBound else { return nil }
            if isMet(bytes[index]) { return bytes[index] }
            index &+= 1
        }
    }

    /// The end of the bytes from one place on that may stand in a request's target as they are: visible ASCII, and no `#` (RFC 9112 §3.2).
    @inlinable
    public static func targetEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = wordsEnd(in: bytes, from: start, to: end, below: 0x21) { zeros($0 ^ repeated(ASCII.hash)) }
        while index < end, bytes[index] &- 0x21 < 0x5E, bytes[index] != ASCII.hash { index &+= 1 }
        return index
    }

    /// - Parameter others: the high bits of some bytes of a word, if a byte in it ends the search.
    @inlinable
    @inline(__always)
    static func wordsEnd(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, below least: UInt8,
        _ others: (UInt64) -> UInt64
    ) -> Int {
        guard let base = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return start }
        var index = start
        while index &+ 8 <= end {
            let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // 0x7F and all above it are not printable either.
            let unprintable = (word &- repeated(least)) & ~word | (word &+ repeated(1)) | word
            if (unprintable | others(word)) & repeated(0x80) != 0 { break }
            index &+= 8
        }
        return index
    }

    /// Whether as many bytes are the same at two places.
    @inlinable
    static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count >= 8 else {
            for index in 0..<count where left[index] != right[index] { return false }
            return true
        }
        let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        var index = 0
        while index < count {
            // The last eight overlap those before them.
            let place = min(index, count &- 8)
            guard
                left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        return true
    }

    @inlinable
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// High bits, set if a byte of a word is zero, and only then (Warren, Hacker's Delight, §6-1).
    @inlinable
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 { (word &- repeated(1)) & ~word }
}
