// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A value that was seen: in which sample, at which place of its text, and the value itself.
struct Sighting: Sendable {
    /// Bytes of a value that are shown. 60.
    static let shownLimit = 60

    let sample: Int
    let offset: Int
    let text: String

    init(_ node: JSONNode, sample: Int) {
        self.sample = sample
        offset = node.offset
        text = Self.text(node)
    }

    init(_ text: String, sample: Int, offset: Int) {
        self.sample = sample
        self.offset = offset
        self.text = text
    }

    static func text(_ node: JSONNode) -> String {
        let bytes = JSONWriter.compact(node, enough: shownLimit)
        guard bytes.count > shownLimit else { return String(decoding: bytes, as: UTF8.self) }
        var end = shownLimit
        // A character stays whole.
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }
}

/// The kinds of JSON values, as a set.
struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = Kinds(rawValue: 1)
    static let bool = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)
    static let string = Kinds(rawValue: 8)
    static let array = Kinds(rawValue: 16)
    static let object = Kinds(rawValue: 32)
    /// A placeholder, which stands for a value of any kind.
    static let any = Kinds(rawValue: 64)

    static let each: [Kinds] = [.null, .bool, .number, .string, .array, .object, .any]

    static func of(_ node: JSONNode) -> Kinds {
        switch node.value {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The place among `each`, for a set of one.
    var index: Int { rawValue.trailingZeroBitCount }
}
