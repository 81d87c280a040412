// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The text of a stub file, changed in the recorded parts; all else stays as it was written.
enum StubText {
    /// A member of the stub that takes the place of another.
    struct Edit {
        /// The names of the files that it replaces.
        var names: Set<String>
        var name: String
        var value: JSONNode

        init(_ replaced: [KeyName], _ key: KeyName, _ value: JSONNode) {
            names = Set(replaced.map(\.rawValue))
            name = key.rawValue
            self.value = value
        }
    }

    /// - Parameter stub: as it was read from the text.
    static func replacing(_ edits: [Edit], in text: [UInt8], stub: JSONNode) -> [UInt8] {
        let lineBreak = text.firstRange(of: Array("\r\n".utf8)) == nil ? Array("\n".utf8) : Array("\r\n".utf8)
        var pieces: [(range: Range<Int>, bytes: [UInt8])] = []
        for member in stub.object?.members ?? [] {
            guard let edit = edits.first(where: { $0.names.contains(member.name) }) else { continue }
            let end = self.end(of: member.value.offset, in: text)
            pieces.append(
                (
                    member.nameOffset..<end,
                    self.text(edit, lineBreak: lineBreak + indentation(at: member.nameOffset, text))
                ))
        }
        var output: [UInt8] = []
        var place = 0
        for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            output += text[place..<piece.range.lowerBound]
            output += piece.bytes
            place = piece.range.upperBound
        }
        return output + text[place...]
    }

    private static func text(_ edit: Edit, lineBreak: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        JSONWriter.writeString(edit.name, to: &output)
        output += Array(": ".utf8)
        for byte in JSONWriter.reviewable(edit.value) {
            if byte == UInt8(ascii: "\n") { output += lineBreak } else { output.append(byte) }
        }
        return output
    }

    /// The blanks in front of the line that a place is in.
    private static func indentation(at offset: Int, _ text: [UInt8]) -> [UInt8] {
        let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Array(text[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    /// Where a value ends that begins at a place of a valid text.
    static func end(of offset: Int, in text: [UInt8]) -> Int {
        var index = offset
        var depth = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""): index = endOfString(index, text) - 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return index }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09: if depth == 0 { return index }
            default: break
            }
            index += 1
            if depth == 0, "}]\"".utf8.contains(text[index - 1]) { return index }
        }
        return index
    }

    private static func endOfString(_ start: Int, _ text: [UInt8]) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1
    }
}
