// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

/// A date and time with its distance from UTC (ISO 8601), whose `+` in a query is no space.
package enum OffsetDateTime {
    /// Whether a value is such as `2026-11-20T10:00:00.5+01:00`, as it was written.
    package static func isOne(_ value: some RandomAccessCollection<UInt8>) -> Bool {
        guard (22...40).contains(value.count) else { return false }
        func byte(_ place: Int) -> UInt8 { value[value.index(value.startIndex, offsetBy: place)] }
        let end = value.count
        guard byte(10) == UInt8(ascii: "T"), byte(end - 6) == ASCII.plus else { return false }
        let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, end - 5, end - 4, end - 2, end - 1]
        let marks = [(4, "-"), (7, "-"), (13, ":"), (end - 3, ":")] as [(Int, Unicode.Scalar)]
        return digits.allSatisfy { (0x30...0x39).contains(byte($0)) }
            && marks.allSatisfy { byte($0.0) == UInt8(ascii: $0.1) }
            && (16..<end - 6).allSatisfy { (0x30...0x3A).contains(byte($0)) || byte($0) == UInt8(ascii: ".") }
    }
}

/// The names and values of a query or a form, decoded: pairs between `&`, name and value at the first `=`, `+` a space.
struct DecodedPairs {
    private struct Pair: BitwiseCopyable {
        var nameHash: UInt32
        /// Ranges of `decoded`.
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    private var decoded: Growable<UInt8>
    private var pairs: Growable<Pair>

    init(bytes: Int, pairs: Int) {
        decoded = Growable(capacity: bytes)
        self.pairs = Growable(capacity: pairs)
    }

    func deallocate() {
        decoded.deallocate()
        pairs.deallocate()
    }

    var count: Int { pairs.count }

    mutating func removeAll() {
        decoded.removeAll()
        pairs.removeAll()
    }

    /// Decodes a text in the place of the last one.
    mutating func decode(_ text: Bytes) {
        removeAll()
        // Decoding makes nothing longer, so the buffer stays where it is.
        decoded.reserve(text.count)
        var start = 0
        while start < text.count {
            let end = text.firstPlace(of: ASCII.ampersand, from: start) ?? text.count
            if end > start {
                let pair = text.slice(start, end)
                let equals = pair.firstPlace(of: ASCII.equals) ?? pair.count
                let nameStart = UInt32(decoded.count)
                decoded.appendDecoded(pair.slice(0, equals), plusIsSpace: true)
                let nameEnd = UInt32(decoded.count)
                if equals < pair.count {
                    let value = pair.slice(equals + 1, pair.count)
                    decoded.appendDecoded(value, plusIsSpace: !OffsetDateTime.isOne(value))
                }
                let hash = ByteHash.hash(decoded.slice(nameStart, nameEnd), seed: 0)
                pairs.append(
                    Pair(
                        nameHash: UInt32(truncatingIfNeeded: hash), nameStart: nameStart, nameEnd: nameEnd,
                        valueStart: nameEnd, valueEnd: UInt32(decoded.count)))
            }
            start = end + 1
        }
    }

    /// Whether the pair at a place has a name.
    ///
    /// - Parameter hash: the lower half of the name's hash.
    @inline(__always)
    func has(_ index: Int, _ name: Bytes, hash: UInt32) -> Bool {
        pairs[index].nameHash == hash && self.name(index).equals(name)
    }

    @inline(__always)
    func name(_ index: Int) -> Bytes {
        let pair = pairs[index]
        return decoded.slice(pair.nameStart, pair.nameEnd)
    }

    @inline(__always)
    func value(_ index: Int) -> Bytes {
        let pair = pairs[index]
        return decoded.slice(pair.valueStart, pair.valueEnd)
    }
}
