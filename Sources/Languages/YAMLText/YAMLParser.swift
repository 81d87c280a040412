// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A reader of YAML 1.2 as far as documents of APIs are written in it: the first document of a text, as JSON with its places.
///
/// Tags are passed over, keys are texts. Constructs without a place in JSON (complex keys, recursive aliases) are refused.
package struct YAMLParser {
    /// Levels of lists and maps within each other, those behind aliases included. 128.
    package static let maximumDepth = 128
    /// Values of a document, those behind aliases counted each time. 1,000,000.
    package static let maximumValues = 1_000_000

    struct Anchor {
        let node: JSONNode
        let values: Int
        let height: Int
    }

    let bytes: [UInt8]
    var index = 0
    /// Where the line begins that is read.
    var lineStart = 0
    var anchors: [String: Anchor] = [:]
    var values = 0
    /// The depth of the deepest value since the last anchor began.
    var deepest = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the first document of a text.
    ///
    /// - Parameter isOnly: whether another document behind it is a failure.
    /// - Throws: `JSONError` with the place of the part that cannot be read.
    package static func parse(_ bytes: [UInt8], isOnly: Bool = false) throws(JSONError) -> JSONNode {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(offset: 0, message: "the text is not UTF-8")
        }
        var parser = YAMLParser(bytes)
        let node = try parser.document()
        if isOnly { try parser.end() }
        return node
    }

    // MARK: Characters

    func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }
    var byte: UInt8? { byte(at: index) }
    var next: UInt8? { byte(at: index + 1) }
    var column: Int { index - lineStart }

    func failure(_ message: String) -> JSONError { JSONError(offset: index, message: message) }

    static func isBreak(_ byte: UInt8?) -> Bool { byte == nil || byte == 0x0A || byte == 0x0D }
    static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    static func isBlank(_ byte: UInt8?) -> Bool { isBreak(byte) || isSpace(byte) }

    var isAtBreak: Bool { byte == 0x0A || byte == 0x0D }

    mutating func skipSpaces() {
        while Self.isSpace(byte) { index += 1 }
    }

    /// Goes behind the end of the line.
    mutating func skipBreak() {
        if byte == 0x0D { index += 1 }
        if byte == 0x0A { index += 1 }
        lineStart = index
    }

    /// Takes line breaks and the spaces behind each.
    mutating func skipBreaks() -> Int {
        var breaks = 0
        while isAtBreak {
            skipBreak()
            breaks += 1
            skipSpaces()
        }
        return breaks
    }

    mutating func skipComment() {
        guard byte == UInt8(ascii: "#"), column == 0 || Self.isBlank(bytes[index - 1]) else { return }
        while !Self.isBreak(byte) { index += 1 }
    }

    /// Goes to the next line with content, behind its indentation.
    mutating func skipLines() throws(JSONError) {
        while index < bytes.count {
            let start = index
            skipSpaces()
            let hasTab = bytes[start..<index].contains(0x09)
            skipComment()
            guard Self.isBreak(byte) else {
                if hasTab, start == lineStart { throw failure("a tab does not indent") }
                return
            }
            skipBreak()
        }
    }

    /// Whether a marker of a document's end or begin stands here.
    var isMarker: Bool {
        column == 0 && Self.isBlank(byte(at: index + 3))
            && ["---", "..."].contains { bytes[index...].starts(with: $0.utf8) }
    }

    var isAtEnd: Bool { index >= bytes.count || isMarker }
    var isDash: Bool { byte == UInt8(ascii: "-") && Self.isBlank(next) }

    /// A line is at its end here, but for a comment.
    mutating func endLine() throws(JSONError) {
        skipSpaces()
        skipComment()
        guard Self.isBreak(byte) else { throw failure("nothing may stand behind the value on this line") }
    }

    // MARK: Blocks

    mutating func document() throws(JSONError) -> JSONNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            index = 3
            lineStart = 3
        }
        try skipLines()
        while byte == UInt8(ascii: "%"), column == 0 {
            while !Self.isBreak(byte) { index += 1 }
            try skipLines()
        }
        if isMarker, byte == UInt8(ascii: "-") { index += 3 }
        let node = try block(parent: -1, depth: 0)
        try skipLines()
        guard isAtEnd else { throw failure("this line is indented otherwise than those before it") }
        return node
    }

    /// Goes behind the marks that end a document, to the end of the text.
    private mutating func end() throws(JSONError) {
        while isMarker, byte == UInt8(ascii: ".") {
            index += 3
            try endLine()
            try skipLines()
        }
        guard index >= bytes.count else { throw failure("a second document begins here") }
    }

    mutating func count(_ depth: Int) throws(JSONError) {
        values += 1
        deepest = max(deepest, depth)
        guard values <= Self.maximumValues else { throw failure("more than \(Self.maximumValues) values") }
        guard depth <= Self.maximumDepth else { throw failure("more than \(Self.maximumDepth) levels") }
    }

    /// A value of a block, which may begin on this line or on a later one.
    ///
    /// - Parameters:
    ///   - parent: the column of the part that the value belongs to.
    ///   - isValue: whether it is that of a key.
    ///   - mayBegin: whether a list or a map may begin on this line.
    mutating func block(
        parent: Int, isValue: Bool = false, mayBegin: Bool = true, depth: Int
    ) throws(JSONError) -> JSONNode {
        try count(depth)
        var anchor: String?
        var tag: String?
        var mayBegin = mayBegin
        let begin = index
        while true {
            skipSpaces()
            skipComment()
            if Self.isBreak(byte) {
                try skipLines()
                let isList = isValue && column == parent && isDash
                if isAtEnd || column <= parent && !isList { return keep(.init(.null, offset: begin), anchor, 1, 0) }
                mayBegin = true
            }
            if byte == UInt8(ascii: "&") {
                // That of a key is the key's, and stays for it.
                let behind = bytes[index...].firstIndex { Self.isBlank($0) }.map { end in
                    bytes[end...].firstIndex { !Self.isSpace($0) } ?? bytes.count
                }
                if mayBegin, let behind, isKey(at: behind) { break }
                anchor = try name()
            } else if byte == UInt8(ascii: "!") {
                tag = self.tag()
            } else {
                break
            }
        }
        let start = index
        guard let anchor else { return tagged(try content(parent, mayBegin, depth), tag, start) }
        let (before, outer) = (values, deepest)
        deepest = depth
        let node = tagged(try content(parent, mayBegin, depth), tag, start)
        let height = deepest - depth
        deepest = max(deepest, outer)
        return keep(node, anchor, values - before + 1, height)
    }

    mutating func tag() -> String {
        let start = index
        while !Self.isBlank(byte), !",[]{}".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A scalar as its tag has it, if that is one of the core schema's; other tags say nothing.
    func tagged(_ node: JSONNode, _ tag: String?, _ start: Int) -> JSONNode {
        guard let tag, node.array == nil, node.object == nil else { return node }
        switch tag {
        case "!!str", "!":
            if node.string != nil { return node }
            let text = bytes[start...].prefix { !Self.isBreak($0) && !",]}#".utf8.contains($0) }
            return JSONNode(.string(String(decoding: Self.trimmed(text), as: UTF8.self)), offset: node.offset)
        case "!!int", "!!float", "!!bool", "!!null":
            return node.string.map { Self.resolved($0, at: node.offset) } ?? node
        default: return node
        }
    }

    mutating func keep(_ node: JSONNode, _ name: String?, _ values: Int, _ height: Int) -> JSONNode {
        if let name { anchors[name] = Anchor(node: node, values: values, height: height) }
        return node
    }
}
