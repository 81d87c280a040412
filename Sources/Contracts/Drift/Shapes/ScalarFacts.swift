// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The facts that the numbers at one place have in common.
struct NumberFacts: Sendable {
    private(set) var count = 0
    /// Written without a point and an exponent.
    private(set) var integers = 0
    /// Whole, but written with a point or an exponent.
    private(set) var firstDecimal: Sighting?
    private(set) var firstFraction: Sighting?
    /// The first integer beyond ±2^53, which a double does not hold exactly.
    private(set) var firstUnsafe: Sighting?
    /// The first integer that no Int64 holds.
    private(set) var firstBeyond64: Sighting?
    /// The first number that no double holds.
    private(set) var firstInfinite: Sighting?
    private(set) var smallest = Double.infinity
    private(set) var largest = -Double.infinity

    private static let safe = 9_007_199_254_740_992

    mutating func add(_ number: JSONNumber, _ sighting: @autoclosure () -> Sighting) {
        count += 1
        let literal = number.literal.utf8
        let value: Double
        if let whole = Int(number.literal) {
            integers += 1
            value = Double(whole)
            if whole > Self.safe || whole < -Self.safe, firstUnsafe == nil { firstUnsafe = sighting() }
        } else {
            value = number.double
            if literal.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
                if value.isFinite, value.rounded() != value || value == 0 && number.integer == nil {
                    if firstFraction == nil { firstFraction = sighting() }
                } else {
                    if firstDecimal == nil { firstDecimal = sighting() }
                    // A whole number that no integer holds is one for doubles.
                    if value.magnitude >= 0x1p63, firstBeyond64 == nil { firstBeyond64 = sighting() }
                    if value.magnitude > Double(Self.safe), firstUnsafe == nil { firstUnsafe = sighting() }
                }
            } else {
                integers += 1
                if firstUnsafe == nil { firstUnsafe = sighting() }
                if firstBeyond64 == nil { firstBeyond64 = sighting() }
            }
        }
        if !value.isFinite, firstInfinite == nil { firstInfinite = sighting() }
        smallest = min(smallest, value)
        largest = max(largest, value)
    }

    mutating func merge(_ other: NumberFacts) {
        count += other.count
        integers += other.integers
        firstDecimal = firstDecimal ?? other.firstDecimal
        firstFraction = firstFraction ?? other.firstFraction
        firstUnsafe = firstUnsafe ?? other.firstUnsafe
        firstBeyond64 = firstBeyond64 ?? other.firstBeyond64
        firstInfinite = firstInfinite ?? other.firstInfinite
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }

    /// Whether nothing says that the numbers may have fractions.
    var isInteger: Bool { integers == count }

    /// The power of ten that the numbers are times in seconds by, 0 to 9; nil if they are not times of these decades.
    var epochUnit: Int? {
        for power in [0, 3, 6, 9] {
            var scale = 1.0
            for _ in 0..<power { scale *= 10 }
            // 1998 to 2128.
            if smallest >= 9e8 * scale, largest < 5e9 * scale { return power }
        }
        return nil
    }
}

/// The facts that the strings at one place have in common.
struct StringFacts: Sendable {
    /// Different values that are kept; with more there is no set. 16.
    private static let valueLimit = 16
    /// Bytes of a value that may be one of a set. 64.
    private static let wordLimit = 64

    private(set) var count = 0
    private(set) var first: Sighting?
    /// The formats that all have.
    private(set) var common = StringFormats.all
    /// The formats that at least one value has.
    private(set) var any: StringFormats = []
    /// The first time of each form, by its bit.
    private(set) var firstByForm: [UInt8: Sighting] = [:]
    /// The first string without a format, by the bit of the format.
    private(set) var lacking: [Sighting?] = []
    /// The first string that is a date or a time without a zone.
    private(set) var firstZoneless: Sighting?
    /// The different values and where each was first; nil if there are too many, or one is not a word.
    private(set) var values: [String: Sighting]? = [:]
    /// The first string that is not a word, or was one too many.
    private(set) var firstUnlisted: Sighting?

    mutating func add(_ text: String, _ sighting: @autoclosure () -> Sighting) {
        count += 1
        if first == nil { first = sighting() }
        let formats = StringFormats.of(text)
        note(lost: common.subtracting(formats), sighting())
        common.formIntersection(formats)
        any.formUnion(formats)
        for form in TimeForm.each where firstByForm[form.rawValue] == nil && TimeForm(text, formats).contains(form) {
            firstByForm[form.rawValue] = sighting()
        }
        if firstZoneless == nil, !formats.isDisjoint(with: [.localDateTime, .date]) { firstZoneless = sighting() }
        guard values != nil else { return }
        if values?[text] == nil {
            if Self.isWord(text), values?.count ?? 0 < Self.valueLimit {
                values?[text] = sighting()
            } else {
                values = nil
                firstUnlisted = sighting()
            }
        }
    }

    private mutating func note(lost: StringFormats, _ sighting: @autoclosure () -> Sighting) {
        if lost.isEmpty { return }
        if lacking.isEmpty { lacking = Array(repeating: nil, count: StringFormats.named.count) }
        let seen = sighting()
        for index in lacking.indices where lost.rawValue & (1 << UInt16(index)) != 0 && lacking[index] == nil {
            lacking[index] = seen
        }
    }

    mutating func merge(_ other: StringFacts) {
        count += other.count
        if let seen = other.first {
            let isEarlier = first.map { (seen.sample, seen.offset) < ($0.sample, $0.offset) } ?? true
            if isEarlier { first = seen }
        }
        common.formIntersection(other.common)
        any.formUnion(other.any)
        firstByForm.merge(other.firstByForm) { first, _ in first }
        if lacking.isEmpty {
            lacking = other.lacking
        } else if !other.lacking.isEmpty {
            for index in lacking.indices { lacking[index] = lacking[index] ?? other.lacking[index] }
        }
        firstZoneless = firstZoneless ?? other.firstZoneless
        guard let left = values, let right = other.values else {
            firstUnlisted = firstUnlisted ?? other.firstUnlisted
            values = nil
            return
        }
        let all = left.merging(right) { first, _ in first }
        values = all.count > Self.valueLimit ? nil : all
    }

    /// The first string that has not a format which others have.
    func firstLacking(_ format: StringFormats) -> Sighting? {
        let index = format.rawValue.trailingZeroBitCount
        return lacking.indices.contains(index) ? lacking[index] : nil
    }

    /// The values if they are those of an enum: they repeat, in five samples or more and at most half as many values, no more than eight.
    var enumeration: [String: Sighting]? {
        guard count >= 5, let values, values.count <= 8, values.count * 2 <= count,
            common.subtracting(.base64).isEmpty
        else { return nil }
        return values
    }

    /// Whether a string is the name of something: letters, digits and a few signs, a letter first.
    static func isWord(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, (first | 0x20) &- 0x61 < 26 || first == UInt8(ascii: "_"),
            bytes.count <= wordLimit
        else { return false }
        return bytes.allSatisfy {
            ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-./:+".utf8.contains($0)
        }
    }
}
