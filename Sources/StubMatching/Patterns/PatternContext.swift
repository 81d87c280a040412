// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPCRE2

/// What PCRE2 writes to during a match: one per thread of work.
final class PatternContext {
    private let data: OpaquePointer?
    private let context: OpaquePointer?
    private let stack: OpaquePointer?

    enum Outcome: UInt8 {
        case differs
        case matches
        /// The match was given up; the pattern counts as not matching.
        case exceedsLimit
    }

    init() {
        data = pcre2_match_data_create_8(1, nil)
        context = pcre2_match_context_create_8(nil)
        stack = pcre2_jit_stack_create_8(32 * 1024, PatternLimits.stack, nil)
        pcre2_set_match_limit_8(context, PatternLimits.matches)
        pcre2_jit_stack_assign_8(context, nil, stack.map(UnsafeMutableRawPointer.init))
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    /// Puts a text to a compiled pattern, which is anchored at both ends.
    func match(_ code: OpaquePointer, _ subject: Bytes) -> Outcome {
        var nothing: UInt8 = 0
        let result = withUnsafePointer(to: &nothing) { empty in
            pcre2_match_8(code, subject.baseAddress ?? empty, subject.count, 0, 0, data, context)
        }
        if result >= 0 { return .matches }
        return result == PCRE2_ERROR_NOMATCH ? .differs : .exceedsLimit
    }
}
