// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A view of bytes that live longer than the call they are passed to.
typealias Bytes = UnsafeBufferPointer<UInt8>

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
        var place = 0
        // What comparing in vain may cost before the text is read without going back.
        var tries = count / 8 / needle.count + 8
        while place <= count - needle.count {
            if tries == 0 { return slice(place, count).holds(needle) }
            tries -= 1
            guard let next = slice(place, count - needle.count + 1).firstPlace(of: needle[0]) else { return false }
            place += next
            if memcmp(base + place, first, needle.count) == 0 { return true }
            place += 1
        }
        return false
    }

    /// Whether a text that is not empty stands somewhere in this one, in time that grows with their sum (Knuth, Morris, Pratt).
    private func holds(_ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: needle.count) { ends in
            ends.initialize(repeating: 0)
            var length = 0
            var index = 1
            while index < needle.count {
                while length > 0, needle[index] != needle[length] { length = Int(ends[length - 1]) }
                if needle[index] == needle[length] { length += 1 }
                ends[index] = Int32(truncatingIfNeeded: length)
                index += 1
            }
            length = 0
            for byte in self {
                while length > 0, byte != needle[length] { length = Int(ends[length - 1]) }
                if byte == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }

    /// The first place of a byte.
    @inline(__always)
    func firstPlace(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The text; bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }
}
