// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Reads JSON text (RFC 8259) into a tree.
///
/// A byte order mark in front is accepted. Nesting is limited to `maximumDepth` levels, so that no text can exhaust
/// the stack.
package struct JSONParser {
    /// The spellings that are accepted beyond RFC 8259.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// `//` and `/* */` comments.
        package static let comments = Options(rawValue: 1)
        /// Strings and names between single quotes.
        package static let singleQuotes = Options(rawValue: 2)
        /// Any text behind the value.
        package static let textBehind = Options(rawValue: 4)
    }

    /// The weight of values, names and texts: a JSON text that weighs too much is given up.
    package struct Weights: Sendable {
        package let value: Int
        package let name: Int
        /// Of a name or a string of more than 15 bytes, beside each of its bytes; nil if texts weigh nothing.
        package let text: Int?

        package init(value: Int, name: Int = 0, text: Int? = nil) {
            self.value = value
            self.name = name
            self.text = text
        }

        /// Each value is one.
        package static let one = Weights(value: 1)
    }

    package static let maximumDepth = 512

    let bytes: UnsafeBufferPointer<UInt8>
    let options: Options
    /// False: the text is checked, and no tree is made.
    let makesTree: Bool
    /// What may still be read.
    private var left = Int.max
    private var weights = Weights.one
    /// Takes elements of long arrays as they come, with where their array begins.
    private var fold: ((Int, [JSONNode]) -> Void)?
    var index = 0

    /// Reads one value and nothing behind it.
    ///
    /// - Throws: `JSONError` with the first byte that is not allowed in its place.
    package static func parse(_ bytes: [UInt8], options: Options = []) throws(JSONError) -> JSONNode {
        try read(bytes, options: options, makesTree: true)
    }

    /// Reads the value that begins at an offset, whatever stands behind it; its places are those in the whole text.
    ///
    /// - Throws: as `parse`.
    package static func parse(
        _ bytes: [UInt8], at offset: Int, options: Options = []
    ) throws(JSONError) -> JSONNode {
        try read(bytes, options: options, makesTree: true, at: offset)
    }

    /// Reads one value and nothing behind it.
    ///
    /// - Throws: `JSONError` with the first byte that is not allowed in its place.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONNode {
        var parser = JSONParser(bytes: bytes, options: [], makesTree: true)
        return try parser.document()
    }

    /// Reads one value and nothing behind it.
    ///
    /// - Returns: nil if it weighs more than it may.
    /// - Throws: the error of `parse`, if that comes first.
    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, options: Options = [], most: Int, weights: Weights = .one
    ) throws(JSONError) -> JSONNode? {
        var parser = JSONParser(bytes: bytes, options: options, makesTree: true)
        parser.left = most
        parser.weights = weights
        do throws(JSONError) {
            let node = try parser.document()
            return parser.left < 0 ? nil : node
        } catch {
            if parser.left < 0 { return nil }
            throw error
        }
    }

    /// Elements of an array that are held at once if they are folded. 4,096.
    private static let foldCount = 4096

    /// Reads one value and nothing behind it; of its long arrays only the last elements are in the tree.
    ///
    /// - Parameter fold: called with the others, in order and many at once, and with the offset of their array; an array's elements come before
    ///   the array itself does.
    /// - Throws: the error of `parse`.
    package static func parse(
        _ bytes: [UInt8], folding fold: @escaping (Int, [JSONNode]) -> Void
    ) throws(JSONError) -> JSONNode {
        try read(bytes, options: [], makesTree: true, fold: fold)
    }

    /// Reads one value as `parse` does and keeps nothing of it, at a fraction of the time.
    ///
    /// - Throws: the error of `parse`.
    package static func check(_ bytes: [UInt8], options: Options = []) throws(JSONError) {
        _ = try read(bytes, options: options, makesTree: false)
    }

    private static func read(
        _ bytes: [UInt8], options: Options, makesTree: Bool, at offset: Int? = nil,
        fold: ((Int, [JSONNode]) -> Void)? = nil
    ) throws(JSONError) -> JSONNode {
        var result: Result<JSONNode, JSONError> = .failure(JSONError(offset: 0, message: "no text"))
        bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer, options: options, makesTree: makesTree)
            parser.fold = fold
            do throws(JSONError) {
                guard let offset else {
                    result = .success(try parser.document())
                    return
                }
                parser.index = offset
                result = .success(try parser.value(depth: 0))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    package static func parse(_ text: String, options: Options = []) throws(JSONError) -> JSONNode {
        try parse(Array(text.utf8), options: options)
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, options: Options, makesTree: Bool) {
        self.bytes = bytes
        self.options = options
        self.makesTree = makesTree
    }

    private mutating func document() throws(JSONError) -> JSONNode {
        if isUTF16 { throw failure("the text is in UTF-16; save it in UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        try skipSpace()
        if index == bytes.count { throw failure("the text is empty") }
        let node = try value(depth: 0)
        if options.contains(.textBehind) { return node }
        try skipSpace()
        if index < bytes.count { throw failure("text behind the end of the value") }
        return node
    }

    /// Whether the text begins with a byte order mark of UTF-16, or with an ASCII character in two bytes.
    private var isUTF16: Bool {
        guard bytes.count > 1 else { return false }
        let first = (bytes[0], bytes[1])
        return first == (0xFF, 0xFE) || first == (0xFE, 0xFF) || first.0 == 0 && first.1 != 0
            || first.0 != 0 && first.1 == 0
    }

    func failure(_ message: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? index, message: message)
    }

    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() throws(JSONError) {
        while let byte = current {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index += 1
            case UInt8(ascii: "/") where options.contains(.comments):
                try skipComment()
            case UInt8(ascii: "/") where index + 1 < bytes.count && "/*".utf8.contains(bytes[index + 1]),
                UInt8(ascii: "#"):
                throw failure("JSON has no comments; take it out")
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONError) {
        let start = index
        index += 1
        if current == UInt8(ascii: "/") {
            while let byte = current, byte != UInt8(ascii: "\n") { index += 1 }
        } else if current == UInt8(ascii: "*") {
            index += 1
            while index + 1 < bytes.count, bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/") {
                index += 1
            }
            if index + 1 >= bytes.count { throw failure("a comment that does not end", at: start) }
            index += 2
        } else {
            throw failure("unexpected '/'", at: start)
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        if depth > Self.maximumDepth { throw failure("nested deeper than \(Self.maximumDepth) levels") }
        left -= weights.value
        if left < 0 { throw failure("too large") }
        let start = index
        guard let byte = current else { throw failure("the text ends, but a value should follow") }
        switch byte {
        case UInt8(ascii: "{"): return JSONNode(.object(try object(depth: depth)), offset: start)
        case UInt8(ascii: "["): return JSONNode(.array(try array(depth: depth)), offset: start)
        case UInt8(ascii: "\""): return JSONNode(.string(try weighed(quote: byte)), offset: start)
        case UInt8(ascii: "'") where options.contains(.singleQuotes):
            return JSONNode(.string(try weighed(quote: byte)), offset: start)
        case UInt8(ascii: "'"): throw failure(Self.singleQuote)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNode(.number(try number()), offset: start)
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw failure("unexpected \(describe(byte)) in the place of a value")
        }
    }

    private mutating func weighed(quote: UInt8) throws(JSONError) -> String {
        let text = try string(quote: quote)
        if let own = weights.text, text.utf8.count > 15 { left -= own + text.utf8.count }
        return text
    }

    private mutating func literal(_ text: StaticString, _ value: JSONNode.Value) throws(JSONError) -> JSONNode {
        let start = index
        for position in 0..<text.utf8CodeUnitCount {
            guard start + position < bytes.count, bytes[start + position] == text.utf8Start[position] else {
                throw failure("expected \(text)", at: start)
            }
        }
        index += text.utf8CodeUnitCount
        return JSONNode(value, offset: start)
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        index += 1
        var members: [JSONObject.Member] = []
        try skipSpace()
        if current == UInt8(ascii: "}") {
            index += 1
            return JSONObject(members)
        }
        while true {
            let nameOffset = index
            guard let quote = current,
                quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") && options.contains(.singleQuotes)
            else {
                throw failure(
                    current == UInt8(ascii: "'") ? Self.singleQuote : "expected a member's name in quotes\(found)")
            }
            let name = try weighed(quote: quote)
            left -= weights.name
            try skipSpace()
            guard current == UInt8(ascii: ":") else { throw failure("expected ':' behind a member's name\(found)") }
            index += 1
            try skipSpace()
            let value = try value(depth: depth + 1)
            if makesTree { members.append(.init(name: name, nameOffset: nameOffset, value: value)) }
            try skipSpace()
            if current == UInt8(ascii: "}") {
                index += 1
                return JSONObject(members)
            }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or '}'\(found)") }
            try skipComma(before: UInt8(ascii: "}"))
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
        let start = index
        index += 1
        var elements: [JSONNode] = []
        try skipSpace()
        if current == UInt8(ascii: "]") {
            index += 1
            return elements
        }
        while true {
            let element = try value(depth: depth + 1)
            if makesTree { elements.append(element) }
            if let fold, elements.count == Self.foldCount {
                fold(start, elements)
                elements = []
            }
            try skipSpace()
            if current == UInt8(ascii: "]") {
                index += 1
                return elements
            }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or ']'\(found)") }
            try skipComma(before: UInt8(ascii: "]"))
        }
    }

    /// Passes over a comma and the space behind it, if something of the list or the object follows.
    private mutating func skipComma(before end: UInt8) throws(JSONError) {
        let comma = index
        index += 1
        try skipSpace()
        if current == end { throw failure("a comma in front of \(describe(end)); take it out", at: comma) }
    }

    private static let singleQuote = "a single quote; JSON has double quotes only"

    private var found: String {
        guard let byte = current else { return ", found the end of the text" }
        return ", found \(describe(byte))"
    }

    func describe(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    }
}
