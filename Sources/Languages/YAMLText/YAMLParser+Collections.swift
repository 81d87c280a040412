// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Lists and maps, in blocks and in flows.
extension YAMLParser {
    mutating func content(
        _ parent: Int, _ mayBegin: Bool, _ depth: Int
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

    mutating func list(at column: Int, _ depth: Int) throws(JSONError) -> JSONNode {
        let start = index
        var items: [JSONNode] = []
        while !isAtEnd, self.column == column, isDash {
            index += 1
            items.append(try block(parent: column, depth: depth + 1))
            try skipLines()
        }
        return JSONNode(.array(items), offset: start)
    }

    mutating func map(at column: Int, _ depth: Int) throws(JSONError) -> JSONNode {
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
        return members.node(at: start)
    }

    /// A member whose key stands behind a question mark, on lines of its own.
    mutating func explicitMember(
        at column: Int, _ depth: Int, to members: inout Members
    ) throws(JSONError) {
        index += 1
        let offset = index
        let key = try block(parent: column, depth: depth + 1)
        guard key.array == nil, key.object == nil else {
            throw JSONError(offset: offset, message: "a key that is not a text")
        }
        try skipLines()
        var value = JSONNode(.null, offset: index)
        if self.column == column, !isAtEnd, byte == UInt8(ascii: ":"), Self.isBlank(next) {
            index += 1
            value = try block(parent: column, isValue: true, depth: depth + 1)
            try skipLines()
        }
        try add(Self.text(key), true, key.offset, value, to: &members)
    }

    /// The members of a map as they come.
    struct Members {
        var list: [JSONObject.Member] = []
        var names: Set<String> = []
        var merged: [JSONObject.Member] = []

        func node(at offset: Int) -> JSONNode {
            var names = names
            return JSONNode(
                .object(JSONObject(list + merged.filter { names.insert($0.name).inserted })), offset: offset)
        }
    }

    func add(
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
    mutating func name() throws(JSONError) -> String {
        index += 1
        let start = index
        while !Self.isBlank(byte), !",[]{}".utf8.contains(bytes[index]) { index += 1 }
        guard index > start else { throw failure("a name is missing here") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func alias(_ depth: Int) throws(JSONError) -> JSONNode {
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

    mutating func skipFlowSpace() {
        skipSpaces()
        skipComment()
        while isAtBreak {
            skipBreak()
            skipSpaces()
            skipComment()
        }
    }

    mutating func flow(_ depth: Int) throws(JSONError) -> JSONNode {
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

    mutating func flowList(_ depth: Int) throws(JSONError) -> JSONNode {
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

    mutating func flowMap(_ depth: Int) throws(JSONError) -> JSONNode {
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
            guard let sign = byte, !"[{,".utf8.contains(sign) else { throw failure("a key is expected here") }
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
    mutating func flowValue(_ depth: Int) throws(JSONError) -> JSONNode {
        skipFlowSpace()
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
            return JSONNode(.null, offset: index)
        }
        return try flow(depth)
    }

    /// A scalar as a key.
    static func text(_ node: JSONNode) -> String {
        node.string ?? String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }
}
