// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPCRE2

extension RegularExpression {
    /// A language of regular expressions: how PCRE2 is to read it, and which parts are rewritten for PCRE2.
    package struct Dialect: Sendable {
        fileprivate(set) var options: UInt32 = 0
        /// The settings beside the options: line endings, further options, and how deep groups may nest.
        fileprivate var compile: (newline: UInt32, extra: UInt32, nesting: UInt32)?
        fileprivate(set) var isJustInTime = false
        /// Puts an expression into PCRE2's own language; nil if it is written in it.
        fileprivate(set) var translation: (@Sendable (String) throws(Failure) -> String)?

        /// A dialect whose expressions are first translated into PCRE2's syntax.
        init(_ dialect: Dialect, translation: @escaping @Sendable (String) throws(Failure) -> String) {
            self = dialect
            self.translation = translation
        }

        private init(
            options: UInt32, compile: (newline: UInt32, extra: UInt32, nesting: UInt32)? = nil,
            isJustInTime: Bool = false, translation: (@Sendable (String) throws(Failure) -> String)? = nil
        ) {
            self.options = options
            self.compile = compile
            self.isJustInTime = isJustInTime
            self.translation = translation
        }

        /// Java's as far as stubs need it: a dot is any character, and a text need not be UTF-8.
        package static let stubs = Dialect(options: PCRE2_MATCH_INVALID_UTF | PCRE2_DOTALL)

        /// The same, letters in any case.
        package static let stubsIgnoringCase = Dialect(options: stubs.options | PCRE2_CASELESS)

        /// That of templates' helpers, whose texts need not be UTF-8.
        package static let templates = Dialect(options: PCRE2_MATCH_INVALID_UTF)

        /// That of XMLUnit's placeholders: named groups alone count.
        package static let xmlUnit = Dialect(options: PCRE2_NO_AUTO_CAPTURE)

        /// ECMA-262, as JSON Schema has it.
        package static let ecmaScript = Dialect(
            options: PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF,
            compile: (UInt32(PCRE2_NEWLINE_ANYCRLF), UInt32(PCRE2_EXTRA_ALT_BSUX), 128), isJustInTime: true,
            translation: { text throws(Failure) in try ECMATranslation.translated(text) })

        /// RFC 9485 (I-Regexp): each of its tries is counted, and automatic possessiveness would hide some.
        package static let iRegexp = Dialect(
            options: PCRE2_DOLLAR_ENDONLY | PCRE2_NO_AUTO_POSSESS,
            translation: { text throws(Failure) in try IRegexpTranslation.translated(text) })

        /// The same for a pattern that may stand anywhere in a text whose beginning is to match: the start is searched for within the expression,
        /// since PCRE2 counts the tries of each start again.
        package static let iRegexpAnywhere = Dialect(
            options: PCRE2_DOLLAR_ENDONLY | PCRE2_NO_AUTO_POSSESS,
            translation: { text throws(Failure) in "(?s:.*?)(?:\(try IRegexpTranslation.translated(text)))" })

        /// Bytes of an expression in PCRE2's own language that a path may have. 20,480.
        package static let maximumBytes = 20_480

        /// Jayway's `/…/flags` in paths of JSON; nil for a flag that is not known.
        package static func jayway(flags: String) -> Dialect? {
            var options = PCRE2_NO_AUTO_POSSESS
            for flag in flags.unicodeScalars {
                switch flag {
                case "i": options |= PCRE2_CASELESS
                case "m": options |= PCRE2_MULTILINE
                case "s": options |= PCRE2_DOTALL
                case "x": options |= PCRE2_EXTENDED
                case "U": options |= PCRE2_UCP
                // Unix lines, and case by Unicode, which there is no other here.
                case "d", "u": break
                default: return nil
                }
            }
            return Dialect(options: options)
        }

        /// The context that PCRE2 compiles with; nil for its own settings. The caller frees it.
        func context() -> OpaquePointer? {
            guard let compile, let context = pcre2_compile_context_create_8(nil) else { return nil }
            pcre2_set_newline_8(context, compile.newline)
            pcre2_set_compile_extra_options_8(context, compile.extra)
            pcre2_set_parens_nest_limit_8(context, compile.nesting)
            return context
        }
    }
}

/// Translates the spellings of I-Regexp that PCRE2 reads otherwise, and refuses extensions of it.
enum IRegexpTranslation {
    /// The same in PCRE2's syntax.
    static func translated(_ pattern: String) throws(RegularExpression.Failure) -> String {
        guard let bytes = translate(Array(pattern.utf8)) else {
            throw RegularExpression.Failure(message: "this goes beyond RFC 9485")
        }
        guard bytes.count <= RegularExpression.Dialect.maximumBytes else {
            throw RegularExpression.Failure(message: "this is too long")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let classEscapes = Set("pPdDwWsSnrt".utf8)

    /// The same in PCRE2's syntax: a dot matches neither end of a line (RFC 9485 §5.3).
    private static func translate(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        var isInClass = false
        var isBehindQuantifier = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            var isQuantifier = false
            switch byte {
            case UInt8(ascii: "\\"):
                guard index + 1 < bytes.count else { return nil }
                let next = bytes[index + 1]
                let isPunctuation = next > 0x20 && next < 0x7F && !isAlphanumeric(next)
                guard isPunctuation || classEscapes.contains(next) else { return nil }
                output += [byte, next]
                index += 1
                if next | 0x20 == UInt8(ascii: "p"), let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) {
                    output += bytes[(index + 1)...close]
                    index = close
                }
            case UInt8(ascii: "[") where !isInClass:
                isInClass = true
                output.append(byte)
            case UInt8(ascii: "]"):
                isInClass = false
                output.append(byte)
            case UInt8(ascii: ".") where !isInClass: output += "[^\\n\\r]".utf8
            case UInt8(ascii: "(") where !isInClass:
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                guard next != UInt8(ascii: "?"), next != UInt8(ascii: "*") else { return nil }
                // Nothing reads the text of a group.
                output += "(?:".utf8
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "}"):
                if isBehindQuantifier, !isInClass, byte != UInt8(ascii: "?") { return nil }
                isQuantifier = !isInClass
                output.append(byte)
            default: output.append(byte)
            }
            isBehindQuantifier = isQuantifier
            index += 1
        }
        return output
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}

/// The few spellings of ECMA-262 that PCRE2 reads otherwise.
enum ECMATranslation {
    static func translated(_ pattern: String) throws(RegularExpression.Failure) -> String {
        var output = String.UnicodeScalarView()
        let scalars = Array(pattern.unicodeScalars)
        var index = 0
        var isClass = false
        while index < scalars.count {
            let scalar = scalars[index]
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalar {
            case "\\":
                guard let next else { throw RegularExpression.Failure(message: "\\ at end of pattern") }
                index += 2
                switch next {
                case "s": output += (isClass ? spaces : "[\(spaces)]").unicodeScalars
                case "S" where !isClass: output += "[^\(spaces)]".unicodeScalars
                case "p", "P": output += property(next, scalars, &index).unicodeScalars
                case "Q", "E", "A", "Z", "z", "G", "K", "a", "e":
                    // Letters that ECMA-262 takes for themselves, and PCRE2 does not.
                    output.append(next)
                default:
                    output.append("\\")
                    output.append(next)
                }
                continue
            case "[" where isClass:
                // No POSIX class.
                output.append("\\")
                output.append(scalar)
            case "[":
                isClass = true
                output.append(scalar)
            case "]":
                isClass = false
                output.append(scalar)
            case "(" where !isClass && next == "*":
                throw RegularExpression.Failure(message: "quantifier does not follow a repeatable item")
            default: output.append(scalar)
            }
            index += 1
        }
        return String(output)
    }

    private static let spaces =
        "\\t\\n\\x0B\\f\\r\\x20\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF"

    /// Reads `{NAME}` behind `\p`, which allows the long names of ECMA-262.
    private static func property(_ letter: Unicode.Scalar, _ scalars: [Unicode.Scalar], _ index: inout Int) -> String {
        guard index < scalars.count, scalars[index] == "{", let end = scalars[index...].firstIndex(of: "}") else {
            return "\\\(letter)"
        }
        var name = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
        index = end + 1
        if let equals = name.firstIndex(of: "=") { name = String(name[name.index(after: equals)...]) }
        return "\\\(letter){\(categories[name] ?? name)}"
    }

    private static let categories: [String: String] = [
        "Letter": "L", "Cased_Letter": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
        "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
        "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
        "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
        "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
        "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
        "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
        "Other": "C", "Control": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]
}
