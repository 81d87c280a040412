// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPCRE2

/// A regular expression, compiled; it frees itself.
///
/// `@unchecked Sendable`: the code is not changed once it is compiled, and any thread may match with it.
final class CompiledPattern: @unchecked Sendable {
    /// How a text has to stand to the pattern.
    enum Scope {
        /// The whole text matches.
        case whole
        /// Some part of it does.
        case part
    }

    // Never changed after `init`; PCRE2 lets threads share it.
    private let code: OpaquePointer

    private init(code: OpaquePointer) {
        self.code = code
    }

    deinit {
        pcre2_code_free_8(code)
    }

    /// How many bytes a pattern may have. 4,096.
    static let maximumBytes = 4096

    /// Compiles Jayway's `/…/flags`, which a whole text has to match; nil where it is broken or has an unknown flag.
    static func jayway(_ pattern: String, flags: String) -> CompiledPattern? {
        var options: UInt32 = 0
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
        return compile(pattern, scope: .whole, options: options)
    }

    /// Compiles a pattern of RFC 9485 (I-Regexp); nil for one that is broken or goes beyond it by groups or references.
    static func iRegexp(_ pattern: String, scope: Scope) -> CompiledPattern? {
        guard pattern.utf8.count <= maximumBytes, let translated = translate(Array(pattern.utf8)) else { return nil }
        let text = String(decoding: translated, as: UTF8.self)
        // The start is searched for within the pattern, since PCRE2 counts the tries of each start anew.
        return compile(scope == .whole ? text : "(?s:.*?)(?:\(text))", scope: scope, options: PCRE2_DOLLAR_ENDONLY)
    }

    private static func compile(_ pattern: String, scope: Scope, options: UInt32) -> CompiledPattern? {
        var pattern = pattern
        guard pattern.utf8.count <= maximumBytes * 5 else { return nil }
        var error: Int32 = 0
        var offset = 0
        // Without automatic possessiveness every try is counted, so that the limits hold.
        var options = options | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_AUTO_POSSESS
        options |= scope == .whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : PCRE2_ANCHORED
        let code = pattern.withUTF8 { pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil) }
        return code.map(CompiledPattern.init)
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
                // Nothing reads what a group matched.
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

    /// The tries that the first attempt may take; each further attempt may take ten times as many.
    private static let firstTries: UInt32 = 1000
    private static let mostTries: UInt32 = 1_000_000
    /// Tries of PCRE2 that count as one step.
    private static let triesPerStep: UInt32 = 50

    /// Puts a text to the pattern.
    ///
    /// - Returns: nil where the steps do not suffice, or the pattern takes more than a million tries.
    func matches(_ text: String, steps: inout Int) -> Bool? {
        var text = text
        let data = pcre2_match_data_create_8(1, nil)
        let context = pcre2_match_context_create_8(nil)
        defer {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
        }
        var tries = Self.firstTries
        while true {
            steps -= Int(tries / Self.triesPerStep) + text.utf8.count / 64
            if steps < 0 { return nil }
            pcre2_set_match_limit_8(context, tries)
            var nothing: UInt8 = 0
            let result = text.withUTF8 { subject in
                withUnsafePointer(to: &nothing) { empty in
                    pcre2_match_8(
                        code, subject.baseAddress ?? empty, subject.count, 0, PCRE2_NO_UTF_CHECK, data, context)
                }
            }
            if result >= 0 { return true }
            if result == PCRE2_ERROR_NOMATCH { return false }
            if result != PCRE2_ERROR_MATCHLIMIT || tries >= Self.mostTries { return nil }
            tries *= 10
        }
    }
}
