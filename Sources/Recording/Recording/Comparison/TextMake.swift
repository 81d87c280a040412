// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The make of a text, whatever values stand in it: which elements and attributes it has, which members the JSON values of its lines, or
/// how its lines are built and which words are in it.
struct TextMake {
    private enum Form {
        case markup(Set<String>)
        case values(JSONShape)
        case lines(Set<String>, words: Set<String>)
    }

    /// Bytes that are looked at. 1 MiB.
    private static let limit = 1024 * 1024
    /// Different elements, lines and words that are kept. 4,096.
    private static let setLimit = 4096
    /// Bytes of a line by which it is known. 128.
    private static let lineLimit = 128

    private let form: Form

    init(_ text: [UInt8]) {
        let text = text.prefix(Self.limit)
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        if text.first(where: { $0 > 0x20 && $0 < 0x7F }) == UInt8(ascii: "<") {
            form = .markup(Self.elements(of: Array(text)))
        } else if let values = Self.values(of: lines) {
            form = .values(JSONShape(values))
        } else {
            var built: Set<String> = []
            var words: Set<String> = []
            for line in lines where built.count < Self.setLimit {
                built.insert(Self.line(line, &words))
            }
            form = .lines(built, words: words)
        }
    }

    /// Whether another text is of the same make: of the elements, or of the lines or words, more than half are in both.
    func isLike(_ other: TextMake) -> Bool {
        switch (form, other.form) {
        case (.markup(let left), .markup(let right)): Self.areAlike(left, right)
        case (.values(let left), .values(let right)): left.differences(to: right, "$", "").isEmpty
        case (.lines(let left, let words), .lines(let right, let others)):
            Self.areAlike(left, right) || Self.areAlike(words, others)
        default: false
        }
    }

    private static func areAlike(_ left: Set<String>, _ right: Set<String>) -> Bool {
        let common = left.intersection(right).count
        return common * 2 > left.count + right.count - common
    }

    // MARK: Markup

    /// The names of elements, and of their attributes.
    private static func elements(of text: [UInt8]) -> Set<String> {
        var names: Set<String> = []
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")), names.count < setLimit {
            index = start + 1
            guard index < text.count, isLetter(text[index]) else { continue }
            let element = name(in: text, at: &index)
            names.insert(element)
            while index < text.count, text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "<") {
                if isLetter(text[index]) {
                    let attribute = name(in: text, at: &index)
                    guard index < text.count, text[index] == UInt8(ascii: "=") else { continue }
                    names.insert("\(element) \(attribute)")
                    skipValue(in: text, at: &index)
                } else {
                    index += 1
                }
            }
        }
        return names
    }

    /// Goes behind `=` and a value in quotes.
    private static func skipValue(in text: [UInt8], at index: inout Int) {
        index += 1
        guard index < text.count, "\"'".utf8.contains(text[index]) else { return }
        index = text[(index + 1)...].firstIndex(of: text[index]).map { $0 + 1 } ?? text.count
    }

    private static func name(in text: [UInt8], at index: inout Int) -> String {
        let start = index
        while index < text.count, isLetter(text[index]) || isDigit(text[index]) || "-_:.".utf8.contains(text[index]) {
            index += 1
        }
        return String(decoding: text[start..<min(index, start + lineLimit)], as: UTF8.self).lowercased()
    }

    // MARK: Lines

    /// The JSON values of lines; nil if one is not JSON.
    private static func values(of lines: [ArraySlice<UInt8>]) -> [JSONNode]? {
        var values: [JSONNode] = []
        for (index, line) in lines.enumerated() {
            guard let value = try? JSONParser.parse(Array(line)), value.object != nil || value.array != nil else {
                // The last may be cut.
                return index == lines.count - 1 && values.count > 1 ? values : nil
            }
            values.append(value)
        }
        return values.isEmpty ? nil : values
    }

    /// How a line is built: `a` for words, `0` for numbers, `x` for words with numbers, and the characters between them.
    private static func line(_ line: ArraySlice<UInt8>, _ words: inout Set<String>) -> String {
        var built: [UInt8] = []
        var index = line.startIndex
        while index < line.endIndex, built.count < lineLimit {
            guard isPart(line[index]) else {
                if line[index] > 0x20 { built.append(line[index]) }
                index += 1
                continue
            }
            let start = index
            while index < line.endIndex, isPart(line[index]) { index += 1 }
            let part = line[start..<index]
            let hasLetters = part.contains { isLetter($0) || $0 >= 0x80 }
            let hasDigits = part.contains(where: isDigit)
            if hasLetters, !hasDigits, part.count <= lineLimit, words.count < setLimit {
                words.insert(String(decoding: part, as: UTF8.self))
            }
            let kind: UInt8 =
                switch (hasLetters, hasDigits) {
                case (true, true): UInt8(ascii: "x")
                case (true, false): UInt8(ascii: "a")
                case (false, true): UInt8(ascii: "0")
                default: UInt8(ascii: "-")
                }
            if built.last != kind { built.append(kind) }
        }
        return String(decoding: built, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    private static func isPart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || isLetter(byte) || isDigit(byte) || "_-.:+/=%@~".utf8.contains(byte)
    }
}
