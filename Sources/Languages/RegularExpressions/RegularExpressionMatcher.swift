// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPCRE2
package import MockapiMetering

/// Limits on one match.
///
/// PCRE2's own limit counts tries, and one try of `[0-9]+` reads a whole text. So a match that is not quick is made once more, by code that
/// reports each step and its place: the text between two places has been read.
private enum MatchLimits {
    /// Units of a match that is not counted step by step, and which is let run so far.
    static let quick = 200_000
    /// Tries that a match may always make before its steps are counted.
    static let leastTries = 16
    /// Bytes of a text beyond which the steps of an expression that may match anywhere in it are counted from the first on.
    static let anywhereLimit = 256
}

/// The memory that PCRE2 writes to during matches: one per thread of work.
package final class RegularExpressionMatcher {
    package enum Outcome: UInt8, Sendable {
        case differs
        case matches
        /// The match was given up.
        case exceedsLimit
    }

    /// KiB of memory that an interpreted match may use. 20 MiB; while it grows, half as much is held beside it.
    private static let heap: UInt32 = 20 * 1024

    private let groups: UInt32
    private var data: OpaquePointer?
    /// Whether the last match was interpreted, which may have left much memory with its data.
    private var isGrown = false
    private let context: OpaquePointer?
    private let stack: OpaquePointer?
    /// How many groups of the last match there are, the whole among them.
    private var groupCount = 0

    /// - Parameters:
    ///   - stack: bytes of stack that machine code may use; nil for PCRE2's own 32 KiB.
    ///   - groups: how many groups of a match can be asked for, the whole among them.
    package init(stack: Int? = nil, groups: Int = 1) {
        self.groups = UInt32(clamping: groups)
        data = pcre2_match_data_create_8(self.groups, nil)
        context = pcre2_match_context_create_8(nil)
        self.stack = stack.flatMap { pcre2_jit_stack_create_8(32 * 1024, $0, nil) }
        pcre2_set_heap_limit_8(context, Self.heap)
        if let stack = self.stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    /// Puts a text to an expression; a string is always UTF-8.
    package func match(_ expression: RegularExpression, _ text: String, allowance: inout Allowance) -> Outcome {
        var text = text
        return text.withUTF8 { match(expression, $0, isChecked: false, allowance: &allowance) }
    }

    /// Puts a text, from a byte on, to an expression; it must take any bytes if the text need not be UTF-8.
    package func match(
        _ expression: RegularExpression, _ subject: UnsafeBufferPointer<UInt8>, from start: Int = 0,
        allowance: inout Allowance
    ) -> Outcome {
        match(expression, subject, from: start, isChecked: expression.takesAnyBytes, allowance: &allowance)
    }

    private func match(
        _ expression: RegularExpression, _ subject: UnsafeBufferPointer<UInt8>, from start: Int = 0, isChecked: Bool,
        allowance: inout Allowance
    ) -> Outcome {
        groupCount = 0
        giveBack()
        let length = max(0, subject.count - start)
        guard allowance.pay(Meter.step + length / 4) else { return .exceedsLimit }
        if expression.isAnchored || length <= MatchLimits.anywhereLimit {
            let tries = max(MatchLimits.leastTries, MatchLimits.quick / max(1, length))
            pcre2_set_match_limit_8(context, UInt32(clamping: tries))
            let outcome = run(expression.code, subject, from: start, isChecked: isChecked)
            if outcome != .exceedsLimit { return outcome }
            guard allowance.pay(MatchLimits.quick) else { return .exceedsLimit }
        }
        guard let code = expression.counting else { return .exceedsLimit }
        pcre2_set_match_limit_8(context, .max)
        var count = StepCount(allowance: allowance, place: start, comparesGroups: expression.comparesGroups)
        let outcome = withUnsafeMutablePointer(to: &count) { count in
            pcre2_set_callout_8(context, countStep, count)
            defer { pcre2_set_callout_8(context, nil, nil) }
            return run(code, subject, from: start, isChecked: isChecked)
        }
        allowance = count.allowance
        isGrown = length > MatchLimits.anywhereLimit
        // The groups of a match are read from its data.
        if outcome != .matches { giveBack() }
        return outcome
    }

    /// Gives back the memory of an interpreted match.
    private func giveBack() {
        guard isGrown else { return }
        isGrown = false
        pcre2_match_data_free_8(data)
        data = pcre2_match_data_create_8(groups, nil)
    }

    private func run(
        _ code: OpaquePointer, _ subject: UnsafeBufferPointer<UInt8>, from start: Int, isChecked: Bool
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

    /// Where a group of the last match stands, 0 for the whole; nil for a group that takes no part.
    package func range(ofGroup group: Int) -> Range<Int>? {
        guard group < groupCount, group < Int(pcre2_get_ovector_count_8(data)),
            let places = pcre2_get_ovector_pointer_8(data)
        else { return nil }
        let (start, end) = (places[2 * group], places[2 * group + 1])
        // A group that did not take part stands at -1.
        return start >= 0 && start <= end ? start..<end : nil
    }
}

/// The state of a match whose steps are counted.
private struct StepCount {
    var allowance: Allowance
    /// The place in the text of the last step.
    var place: Int
    let comparesGroups: Bool

    /// Takes a step; false if there is no work left.
    mutating func step(_ block: pcre2_callout_block_8) -> Bool {
        let now = Int(block.current_position)
        var units = Meter.step + abs(now - place)
        place = now
        if comparesGroups, let places = block.offset_vector {
            for group in 1..<max(1, Int(block.capture_top)) where places[2 * group] <= places[2 * group + 1] {
                units += places[2 * group + 1] - places[2 * group]
            }
        }
        return allowance.pay(units)
    }
}

/// The function that PCRE2 calls before each item of an expression.
private let countStep:
    @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32 =
        { block, count in
            guard let block, let count else { return PCRE2_ERROR_CALLOUT }
            return count.assumingMemoryBound(to: StepCount.self).pointee.step(block.pointee) ? 0 : PCRE2_ERROR_CALLOUT
        }
