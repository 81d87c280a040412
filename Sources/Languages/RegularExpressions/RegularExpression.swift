// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPCRE2
import Synchronization

/// A regular expression, compiled by PCRE2.
///
/// `@unchecked Sendable`: the code is not changed once it is compiled, and any thread may match with it.
package final class RegularExpression: @unchecked Sendable {
    /// Why an expression cannot be compiled.
    package struct Failure: Error {
        /// The byte at which it is broken.
        package let offset: Int
        package let message: String

        package init(offset: Int = 0, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// How a text has to stand to the expression.
    package enum Scope: Sendable {
        /// The whole text matches.
        case whole
        /// Some part of it does.
        case part
        /// Its beginning does.
        case start
    }

    /// As it was written.
    package let text: String
    /// PCRE2's code, for callers that keep many; it lives as long as this.
    package let code: OpaquePointer
    /// Whether texts that are not UTF-8 can be matched.
    let takesAnyBytes: Bool
    /// Whether it is put to the beginning of a text alone: only then do PCRE2's tries bound a whole match, since it counts those of each start again.
    let isAnchored: Bool
    /// Whether it compares the texts of groups, which moves no place in the text until it is done.
    let comparesGroups: Bool
    /// The expression in PCRE2's own language, and its options.
    package let source: String
    private let options: UInt32
    private let dialect: Dialect
    /// The address of the code that counts its steps, made when it is first needed; 0 until then.
    private let countingCode = Atomic<UInt>(0)

    package init(_ text: String, _ dialect: Dialect, _ scope: Scope = .part) throws(Failure) {
        self.text = text
        takesAnyBytes = dialect.options & PCRE2_MATCH_INVALID_UTF != 0
        var source = try dialect.translation?(text) ?? text
        var options = dialect.options | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        switch scope {
        case .whole: options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED
        case .start: options |= PCRE2_ANCHORED
        case .part: break
        }
        code = try Self.compiled(&source, dialect, options)
        var references: UInt32 = 0
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_BACKREFMAX), &references)
        comparesGroups = references > 0
        isAnchored = scope != .part
        self.source = source
        self.options = options
        self.dialect = dialect
        if dialect.isJustInTime { compileJustInTime() }
    }

    private static func compiled(
        _ source: inout String, _ dialect: Dialect, _ options: UInt32
    ) throws(Failure) -> OpaquePointer {
        let context = dialect.context()
        defer { context.map(pcre2_compile_context_free_8) }
        var error: Int32 = 0
        var offset = 0
        let code = source.withUTF8 {
            pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
        }
        guard let code else { throw Failure(offset: offset, message: message(of: error)) }
        return code
    }

    /// The code that reports each of its steps; nil if it cannot be made, such as for want of memory.
    var counting: OpaquePointer? {
        if let known = OpaquePointer(bitPattern: countingCode.load(ordering: .acquiring)) { return known }
        var source = source
        guard let made = try? Self.compiled(&source, dialect, options | PCRE2_AUTO_CALLOUT) else { return nil }
        var size = 0
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_JITSIZE), &size)
        if size > 0 { pcre2_jit_compile_8(made, PCRE2_JIT_COMPLETE) }
        let (isFirst, known) = countingCode.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        if isFirst { return made }
        // Another thread was faster.
        pcre2_code_free_8(made)
        return OpaquePointer(bitPattern: known)
    }

    /// Translates it to machine code; if there is no just-in-time compiler it runs interpreted.
    package func compileJustInTime() {
        pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    }

    private static func message(of error: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<Int(count)], as: UTF8.self) : "error \(error)"
        }
    }

    deinit {
        pcre2_code_free_8(code)
        OpaquePointer(bitPattern: countingCode.load(ordering: .acquiring)).map(pcre2_code_free_8)
    }
}

extension RegularExpression {
    /// How many groups there are, the whole among them.
    package var groupCount: Int {
        var count: UInt32 = 0
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
        return Int(count) + 1
    }
}
