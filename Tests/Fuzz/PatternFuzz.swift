// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

@testable import MockapiRegularExpressions

private let dialects: [RegularExpression.Dialect] = [
    .stubs, .stubsIgnoringCase, .java, .templates, .javaTemplates, .xmlUnit, .ecmaScript, .iRegexp, .iRegexpAnywhere,
]
private let scopes: [RegularExpression.Scope] = [.whole, .part, .start]

/// A pattern and a text with a line end between them, behind a byte that says in which language: no match takes more than it has, each pays for
/// what it reads, and one that was not given up says the same with more to take.
enum PatternFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let choice = bytes.first, let cut = bytes.firstIndex(of: 10), cut > 0,
            let pattern = String(validating: bytes[1..<cut], as: UTF8.self)
        else { return }
        let dialect = dialects[Int(choice) % dialects.count]
        let scope = scopes[Int(choice) / dialects.count % scopes.count]
        guard let expression = try? RegularExpression(pattern, dialect, scope) else { return }
        if choice & 0x80 != 0 { expression.compileJustInTime() }
        // A text that is not UTF-8 goes to those alone that take it.
        let subject = UnsafeBufferPointer(rebasing: bytes[(cut + 1)...])
        if !expression.takesAnyBytes, String(validating: subject, as: UTF8.self) == nil { return }
        let matcher = RegularExpressionMatcher(stack: 1 << 20, groups: 4)
        func outcome(_ units: Int) -> RegularExpressionMatcher.Outcome {
            let meter = Meter(units)
            var allowance = Allowance(units: units, of: meter)
            let outcome = matcher.match(expression, subject, allowance: &allowance)
            precondition(meter.paid <= units && allowance.left <= units, "a match takes more than it has")
            if outcome != .exceedsLimit {
                precondition(meter.paid * 4 + 64 >= subject.count, "a match reads what it does not pay for")
                precondition(meter.paid == units - allowance.left, "a match is paid for in one place only")
            }
            if outcome == .matches, let range = matcher.range(ofGroup: 0) {
                precondition(range.upperBound <= subject.count, "a match ends behind the text")
            }
            return outcome
        }
        let few = outcome(40_000)
        let many = outcome(1_000_000)
        precondition(few == .exceedsLimit || few == many, "a match says something else with more to take")
    }
}
