// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// Documents and fonts, by their frames.
extension FileFlaw {
    // MARK: PDF

    /// Bytes at the end of a document that its last lines stand in. 1,024.
    private static let tailLength = 1024
    /// Objects that are looked at. 200,000.
    private static let objectLimit = 200_000

    /// ISO 32000-2 §7.5: the line that ends it, the table of its objects, and where each of them begins; the newest part alone.
    func pdf() -> String? {
        guard let end = last("%%EOF", within: Self.tailLength),
            let word = last("startxref", within: Self.tailLength), word < end
        else { return "its end is missing" }
        var index = word + 9
        guard isBlank(at: index), let start = decimal(&index) else { return "its table of objects is missing" }
        let behind = index
        skipBlanks(&index)
        guard index == end, index > behind else { return "its table of objects is missing" }
        index = start
        // The table may be a stream, which is an object.
        guard has("xref", at: index) else {
            return object(at: index) == nil ? "its table of objects is missing" : nil
        }
        index += 4
        guard isBlank(at: index) else { return "its table of objects is broken" }
        guard let places = places(&index) else { return "its table of objects is broken" }
        index += "trailer".utf8.count
        skipBlanks(&index)
        guard has("<<", at: index) else { return "its trailer is broken" }
        if places.contains(where: { object(at: $0.value) != $0.key }) { return "an object of it is elsewhere" }
        guard let root = reference("/Root", from: index, to: word) else { return "it names no root" }
        return places.isEmpty || places.keys.contains(root)
            || reference("/Prev", from: index, to: word, isObject: false) != nil
            ? nil : "its root is missing"
    }

    /// The places of the objects of a table by their numbers, which the index is then behind; nil if a line is broken.
    private func places(_ index: inout Int) -> [Int: Int]? {
        var places: [Int: Int] = [:]
        while true {
            skipBlanks(&index)
            if has("trailer", at: index) { return places }
            guard let first = decimal(&index), let count = decimal(&index) else { return nil }
            skipBlanks(&index)
            for number in 0..<count {
                guard let entry = part(index, Self.entryLength), Self.isEntry(Array(entry)) else { return nil }
                var start = index
                let isUsed = entry[entry.startIndex + 17] == UInt8(ascii: "n")
                if isUsed, places.count < Self.objectLimit { places[first + number] = decimal(&start) }
                index += Self.entryLength
            }
        }
    }

    /// Whether bytes are an entry: ten digits, five digits, `n` or `f`, and two signs that end the line.
    private static func isEntry(_ bytes: [UInt8]) -> Bool {
        bytes.enumerated().allSatisfy { index, byte in
            switch index {
            case 10, 16: byte == 0x20
            case 17: byte == UInt8(ascii: "n") || byte == UInt8(ascii: "f")
            case 18...: isBlank(byte)
            default: byte &- 0x30 < 10
            }
        }
    }

    /// Bytes of an entry of the table. 20.
    private static let entryLength = 20

    /// The number of the object that begins at a place; nil if none does.
    private func object(at place: Int) -> Int? {
        var index = place
        guard place > 0, !isBlank(at: place), let number = decimal(&index), decimal(&index) != nil else {
            return nil
        }
        skipBlanks(&index)
        return has("obj", at: index) ? number : nil
    }

    /// The number of the object behind a name, or of a place; nil if the name does not stand there.
    private func reference(_ name: StaticString, from start: Int, to end: Int, isObject: Bool = true) -> Int? {
        var index = start
        while index < end, !has(name, at: index) { index += 1 }
        index += name.utf8CodeUnitCount
        guard index < end, let number = decimal(&index) else { return nil }
        if !isObject { return number }
        guard decimal(&index) != nil else { return nil }
        let end = index
        skipBlanks(&index)
        return index > end && has("R", at: index) ? number : nil
    }

    /// White space (ISO 32000-2 §7.2.3).
    private static func isBlank(_ byte: UInt8) -> Bool { [0, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

    private func isBlank(at index: Int) -> Bool { index < bytes.count && Self.isBlank(bytes[index]) }

    private func skipBlanks(_ index: inout Int) {
        while isBlank(at: index) { index += 1 }
    }

    /// A number in digits, of ten at most, behind blanks.
    private func decimal(_ index: inout Int) -> Int? {
        skipBlanks(&index)
        let start = index
        var value = 0
        while index < bytes.count, index - start < 10, bytes[index] &- 0x30 < 10 {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        return index > start ? value : nil
    }

    // MARK: Fonts

    /// The tables of a font by their names: where each is, how long, and its sum (OpenType, "Organization of an OpenType font").
    func tables() -> [String: (start: Int, length: Int, sum: Int)]? {
        guard let count = number(4, 2), count > 0 else { return nil }
        var tables: [String: (start: Int, length: Int, sum: Int)] = [:]
        for index in 0..<count {
            let place = 12 + 16 * index
            guard let name = part(place, 4), let sum = number(place + 4), let start = number(place + 8),
                let length = number(place + 12)
            else { return nil }
            tables[String(decoding: name, as: UTF8.self)] = (start, length, sum)
        }
        return tables
    }

    func font() -> String? {
        guard let tables = tables() else { return "its list of tables is cut" }
        for name in tables.keys.sorted() {
            guard let table = tables[name], var data = part(table.start, table.length).map(Array.init) else {
                return "its table \(name) is cut"
            }
            // The sum of the whole font stands in it, and counts as nothing.
            if name == "head", data.count >= 12 { data.replaceSubrange(8..<12, with: [0, 0, 0, 0]) }
            guard Checksum.words(data) == UInt32(truncatingIfNeeded: table.sum) else {
                return "the sum of its table \(name) is another"
            }
        }
        return nil
    }

    /// WOFF and WOFF2: the length of the whole in front.
    func webFont() -> String? {
        guard let length = number(8) else { return "its head is cut" }
        return length == bytes.count ? nil : "it has \(bytes.count) of \(length) bytes"
    }

    /// The tables that drawing a glyph needs.
    static let neededTables: Set<String> = ["cmap", "glyf", "loca", "head", "hhea", "hmtx", "maxp", "CFF ", "CFF2"]
}
