// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPCRE2

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
    /// PCRE2's code, for those who keep many; it lives as long as this.
    package let code: OpaquePointer
    /// Whether texts that are not UTF-8 can be matched.
    fileprivate let takesAnyBytes: Bool

    package init(_ text: String, _ dialect: Dialect, _ scope: Scope = .part) throws(Failure) {
        self.text = text
        takesAnyBytes = dialect.options & PCRE2_MATCH_INVALID_UTF != 0
        var source = try dialect.translation?(text) ?? text
        let context = dialect.context()
        defer { context.map(pcre2_compile_context_free_8) }
        var options = dialect.options | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        switch scope {
        case .whole: options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED
        case .start: options |= PCRE2_ANCHORED
        case .part: break
        }
        var error: Int32 = 0
        var offset = 0
        let code = source.withUTF8 {
            pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
        }
        guard let code else { throw Failure(offset: offset, message: Self.message(of: error)) }
        self.code = code
        if dialect.isJustInTime { compileJustInTime() }
    }

    /// Translates it to machine code; where there is no just-in-time compiler it runs interpreted.
    package func compileJustInTime() {
        pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    }

    private static func message(of error: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<Int(count)], as: UTF8.self) : "error \(error)"
        }
    }

    deinit { pcre2_code_free_8(code) }
}

/// The memory that PCRE2 writes to during matches: one per thread of work.
package final class RegularExpressionMatcher {
    package enum Outcome: UInt8, Sendable {
        case differs
        case matches
        /// The match was given up.
        case exceedsLimit
    }

    /// Limits on the cost of one match.
    package struct Limits: Sendable {
        /// How often PCRE2 may try anew; nil for its own limit.
        package var tries: UInt32?
        /// KiB of memory that interpreted matches may use; nil for PCRE2's own limit.
        package var heap: UInt32?
        /// Bytes of stack that machine code may use; nil where there is none.
        package var stack: Int?

        package init(tries: UInt32? = nil, heap: UInt32? = nil, stack: Int? = nil) {
            self.tries = tries
            self.heap = heap
            self.stack = stack
        }
    }

    private let data: OpaquePointer?
    private let context: OpaquePointer?
    private let stack: OpaquePointer?
    /// How many groups of the last match there are, the whole among them.
    private var groupCount = 0

    /// - Parameter groups: how many groups of a match can be asked for, the whole among them.
    package init(_ limits: Limits, groups: Int = 1) {
        data = pcre2_match_data_create_8(UInt32(clamping: groups), nil)
        context = pcre2_match_context_create_8(nil)
        stack = limits.stack.flatMap { pcre2_jit_stack_create_8(32 * 1024, $0, nil) }
        if let tries = limits.tries { limit(tries: tries) }
        if let heap = limits.heap { pcre2_set_heap_limit_8(context, heap) }
        if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    /// Sets how often PCRE2 may try anew within one match, from now on.
    package func limit(tries: UInt32) {
        pcre2_set_match_limit_8(context, tries)
    }

    /// Puts a text, from a byte on, to an expression.
    package func match(
        _ expression: RegularExpression, _ subject: UnsafeBufferPointer<UInt8>, from start: Int = 0
    ) -> Outcome {
        match(expression.code, subject, from: start, isChecked: expression.takesAnyBytes)
    }

    /// Puts a text to an expression; a string is always UTF-8.
    package func match(_ expression: RegularExpression, _ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { match(expression.code, $0, isChecked: false) }
    }

    /// Puts a text to the code of an expression that takes any bytes.
    package func match(_ code: OpaquePointer, _ subject: UnsafeBufferPointer<UInt8>) -> Outcome {
        match(code, subject, isChecked: true)
    }

    private func match(
        _ code: OpaquePointer, _ subject: UnsafeBufferPointer<UInt8>, from start: Int = 0, isChecked: Bool
    ) -> Outcome {
        var nothing: UInt8 = 0
        let result = withUnsafePointer(to: &nothing) { empty in
            pcre2_match_8(
                code, subject.baseAddress ?? empty, subject.count, start, isChecked ? 0 : PCRE2_NO_UTF_CHECK, data,
                context)
        }
        groupCount = Int(max(0, result))
        if result >= 0 { return .matches }
        return result == PCRE2_ERROR_NOMATCH ? .differs : .exceedsLimit
    }

    /// Where a group of the last match stands, 0 for the whole; nil for one that takes no part.
    package func range(ofGroup group: Int) -> Range<Int>? {
        guard group < groupCount, group < Int(pcre2_get_ovector_count_8(data)),
            let places = pcre2_get_ovector_pointer_8(data)
        else { return nil }
        let (start, end) = (places[2 * group], places[2 * group + 1])
        // A group that did not take part stands at -1.
        return start >= 0 && start <= end ? start..<end : nil
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
