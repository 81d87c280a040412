// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPCRE2

/// A regular expression of ECMA-262, compiled by PCRE2; it may match anywhere in a text.
final class ECMAPattern: @unchecked Sendable {
    // The code is not changed once it is compiled, and any thread may match with it.
    private let code: OpaquePointer
    let text: String

    struct Failure: Error {
        var message: String
    }

    init(_ text: String) throws(Failure) {
        self.text = text
        var translated = try ECMATranslation.translated(text)
        let context = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
        pcre2_set_compile_extra_options_8(context, UInt32(PCRE2_EXTRA_ALT_BSUX))
        pcre2_set_parens_nest_limit_8(context, 128)
        var error: Int32 = 0
        var offset = 0
        let options =
            PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS
            | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C
        let compiled = translated.withUTF8 {
            pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
        }
        guard let compiled else { throw Failure(message: Self.message(of: error)) }
        code = compiled
        pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    }

    deinit { pcre2_code_free_8(code) }

    private static func message(of error: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<Int(count)], as: UTF8.self) : "error \(error)"
        }
    }

    /// Whether the pattern is found; nil where the search was given up.
    func isFound(in text: String, _ matcher: PatternMatcher, tries: UInt32) -> Bool? {
        var text = text
        return text.withUTF8 { matcher.find(code, $0, tries: tries) }
    }
}

/// What PCRE2 writes to during the matches of one validation.
final class PatternMatcher {
    private let data: OpaquePointer?
    private let context: OpaquePointer?
    private let stack: OpaquePointer?

    init() {
        data = pcre2_match_data_create_8(1, nil)
        context = pcre2_match_context_create_8(nil)
        stack = pcre2_jit_stack_create_8(32 * 1024, 1 << 20, nil)
        pcre2_set_heap_limit_8(context, 8 * 1024)
        pcre2_jit_stack_assign_8(context, nil, stack.map(UnsafeMutableRawPointer.init))
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    fileprivate func find(
        _ code: OpaquePointer, _ subject: UnsafeBufferPointer<UInt8>, tries: UInt32
    ) -> Bool? {
        pcre2_set_match_limit_8(context, tries)
        var nothing: UInt8 = 0
        let result = withUnsafePointer(to: &nothing) { empty in
            // A string is always UTF-8.
            pcre2_match_8(
                code, subject.baseAddress ?? empty, subject.count, 0, PCRE2_NO_UTF_CHECK, data, context)
        }
        if result >= 0 { return true }
        return result == PCRE2_ERROR_NOMATCH ? false : nil
    }
}

/// The few spellings of ECMA-262 that PCRE2 reads otherwise.
enum ECMATranslation {
    static func translated(_ pattern: String) throws(ECMAPattern.Failure) -> String {
        var output = String.UnicodeScalarView()
        let scalars = Array(pattern.unicodeScalars)
        var index = 0
        var isClass = false
        while index < scalars.count {
            let scalar = scalars[index]
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalar {
            case "\\":
                guard let next else { throw ECMAPattern.Failure(message: "\\ at end of pattern") }
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
                throw ECMAPattern.Failure(message: "quantifier does not follow a repeatable item")
            default: output.append(scalar)
            }
            index += 1
        }
        return String(output)
    }

    private static let spaces =
        "\\t\\n\\x0B\\f\\r\\x20\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF"

    /// Reads `{NAME}` behind `\p`, where the long names of ECMA-262 may stand.
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
