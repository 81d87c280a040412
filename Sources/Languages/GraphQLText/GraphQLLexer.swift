// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A token of a document: a name, a punctuator, a number or a string; ignored tokens between them are left out (§2.1).
struct GraphQLToken {
    enum Kind: Equatable {
        case end
        case name
        /// A sign by its first byte; `.` is `...`.
        case punctuator(UInt8)
        case int
        case float
        /// A string of either kind, by its value.
        case string
    }

    var kind: Kind
    /// Where it stands in the text.
    var offset: Int
    /// A name's letters, a number's digits, a string's value.
    var text: [UInt8] = []
}

/// Takes a document apart into tokens (§2.1).
struct GraphQLLexer {
    let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) throws(GraphQLError) {
        self.bytes = bytes
        if bytes.count > GraphQLDocument.maximumBytes {
            throw GraphQLError(
                bytes, at: GraphQLDocument.maximumBytes,
                "the document is longer than \(GraphQLDocument.maximumBytes) bytes")
        }
    }

    func failure(_ message: String, at offset: Int) -> GraphQLError { GraphQLError(bytes, at: offset, message) }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func next() throws(GraphQLError) -> GraphQLToken {
        skipIgnored()
        let start = index
        guard let byte = current else { return GraphQLToken(kind: .end, offset: start) }
        switch byte {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "."):
            guard bytes[index...].starts(with: "...".utf8) else {
                throw failure("'.' is not a sign; '...' spreads a fragment", at: start)
            }
            index += 3
            return GraphQLToken(kind: .punctuator(byte), offset: start)
        case _ where Self.punctuators.contains(byte):
            index += 1
            return GraphQLToken(kind: .punctuator(byte), offset: start)
        case _ where isNameStart(byte):
            while let byte = current, isNameStart(byte) || isDigit(byte) { index += 1 }
            return GraphQLToken(kind: .name, offset: start, text: Array(bytes[start..<index]))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw failure("\(Self.describe(bytes, at: start)) cannot stand here", at: start)
        }
    }

    private static let punctuators = Set("!$&():=@[]{|}".utf8)

    private func isNameStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// A character as messages name it.
    static func describe(_ bytes: [UInt8], at offset: Int) -> String {
        let text = String(decoding: bytes[offset..<min(bytes.count, offset + 4)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return "the end of the document" }
        if scalar.value <= 0x20 || scalar.value == 0x7F || scalar.value == 0xFEFF {
            return "U+" + String(scalar.value, radix: 16, uppercase: true)
        }
        return "'\(Character(scalar))'"
    }

    /// Passes over space, ends of lines, commas, comments and byte order marks (§2.1.7).
    private mutating func skipIgnored() {
        while let byte = current {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): index += 1
            case UInt8(ascii: "#"):
                while let byte = current, byte != 0x0A, byte != 0x0D { index += 1 }
            case 0xEF where bytes[index...].starts(with: [0xEF, 0xBB, 0xBF]): index += 3
            default: return
            }
        }
    }

    /// Reads a number (§2.9.1, §2.9.2); a name, digit or dot must not follow it.
    private mutating func number() throws(GraphQLError) -> GraphQLToken {
        let start = index
        var kind = GraphQLToken.Kind.int
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") {
            index += 1
            if let byte = current, isDigit(byte) { throw failure("a number with a zero in front", at: start) }
        } else {
            try digits(from: start)
        }
        if current == UInt8(ascii: ".") {
            kind = .float
            index += 1
            try digits(from: start)
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            kind = .float
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits(from: start)
        }
        if let byte = current, isNameStart(byte) || byte == UInt8(ascii: ".") {
            throw failure("\(Self.describe(bytes, at: index)) right behind a number", at: index)
        }
        return GraphQLToken(kind: kind, offset: start, text: Array(bytes[start..<index]))
    }

    private mutating func digits(from start: Int) throws(GraphQLError) {
        guard let byte = current, isDigit(byte) else { throw failure("a number without digits", at: start) }
        while let byte = current, isDigit(byte) { index += 1 }
    }

    // MARK: Strings (§2.9.4)

    private mutating func string() throws(GraphQLError) -> GraphQLToken {
        let start = index
        if bytes[index...].starts(with: "\"\"\"".utf8) { return try blockString() }
        index += 1
        var value: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return GraphQLToken(kind: .string, offset: start, text: value)
            case UInt8(ascii: "\\"): try escape(into: &value)
            case 0x0A, 0x0D: throw failure("a string that does not end in its line", at: start)
            default:
                try checkCharacter(byte)
                value.append(byte)
                index += 1
            }
        }
        throw failure("a string that does not end", at: start)
    }

    private func checkCharacter(_ byte: UInt8) throws(GraphQLError) {
        let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
        if isControl { throw failure("a control character in a string", at: index) }
    }

    private mutating func escape(into value: inout [UInt8]) throws(GraphQLError) {
        let start = index
        index += 1
        guard let byte = current else { throw failure("a string that does not end", at: start) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(byte)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal(at: start)
            if unit & 0xFC00 == 0xD800, bytes[index...].starts(with: "\\u".utf8) {
                index += 2
                let low = try hexadecimal(at: start)
                unit = low & 0xFC00 == 0xDC00 ? 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF : unit
            }
            guard let scalar = Unicode.Scalar(unit) else { throw failure("half a surrogate pair", at: start) }
            value += String(Character(scalar)).utf8
        default: throw failure("an unknown escape in a string", at: start)
        }
    }

    private mutating func hexadecimal(at start: Int) throws(GraphQLError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }

    private mutating func blockString() throws(GraphQLError) -> GraphQLToken {
        let start = index
        index += 3
        var raw: [UInt8] = []
        while let byte = current {
            if byte == UInt8(ascii: "\""), bytes[index...].starts(with: "\"\"\"".utf8) {
                index += 3
                return GraphQLToken(kind: .string, offset: start, text: Self.dedent(raw))
            }
            if byte == UInt8(ascii: "\\"), bytes[index...].starts(with: "\\\"\"\"".utf8) {
                raw += "\"\"\"".utf8
                index += 4
                continue
            }
            try checkCharacter(byte)
            raw.append(byte)
            index += 1
        }
        throw failure("a block string that does not end", at: start)
    }

    /// The value of a block string: without the indentation that its lines share, and without blank lines at either end.
    private static func dedent(_ raw: [UInt8]) -> [UInt8] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < raw.count {
            if raw[index] == 0x0A || raw[index] == 0x0D {
                lines.append(raw[start..<index])
                if raw[index] == 0x0D, index + 1 < raw.count, raw[index + 1] == 0x0A { index += 1 }
                start = index + 1
            }
            index += 1
        }
        lines.append(raw[start...])
        func indent(_ line: ArraySlice<UInt8>) -> Int { line.prefix { $0 == 0x20 || $0 == 0x09 }.count }
        let common = lines.dropFirst().filter { indent($0) < $0.count }.map(indent).min() ?? 0
        let dedented = lines.enumerated().map { $0.offset == 0 ? $0.element : $0.element.dropFirst(common) }
        let isBlank = dedented.map { indent($0) == $0.count }
        guard let first = isBlank.firstIndex(of: false), let last = isBlank.lastIndex(of: false) else { return [] }
        return Array(dedented[first...last].joined(separator: [0x0A]))
    }
}
