// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPCRE2
import Fixtures

/// The compiled patterns of a fixture set, each text once.
struct PatternLibrary {
    /// The patterns' codes; the owner of the library frees them with `release()`.
    private(set) var codes: [OpaquePointer] = []
    /// The bytes that every match of a pattern starts with; often empty.
    private(set) var prefixes: [[UInt8]] = []
    private(set) var findings: [Finding] = []
    private var numbers: [String: UInt32] = [:]

    /// The number of a pattern; nil, with a finding, where it cannot be compiled.
    ///
    /// - Parameter name: what the finding calls it.
    mutating func number(of pattern: Pattern, named name: String = "the pattern") -> UInt32? {
        if let number = numbers[pattern.text] { return number }
        let code: OpaquePointer
        switch Self.compile(pattern.text) {
        case .success(let compiled): code = compiled
        case .failure(let fault):
            findings.append(fault.finding(pattern, named: name))
            return nil
        }
        // Where there is no just-in-time compiler the pattern runs interpreted.
        if codes.count < PatternLimits.compiled, !Self.isMistaken(pattern.text) {
            pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
        }
        let number = UInt32(codes.count)
        codes.append(code)
        prefixes.append(LiteralPrefix.of(pattern.text))
        numbers[pattern.text] = number
        return number
    }

    /// Whether PCRE2 10.42's just-in-time code would go wrong: with PCRE2_MATCH_INVALID_UTF its `\D`, `\S` and `\W` miss characters of several bytes.
    private static func isMistaken(_ text: String) -> Bool {
        ["\\D", "\\S", "\\W"].contains { text.contains($0) }
    }

    /// What is wrong with a pattern that is not needed; nil for nothing.
    static func finding(_ pattern: Pattern) -> Finding? {
        switch compile(pattern.text) {
        case .success(let code):
            pcre2_code_free_8(code)
            return nil
        case .failure(let fault): return fault.finding(pattern, named: "the pattern")
        }
    }

    private struct Fault: Error {
        var offset: Int
        var message: String

        func finding(_ pattern: Pattern, named name: String) -> Finding {
            Finding(.error, "\(name) is broken at its byte \(offset): \(message)", at: pattern.place)
        }
    }

    private static func compile(_ text: String) -> Result<OpaquePointer, Fault> {
        var text = text
        var error: Int32 = 0
        var offset = 0
        let options =
            PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOTALL | PCRE2_ANCHORED | PCRE2_ENDANCHORED
            | PCRE2_NEVER_BACKSLASH_C
        let code = text.withUTF8 { pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil) }
        return code.map { .success($0) } ?? .failure(Fault(offset: offset, message: message(of: error)))
    }

    private static func message(of error: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<Int(count)], as: UTF8.self) : "error \(error)"
        }
    }
}
