// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The names and values of a query or a form (WHATWG URL §5.1): pairs between `&`, name and value at the first `=`, `+` a space.
package enum QueryText {
    /// The pairs as they stand, those that are empty left out; a value is nil if there is no `=`.
    @inlinable package static func pairs<Text: Collection<UInt8>>(
        of query: Text
    ) -> [(name: Text.SubSequence, value: Text.SubSequence?)] {
        query.split(separator: ASCII.ampersand).map { (pair: Text.SubSequence) in
            guard let equals = pair.firstIndex(of: ASCII.equals) else { return (pair[...], nil) }
            return (pair[..<equals], pair[pair.index(after: equals)...])
        }
    }

    /// Names and values decoded; U+FFFD stands for bytes that are not UTF-8.
    package static func decodedPairs(of query: String) -> [(name: String, value: String)] {
        pairs(of: Array(query.utf8)).map { (decoded($0.name), $0.value.map(decodedValue) ?? "") }
    }

    /// A name, or a value that is not expected to be a date.
    package static func decoded(_ text: some Sequence<UInt8>) -> String {
        String(decoding: PercentCoding.decode(text, plusIsSpace: true), as: UTF8.self)
    }

    /// A value, whose `+` stays if it is a date's.
    package static func decodedValue(_ text: some RandomAccessCollection<UInt8>) -> String {
        String(decoding: PercentCoding.decode(text, plusIsSpace: !OffsetDateTime.isOne(text)), as: UTF8.self)
    }
}

/// A date and time with its distance from UTC (ISO 8601), whose `+` in a query is not a space.
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
