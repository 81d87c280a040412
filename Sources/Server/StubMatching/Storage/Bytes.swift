// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPlatform
import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A view of bytes that live longer than the call they are passed to.
package typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
    /// Whether two texts are the same, byte for byte.
    @inline(__always)
    func equals(_ other: Bytes) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left, right, count) == 0
    }

    /// The bytes from one position to another.
    @inline(__always)
    func slice(_ start: Int, _ end: Int) -> Bytes { Bytes(rebasing: self[start..<end]) }

    @inline(__always)
    func hasPrefix(_ prefix: Bytes) -> Bool {
        count >= prefix.count && slice(0, prefix.count).equals(prefix)
    }

    /// Whether two texts may be the same but for the case of letters: no letter takes more than three times the bytes in the other case.
    func mayEqualIgnoringCase(_ other: Bytes) -> Bool { count <= 3 * other.count && other.count <= 3 * count }

    /// Whether two texts are the same but for the case of letters: of ASCII byte by byte, else by Unicode.
    func equalsIgnoringCase(_ other: Bytes) -> Bool {
        var isASCII: UInt8 = 0
        var differs = count != other.count
        for byte in self { isASCII |= byte }
        for byte in other { isASCII |= byte }
        if isASCII >= 0x80 { return text.lowercased().utf8.elementsEqual(other.text.lowercased().utf8) }
        if differs { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != ASCII.lowercased(other[index]) {
            differs = true
            break
        }
        return !differs
    }

    /// Whether a text stands somewhere in this one.
    package func contains(_ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        if needle.isEmpty { return true }
        guard needle.count <= count, let base = baseAddress, let first = needle.baseAddress else { return false }
        return cplatform_find(base, count, first, needle.count) != nil
    }

    /// The first place of a byte.
    @inline(__always)
    func firstPlace(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether a byte stands here no more often than so.
    func isFew(_ byte: UInt8, _ most: Int) -> Bool {
        var (place, left) = (0, most)
        while left >= 0, let next = firstPlace(of: byte, from: place) { (place, left) = (next + 1, left - 1) }
        return left >= 0
    }

    /// The text; bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }
}
