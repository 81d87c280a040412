// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

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
            let nameStart = UInt32(decoded.count)
            var hasPlus = false
            var end = decoded.appendDecoded(text, from: start, until: ASCII.ampersand, or: ASCII.equals, &hasPlus)
            let nameEnd = UInt32(decoded.count)
            if end < text.count, text[end] == ASCII.equals { end = decodeValue(text, from: end + 1) }
            if end > start {
                let hash = ByteHash.hash(decoded.slice(nameStart, nameEnd), seed: 0)
                pairs.append(
                    Pair(
                        nameHash: UInt32(truncatingIfNeeded: hash), nameStart: nameStart, nameEnd: nameEnd,
                        valueStart: nameEnd, valueEnd: UInt32(decoded.count)))
            }
            start = end + 1
        }
    }

    /// Decodes a value; the `+` of a date and time with an offset stays.
    ///
    /// - Returns: the place of the next `&`, or the text's end.
    @inline(__always)
    private mutating func decodeValue(_ text: Bytes, from start: Int) -> Int {
        let before = decoded.count
        var hasPlus = false
        let end = decoded.appendDecoded(text, from: start, until: ASCII.ampersand, or: ASCII.ampersand, &hasPlus)
        if hasPlus, OffsetDateTime.isOne(text.slice(start, end)) {
            decoded.removeLast(decoded.count - before)
            decoded.appendDecoded(text.slice(start, end), plusIsSpace: false)
        }
        return end
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
