// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
package import MockapiSystemIO

/// A file of a WireMock root with each scalar written as its key asks for it, rather than as WireMock accepts it: `200` for `"200"`, `"5"` for
/// a body of `5`. All else in it stays byte for byte.
package struct MappingFix: Sendable {
    /// A line before and after the fix.
    package struct Line: Hashable, Sendable {
        /// From 1.
        package let number: Int
        package let before: String
        package let after: String
    }

    /// Relative to the fixture directory.
    package let path: String
    package let lines: [Line]
    package let text: [UInt8]
    private let original: [UInt8]

    /// Nil for a text that needs no fix, or is not JSON.
    init?(path: String, text: [UInt8]) {
        guard let node = try? JSONParser.parse(text, options: [.comments, .singleQuotes, .textBehind]) else {
            return nil
        }
        let isList = node["mappings"] != nil
        let coerced = JacksonValues.coerced(node, to: .object(isList ? .mappingList : .stub))
        var edits: [Edit] = []
        Self.compare(node, coerced, text, &edits)
        guard !edits.isEmpty else { return nil }
        self.path = path
        original = text
        (self.text, lines) = Self.applied(edits, to: text)
    }

    private struct Edit {
        let range: Range<Int>
        let text: [UInt8]
    }

    /// Collects the scalars of one tree that differ in the other, which has the same form.
    private static func compare(_ node: JSONNode, _ coerced: JSONNode, _ text: [UInt8], _ edits: inout [Edit]) {
        switch (node.value, coerced.value) {
        case (.object(let one), .object(let two)):
            for (first, second) in zip(one.members, two.members) { compare(first.value, second.value, text, &edits) }
        case (.array(let one), .array(let two)):
            for (first, second) in zip(one, two) { compare(first, second, text, &edits) }
        default:
            let (written, wanted) = (JSONWriter.compact(node), JSONWriter.compact(coerced))
            guard written != wanted, let end = end(of: text, from: node.offset) else { return }
            edits.append(Edit(range: node.offset..<end, text: wanted))
        }
    }

    /// The end of the scalar that begins at a place; nil if no scalar does.
    private static func end(of text: [UInt8], from start: Int) -> Int? {
        guard start < text.count else { return nil }
        let quote = text[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return text[start...].firstIndex { !isOfLiteral($0) } ?? text.count
        }
        var index = start + 1
        while index < text.count, text[index] != quote { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index < text.count ? index + 1 : nil
    }

    private static func isOfLiteral(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    /// - Parameter edits: in their order in the text.
    private static func applied(_ edits: [Edit], to text: [UInt8]) -> (text: [UInt8], lines: [Line]) {
        var output: [UInt8] = []
        var place = 0
        // Where the changed lines begin in each text.
        var starts: [(before: Int, after: Int)] = []
        for edit in edits {
            output += text[place..<edit.range.lowerBound]
            let line = text[..<edit.range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if starts.last?.before != line {
                starts.append((line, output.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0))
            }
            output += edit.text
            place = edit.range.upperBound
        }
        output += text[place...]
        let lines = starts.map { start in
            Line(
                number: text[..<start.before].count { $0 == 0x0A } + 1, before: line(of: text, from: start.before),
                after: line(of: output, from: start.after))
        }
        return (output, lines)
    }

    private static func line(of text: [UInt8], from start: Int) -> String {
        String(decoding: text[start...].prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    // MARK: The directory

    /// The fixes of all mappings of a WireMock root, in the order of their paths.
    package static func all(in root: String) -> [MappingFix] {
        FixtureLoader.paths(of: root).sorted().filter { $0.hasPrefix("mappings/") && $0.hasSuffix(".json") }
            .compactMap { path in
                FileReader.contents("\(root)/\(path)").flatMap { MappingFix(path: path, text: $0) }
            }
    }

    /// Replaces the file with the text, whole or not at all; throws if a link leads to it.
    ///
    /// - Returns: false, with nothing written, if the file has changed since it was read.
    package func write(in root: String) throws(SystemError) -> Bool {
        let names = path.split(ascii: "/").map(String.init)
        var folder = try Folder(path: root)
        for name in names.dropLast() { folder = try folder.folder(name) }
        let name = names[names.count - 1]
        guard try folder.read(name, limit: StubFileReader.sizeLimit) == original else { return false }
        try folder.replace(name, with: text)
        return true
    }
}
