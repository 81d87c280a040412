// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The ways in which a time of RFC 3339 §5.6 is written, as a set: decoders of a fixed pattern take one of each.
struct TimeForm: OptionSet {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let whole = TimeForm(rawValue: 1)
    static let fraction = TimeForm(rawValue: 2)
    static let zulu = TimeForm(rawValue: 4)
    static let offset = TimeForm(rawValue: 8)
    static let capital = TimeForm(rawValue: 16)
    static let small = TimeForm(rawValue: 32)
    static let comma = TimeForm(rawValue: 64)
    static let space = TimeForm(rawValue: 128)

    static let each: [TimeForm] = [whole, fraction, zulu, offset, capital, small, comma, space]

    private static let names: [(form: TimeForm, others: TimeForm, name: String)] = [
        (fraction, whole, "with a fraction"), (whole, [fraction, comma], "without a fraction"),
        (comma, [whole, fraction], "with a comma"), (offset, zulu, "with an offset"), (zulu, offset, "with Z"),
        (small, capital, "in small letters"), (capital, [small, space], "in capitals"),
        (space, [capital, small], "with a space"),
    ]

    /// - Parameter formats: those of the text.
    init(_ text: String, _ formats: StringFormats) {
        self.init(rawValue: 0)
        if formats.isDisjoint(with: [.dateTime, .localDateTime]) { return }
        let bytes = text.utf8.dropFirst(10)
        guard let separator = bytes.first else { return }
        formUnion(bytes.contains(UInt8(ascii: ".")) ? .fraction : bytes.contains(UInt8(ascii: ",")) ? .comma : .whole)
        if formats.contains(.dateTime), let last = bytes.last {
            formUnion(last | 0x20 == UInt8(ascii: "z") ? .zulu : .offset)
        }
        formUnion(separator == 0x20 ? .space : separator == UInt8(ascii: "T") ? .capital : .small)
        if bytes.last == UInt8(ascii: "z") { insert(.small) }
    }

    /// The first form of the live times that the recorded times lack; nil if there is none, or one side has no times.
    ///
    /// - Parameter isNoise: whether forms are forgiven that the live times differ in.
    static func change(from old: StringFacts, to new: StringFacts, isNoise: Bool) -> (TimeForm, String)? {
        let times: [StringFormats] = [.dateTime, .localDateTime]
        guard times.contains(where: { old.common.contains($0) && new.common.contains($0) }) else { return nil }
        for (form, others, name) in names
        where new.firstByForm[form.rawValue] != nil && old.firstByForm[form.rawValue] == nil {
            let isMixed = each.contains { others.contains($0) && new.firstByForm[$0.rawValue] != nil }
            if isNoise && isMixed { continue }
            return (form, name)
        }
        return nil
    }
}
