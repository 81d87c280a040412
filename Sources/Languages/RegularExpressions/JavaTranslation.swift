// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Translates the spellings of `java.util.regex` that PCRE2 reads otherwise or not at all; most expressions stay as they are.
///
/// Java has sets in its classes (`[a-z&&[^b]]`), and other numbers and names of characters. Constructs unknown to Java (`(?R)`, `\K`) are refused.
struct JavaTranslation {
    /// How deep classes may nest. 64.
    private static let nesting = 64

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var output = ""
    /// How many groups have begun, whose matches can be asked for.
    private var groups = 0
    /// Whether white space and comments are ignored (`(?x)`), here and behind each group that is open.
    private var isExtended = false
    private var outer: [Bool] = []
    /// Whether classes cover all of Unicode (`(?U)`).
    private var isUnicode = false

    private init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    /// The expression in PCRE2's syntax.
    static func translated(_ pattern: String) throws(RegularExpression.Failure) -> String {
        var translation = JavaTranslation(pattern)
        try translation.translate()
        return (translation.isUnicode ? "(*UCP)" : "") + translation.output
    }

    private mutating func translate() throws(RegularExpression.Failure) {
        while let scalar = peek() {
            switch scalar {
            case "\\": try escape()
            case "[":
                index += 1
                output += try characterClass().text
            case "(": try open()
            case ")":
                isExtended = outer.popLast() ?? isExtended
                copy()
            case "{": try checkRepetition()
            case _ where isExtended && skip(): break
            default: copy()
            }
        }
    }

    // MARK: Reading

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func next() -> Unicode.Scalar? {
        defer { index += 1 }
        return peek()
    }

    private mutating func copy() {
        if let scalar = next() { output.unicodeScalars.append(scalar) }
    }

    /// Skips white space or a comment; true if there was one.
    private mutating func skip() -> Bool {
        guard let scalar = peek() else { return false }
        if scalar == "#" {
            while let scalar = peek(), scalar != "\n", scalar != "\r" { index += 1 }
            return true
        }
        guard scalar == " " || ("\t"..."\r").contains(scalar) else { return false }
        index += 1
        return true
    }

    private func failure(_ message: String, at place: Int? = nil) -> RegularExpression.Failure {
        let offset = scalars.prefix(place ?? index).reduce(0) { $0 + UTF8.width($1) }
        return RegularExpression.Failure(offset: offset, message: message)
    }

    /// Copies a repetition such as `{2,3}`.
    private mutating func checkRepetition() throws(RegularExpression.Failure) {
        var end = index + 1
        func digits() {
            while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
        }
        digits()
        let hasLeast = end > index + 1
        if end < scalars.count, scalars[end] == "," {
            end += 1
            digits()
        }
        guard hasLeast, end < scalars.count, scalars[end] == "}" else {
            throw failure("a \"{\" that begins no repetition such as {2,3}; write \"\\{\" for the character")
        }
        while index <= end { copy() }
    }

    // MARK: Groups

    private mutating func open() throws(RegularExpression.Failure) {
        let start = index
        index += 1
        guard peek() == "?" else {
            if peek() == "*" { throw failure("a \"*\" without anything to repeat") }
            groups += 1
            outer.append(isExtended)
            output += "("
            return
        }
        index += 1
        switch (peek(), peek(1)) {
        case (":", _), ("=", _), ("!", _), (">", _), ("<", "="), ("<", "!"):
            outer.append(isExtended)
            output += "(?"
            if peek() == "<" { copy() }
            copy()
        case ("<", _):
            groups += 1
            outer.append(isExtended)
            output += "(?"
            while let scalar = peek(), scalar != ">" { copy() }
        default: try flags(from: start)
        }
    }

    /// Reads `(?im-s)` or `(?im-s:` behind its question mark.
    private mutating func flags(from start: Int) throws(RegularExpression.Failure) {
        let before = isExtended
        var isOn = true
        var text = ""
        while let flag = next() {
            switch flag {
            case "-" where isOn:
                isOn = false
                text += "-"
            case "i", "m", "s": text.unicodeScalars.append(flag)
            case "d", "u": break  // Unix lines, and case by Unicode, as it always is here.
            case "x": isExtended = isOn
            case "U" where isOn && output.isEmpty: isUnicode = true
            case "U": throw failure("(?U) that does not stand at the beginning is not supported", at: start)
            case ")", ":":
                if text.hasSuffix("-") { text.removeLast() }
                if flag == ":" { outer.append(before) }
                output += flag == ":" ? "(?\(text):" : text.isEmpty ? "" : "(?\(text))"
                return
            default:
                throw failure("\"(?\(String(flag))\" begins no group of Java's", at: start)
            }
        }
        throw failure("a \"(?\" without its end", at: start)
    }

    // MARK: Escapes

    private mutating func escape() throws(RegularExpression.Failure) {
        let start = index
        index += 1
        guard let letter = peek() else { throw failure("a \"\\\" at the end", at: start) }
        switch letter {
        case "Q":
            index += 1
            while let scalar = quoted() { output += JavaLiteral.text(scalar) }
        case "1"..."9": reference()
        case "p", "P": output += try property(from: start).text
        case "A", "B", "b", "G", "Z", "z", "R", "X", "k", "d", "D", "w", "W", "s", "S", "h", "H", "v", "V":
            output += "\\"
            copy()
        default: output += try literal(from: start).text
        }
    }

    /// The next character within `\Q…\E`; nil at its end.
    private mutating func quoted() -> Unicode.Scalar? {
        if peek() == "\\", peek(1) == "E" {
            index += 2
            return nil
        }
        return next()
    }

    /// A reference to a group takes as many digits as there are groups before it.
    private mutating func reference() {
        var number = 0
        while let digit = peek(), ("0"..."9").contains(digit) {
            let next = number * 10 + Int(digit.value - 0x30)
            if number > 0, next > groups { break }
            number = next
            index += 1
        }
        output += "\\g{\(number)}"
    }

    /// Reads the character that an escape stands for, behind its backslash.
    private mutating func literal(from start: Int) throws(RegularExpression.Failure) -> JavaLiteral {
        guard let letter = next() else { throw failure("a \"\\\" at the end", at: start) }
        func kept(_ value: UInt32) -> JavaLiteral { JavaLiteral(value: value, text: "\\\(letter)") }
        let number: UInt32?
        switch letter {
        case "t": return kept(9)
        case "n": return kept(10)
        case "r": return kept(13)
        case "f": return kept(12)
        case "a": return kept(7)
        case "e": return kept(27)
        case "0": number = octal()
        case "u": number = utf16()
        case "x" where peek() != "{": number = hexadecimal(2)
        case "x":
            let end = scalars[index...].firstIndex(of: "}") ?? scalars.count
            index += 1
            number = end - index <= 6 ? hexadecimal(end - index) : nil
            index += 1
        case "c":
            guard let control = next() else { throw failure("a \"\\c\" at the end", at: start) }
            number = control.value ^ 64
        case "N":
            throw failure("\\N{…} names a character; write its number, such as \\u0061", at: start)
        case _ where letter.isASCII && letter.properties.isAlphabetic:
            throw failure("\"\\\(letter)\" is not an escape of Java's", at: start)
        default: return kept(letter.value)
        }
        return try numbered(number, from: start)
    }

    private func numbered(_ value: UInt32?, from start: Int) throws(RegularExpression.Failure) -> JavaLiteral {
        guard let value, Unicode.Scalar(value) != nil else {
            let written = String(String.UnicodeScalarView(scalars[start..<min(index, scalars.count)]))
            throw failure("\"\(written)\" is the number of no character", at: start)
        }
        return JavaLiteral(value: value, text: "\\x{\(String(value, radix: 16, uppercase: true))}")
    }

    /// Up to three octal digits; three only if the first is 0 to 3.
    private mutating func octal() -> UInt32? {
        var value: UInt32 = 0
        var count = 0
        while count < 3, let digit = peek(), ("0"..."7").contains(digit), count < 2 || value <= 0o37 {
            value = value * 8 + (digit.value - 0x30)
            count += 1
            index += 1
        }
        return count == 0 ? nil : value
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        guard count > 0, index + count <= scalars.count else { return nil }
        let text = String(String.UnicodeScalarView(scalars[index..<(index + count)]))
        index += count
        return text.utf8.allSatisfy { $0 != UInt8(ascii: "+") } ? UInt32(text, radix: 16) : nil
    }

    /// Four hexadecimal digits, twice for a character beyond U+FFFF.
    private mutating func utf16() -> UInt32? {
        guard let first = hexadecimal(4) else { return nil }
        guard (0xD800..<0xDC00).contains(first), peek() == "\\", peek(1) == "u" else { return first }
        index += 2
        guard let second = hexadecimal(4), (0xDC00..<0xE000).contains(second) else { return nil }
        return 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    // MARK: Classes

    /// Reads a class behind its bracket.
    private mutating func characterClass(depth: Int = 0) throws(RegularExpression.Failure) -> JavaClass {
        let start = index - 1
        guard depth < Self.nesting else { throw failure("classes nest deeper than \(Self.nesting)", at: start) }
        let isNegated = peek() == "^"
        if isNegated { index += 1 }
        var operands: [JavaClass] = []
        var union = JavaClass()
        while true {
            guard let scalar = peek() else { throw failure("a \"[\" without its \"]\"", at: start) }
            if isExtended, skip() { continue }
            switch scalar {
            case "]" where !operands.isEmpty || !union.isEmpty:
                index += 1
                if !union.isEmpty { operands.append(union) }
                let all = JavaClass.intersection(operands)
                return isNegated ? all.negated : all
            case "[":
                index += 1
                union.add(try characterClass(depth: depth + 1))
            case "&" where peek(1) == "&":
                index += 2
                if !union.isEmpty { operands.append(union) }
                union = JavaClass()
            case "\\": try classEscape(&union)
            default:
                index += 1
                try add(JavaLiteral(value: scalar.value, text: JavaLiteral.textInClass(scalar)), to: &union)
            }
        }
    }

    private mutating func classEscape(_ union: inout JavaClass) throws(RegularExpression.Failure) {
        let start = index
        index += 1
        switch peek() {
        case "Q":
            index += 1
            while let scalar = quoted() { union.items += JavaLiteral.textInClass(scalar) }
        case "p", "P": union.add(try property(from: start))
        case let letter? where "dDwWsShHvV".unicodeScalars.contains(letter):
            index += 1
            union.items += "\\\(letter)"
        default: try add(literal(from: start), to: &union)
        }
    }

    /// Adds a character, or the range that begins with it.
    private mutating func add(_ first: JavaLiteral, to union: inout JavaClass) throws(RegularExpression.Failure) {
        union.items += first.text
        guard peek() == "-", let end = peek(1), end != "]", end != "[", !(end == "&" && peek(2) == "&") else { return }
        let start = index
        index += 1
        let last: JavaLiteral
        if end == "\\" {
            index += 1
            last = try literal(from: start + 1)
        } else {
            index += 1
            last = JavaLiteral(value: end.value, text: JavaLiteral.textInClass(end))
        }
        guard first.value <= last.value else { throw failure("a range that ends before it begins", at: start) }
        union.items += "-" + last.text
    }

    /// Reads `\p{NAME}` at its letter.
    private mutating func property(from start: Int) throws(RegularExpression.Failure) -> JavaClass {
        let isNegated = next() == "P"
        guard let first = next() else { throw failure("a \"\\p\" without a name", at: start) }
        var name = String(first)
        if first == "{" {
            guard let end = scalars[index...].firstIndex(of: "}") else {
                throw failure("a \"\\p{\" without its \"}\"", at: start)
            }
            name = String(String.UnicodeScalarView(scalars[index..<end]))
            index = end + 1
        }
        guard let found = JavaProperty.members(of: name, isUnicode: isUnicode) else {
            throw failure("\\p{\(name)} is not a property that is known here", at: start)
        }
        return isNegated ? found.negated : found
    }
}
