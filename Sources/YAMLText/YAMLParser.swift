// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import JSONText

/// A reader of YAML 1.2 as far as documents of APIs are written in it: the first document of a text, as JSON with its places.
///
/// Tags are passed over, keys are texts. What has no place in JSON (complex keys, recursive aliases) is refused.
package struct YAMLParser {
    /// Levels of lists and maps within each other, those behind aliases included. 128.
    package static let maximumDepth = 128
    /// Values of a document, those behind aliases counted each time. 1,000,000.
    package static let maximumValues = 1_000_000

    private struct Anchor {
        let node: JSONNode
        let values: Int
        let height: Int
    }

    let bytes: [UInt8]
    var index = 0
    /// Where the line begins that is read.
    var lineStart = 0
    private var anchors: [String: Anchor] = [:]
    private var values = 0
    /// The depth of the deepest value since the last anchor began.
    private var deepest = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the first document of a text.
    ///
    /// - Throws: `JSONError` with the place of what cannot be read.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(offset: 0, message: "the text is not UTF-8")
        }
        var parser = YAMLParser(bytes)
        return try parser.document()
    }

    // MARK: Characters

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }
    private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }
    var column: Int { index - lineStart }

    func failure(_ message: String) -> JSONError { JSONError(offset: index, message: message) }

    static func isBreak(_ byte: UInt8?) -> Bool { byte == nil || byte == 0x0A || byte == 0x0D }
    static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    static func isBlank(_ byte: UInt8?) -> Bool { isBreak(byte) || isSpace(byte) }

    mutating func skipSpaces() {
        while Self.isSpace(byte) { index += 1 }
    }

    /// Goes behind the end of the line.
    mutating func skipBreak() {
        if byte == 0x0D { index += 1 }
        if byte == 0x0A { index += 1 }
        lineStart = index
    }

    private mutating func skipComment() {
        guard byte == UInt8(ascii: "#"), index == 0 || Self.isBlank(bytes[index - 1]) else { return }
        while !Self.isBreak(byte) { index += 1 }
    }

    /// Goes to the next line with content, behind its indentation.
    private mutating func skipLines() throws(JSONError) {
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
        guard column == 0, index + 3 <= bytes.count, Self.isBlank(index + 3 < bytes.count ? bytes[index + 3] : nil)
        else { return false }
        return bytes[index..<index + 3].elementsEqual("---".utf8) || bytes[index..<index + 3].elementsEqual("...".utf8)
    }

    private var isAtEnd: Bool { index >= bytes.count || isMarker }
    private var isDash: Bool { byte == UInt8(ascii: "-") && Self.isBlank(next) }

    /// A line is at its end here, but for a comment.
    private mutating func endLine() throws(JSONError) {
        skipSpaces()
        skipComment()
        guard Self.isBreak(byte) else { throw failure("nothing may stand behind the value on this line") }
    }

    // MARK: Blocks

    private mutating func document() throws(JSONError) -> JSONNode {
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
        let node = try block(parent: -1, isValue: false, mayBegin: true, depth: 0)
        try skipLines()
        guard isAtEnd else { throw failure("this line is indented otherwise than those before it") }
        return node
    }

    private mutating func count(_ depth: Int) throws(JSONError) {
        values += 1
        deepest = max(deepest, depth)
        guard values <= Self.maximumValues else { throw failure("more than \(Self.maximumValues) values") }
        guard depth <= Self.maximumDepth else { throw failure("more than \(Self.maximumDepth) levels") }
    }

    /// A value of a block, which may begin on this line or on a later one.
    ///
    /// - Parameters:
    ///   - parent: the column of what the value belongs to.
    ///   - isValue: whether it is that of a key.
    ///   - mayBegin: whether a list or a map may begin on this line.
    private mutating func block(
        parent: Int, isValue: Bool, mayBegin: Bool, depth: Int
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
        guard let anchor else { return tagged(try content(parent, isValue, mayBegin, depth), tag, start) }
        let (before, outer) = (values, deepest)
        deepest = depth
        let node = tagged(try content(parent, isValue, mayBegin, depth), tag, start)
        let height = deepest - depth
        deepest = max(deepest, outer)
        return keep(node, anchor, values - before + 1, height)
    }

    private mutating func tag() -> String {
        let start = index
        while !Self.isBlank(byte), !",[]{}".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A scalar as its tag has it, where that is one of the core schema's; other tags say nothing.
    private func tagged(_ node: JSONNode, _ tag: String?, _ start: Int) -> JSONNode {
        guard let tag, node.array == nil, node.object == nil, start < bytes.count else { return node }
        switch tag {
        case "!!str", "!":
            if node.string != nil { return node }
            let end = bytes[start...].firstIndex { Self.isBreak($0) || $0 == UInt8(ascii: ",") } ?? bytes.count
            let text = bytes[start..<end].prefix {
                $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "}")
            }
            return JSONNode(.string(String(decoding: Self.trimmed(text), as: UTF8.self)), offset: node.offset)
        case "!!int", "!!float", "!!bool", "!!null":
            return node.string.map { Self.resolved($0, at: node.offset) } ?? node
        default: return node
        }
    }

    private mutating func keep(_ node: JSONNode, _ name: String?, _ values: Int, _ height: Int) -> JSONNode {
        if let name { anchors[name] = Anchor(node: node, values: values, height: height) }
        return node
    }

    private mutating func content(
        _ parent: Int, _ isValue: Bool, _ mayBegin: Bool, _ depth: Int
    ) throws(JSONError) -> JSONNode {
        let start = index
        switch byte {
        case UInt8(ascii: "*"):
            let node = try alias(depth)
            try endLine()
            return node
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            return JSONNode(.string(try blockText(parent: parent)), offset: start)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let node = try flow(depth)
            try endLine()
            return node
        case UInt8(ascii: "?") where Self.isBlank(next):
            guard mayBegin else { throw failure("a map cannot begin on this line") }
            return try map(at: column, depth)
        case UInt8(ascii: "-") where Self.isBlank(next):
            guard mayBegin else { throw failure("a list cannot begin on this line") }
            return try list(at: column, depth)
        default:
            if mayBegin, isKey(at: index) { return try map(at: column, depth) }
            let node = try scalar(parent: parent)
            try endLine()
            return node
        }
    }

    private mutating func list(at column: Int, _ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        var items: [JSONNode] = []
        while !isAtEnd, self.column == column, isDash {
            index += 1
            items.append(try block(parent: column, isValue: false, mayBegin: true, depth: depth + 1))
            try skipLines()
        }
        if !isAtEnd, self.column > column { throw failure("this line is indented otherwise than those before it") }
        return JSONNode(.array(items), offset: start)
    }

    private mutating func map(at column: Int, _ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        var members = Members()
        while !isAtEnd, self.column == column, !isDash {
            if byte == UInt8(ascii: "?"), Self.isBlank(next) {
                try explicitMember(at: column, depth, to: &members)
                continue
            }
            guard isKey(at: index) else { throw failure("a key is expected here, with a colon and a space behind it") }
            if byte == UInt8(ascii: "&") {
                // A key's own anchor: keys are texts, and nothing else is made of them.
                _ = try name()
                skipSpaces()
            }
            let offset = index
            let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            let key = try key()
            skipSpaces()
            index += 1
            let value = try block(parent: column, isValue: true, mayBegin: false, depth: depth + 1)
            try add(key, isQuoted, offset, value, to: &members)
            try skipLines()
        }
        if !isAtEnd, self.column > column { throw failure("this line is indented otherwise than those before it") }
        return members.node(at: start)
    }

    /// A member whose key stands behind a question mark, on lines of its own.
    private mutating func explicitMember(
        at column: Int, _ depth: Int, to members: inout Members
    ) throws(JSONError) {
        index += 1
        let offset = index
        let key = try block(parent: column, isValue: false, mayBegin: true, depth: depth + 1)
        guard key.array == nil, key.object == nil else {
            throw JSONError(offset: offset, message: "a key that is not a text")
        }
        try skipLines()
        var value = JSONNode(.null, offset: index)
        if self.column == column, !isAtEnd, byte == UInt8(ascii: ":"), Self.isBlank(next) {
            index += 1
            value = try block(parent: column, isValue: true, mayBegin: true, depth: depth + 1)
            try skipLines()
        }
        try add(Self.text(key), true, key.offset, value, to: &members)
    }

    /// The members of a map as they come.
    private struct Members {
        var list: [JSONObject.Member] = []
        var names: Set<String> = []
        var merged: [JSONObject.Member] = []

        func node(at offset: Int) -> JSONNode {
            var names = names
            return JSONNode(
                .object(JSONObject(list + merged.filter { names.insert($0.name).inserted })), offset: offset)
        }
    }

    private func add(
        _ key: String, _ isQuoted: Bool, _ offset: Int, _ value: JSONNode, to members: inout Members
    ) throws(JSONError) {
        if key == "<<", !isQuoted, value.object != nil || value.array != nil {
            for node in value.array ?? [value] { members.merged += node.object?.members ?? [] }
            return
        }
        guard members.names.insert(key).inserted else {
            throw JSONError(offset: offset, message: "the key \"\(key)\" stands here twice")
        }
        members.list.append(JSONObject.Member(name: key, nameOffset: offset, value: value))
    }

    /// The name of an anchor or an alias, behind its sign.
    private mutating func name() throws(JSONError) -> String {
        index += 1
        let start = index
        while !Self.isBlank(byte), !",[]{}".utf8.contains(bytes[index]) { index += 1 }
        guard index > start else { throw failure("a name is missing here") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func alias(_ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        let name = try name()
        guard let anchor = anchors[name] else {
            throw JSONError(offset: start, message: "there is no anchor \"\(name)\" before this")
        }
        values += anchor.values - 1
        deepest = max(deepest, depth + anchor.height)
        guard values <= Self.maximumValues else { throw failure("more than \(Self.maximumValues) values") }
        guard depth + anchor.height <= Self.maximumDepth else {
            throw failure("more than \(Self.maximumDepth) levels")
        }
        return anchor.node
    }

    // MARK: Flows

    private mutating func skipFlowSpace() {
        while index < bytes.count {
            skipSpaces()
            skipComment()
            guard index < bytes.count, Self.isBreak(byte) else { return }
            skipBreak()
        }
    }

    private mutating func flow(_ depth: Int) throws(JSONError) -> JSONNode {
        try count(depth)
        var anchor: String?
        var tag: String?
        while true {
            skipFlowSpace()
            if byte == UInt8(ascii: "&") {
                anchor = try name()
            } else if byte == UInt8(ascii: "!") {
                tag = self.tag()
            } else {
                break
            }
        }
        let (before, outer) = (values, deepest)
        deepest = depth
        defer { deepest = max(deepest, outer) }
        let start = index
        var node: JSONNode =
            switch byte {
            case UInt8(ascii: "["): try flowList(depth)
            case UInt8(ascii: "{"): try flowMap(depth)
            case UInt8(ascii: "*"): try alias(depth)
            case nil: throw failure("the text ends within a list or a map")
            default: try flowScalar()
            }
        node = tagged(node, tag, start)
        return keep(node, anchor, values - before + 1, deepest - depth)
    }

    private mutating func flowList(_ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        index += 1
        var items: [JSONNode] = []
        while true {
            skipFlowSpace()
            if byte == UInt8(ascii: "]") { break }
            let place = index
            let item = try flow(depth + 1)
            skipFlowSpace()
            if byte == UInt8(ascii: ":") {
                // A single pair.
                index += 1
                let value = try flowValue(depth + 2)
                let key = Self.text(item)
                items.append(
                    JSONNode(
                        .object(JSONObject([.init(name: key, nameOffset: place, value: value)])), offset: place))
                skipFlowSpace()
            } else {
                items.append(item)
            }
            if byte == UInt8(ascii: ",") { index += 1 } else if byte != UInt8(ascii: "]") { break }
        }
        guard byte == UInt8(ascii: "]") else { throw failure("a comma or ] is missing here") }
        index += 1
        return JSONNode(.array(items), offset: start)
    }

    private mutating func flowMap(_ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        index += 1
        var members = Members()
        while true {
            skipFlowSpace()
            if byte == UInt8(ascii: "}") { break }
            if byte == UInt8(ascii: "?"), Self.isBlank(next) {
                index += 1
                skipFlowSpace()
            }
            let offset = index
            let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            guard index < bytes.count, byte != UInt8(ascii: "["), byte != UInt8(ascii: "{"), byte != UInt8(ascii: ",")
            else { throw failure("a key is expected here") }
            let key = Self.text(try flowScalar())
            skipFlowSpace()
            var value = JSONNode(.null, offset: index)
            if byte == UInt8(ascii: ":") {
                index += 1
                value = try flowValue(depth + 1)
                skipFlowSpace()
            }
            try add(key, isQuoted, offset, value, to: &members)
            if byte == UInt8(ascii: ",") { index += 1 } else if byte != UInt8(ascii: "}") { break }
        }
        guard byte == UInt8(ascii: "}") else { throw failure("a comma or } is missing here") }
        index += 1
        return members.node(at: start)
    }

    /// A value behind a colon, which may be missing.
    private mutating func flowValue(_ depth: Int) throws(JSONError) -> JSONNode {
        skipFlowSpace()
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
            return JSONNode(.null, offset: index)
        }
        return try flow(depth)
    }

    /// A scalar as a key.
    private static func text(_ node: JSONNode) -> String {
        node.string ?? String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }
}
