// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import RegularExpressions

/// The compiled patterns of a fixture set, each text once.
struct PatternLibrary {
    private(set) var expressions: [RegularExpression] = []
    /// The bytes that every match of a pattern starts with; often empty.
    private(set) var prefixes: [[UInt8]] = []
    private(set) var findings: [Finding] = []
    private var numbers: [String: UInt32] = [:]

    /// The number of a pattern; nil, with a finding, where it cannot be compiled.
    ///
    /// - Parameter name: what the finding calls it.
    mutating func number(of pattern: Pattern, named name: String = "the pattern") -> UInt32? {
        if let number = numbers[pattern.text] { return number }
        let expression: RegularExpression
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(pattern.text, .stubs, .whole)
        } catch {
            findings.append(Self.finding(error, pattern, named: name))
            return nil
        }
        if expressions.count < PatternLimits.compiled, !Self.isMistaken(pattern.text) {
            expression.compileJustInTime()
        }
        let number = UInt32(expressions.count)
        expressions.append(expression)
        prefixes.append(LiteralPrefix.of(pattern.text))
        numbers[pattern.text] = number
        return number
    }

    /// Whether PCRE2 10.42's just-in-time code would go wrong: with PCRE2_MATCH_INVALID_UTF its `\D`, `\S` and `\W` miss characters of several bytes.
    fileprivate static func isMistaken(_ text: String) -> Bool {
        ["\\D", "\\S", "\\W"].contains { text.contains($0) }
    }

    /// What is wrong with a pattern that is not needed; nil for nothing.
    static func finding(_ pattern: Pattern) -> Finding? {
        do throws(RegularExpression.Failure) {
            _ = try RegularExpression(pattern.text, .stubs, .whole)
            return nil
        } catch {
            return finding(error, pattern, named: "the pattern")
        }
    }

    private static func finding(
        _ failure: RegularExpression.Failure, _ pattern: Pattern, named name: String
    ) -> Finding {
        Finding(.error, "\(name) is broken at its byte \(failure.offset): \(failure.message)", at: pattern.place)
    }
}

extension CaselessPattern: TestedLeaf {
    func tester() throws(BrokenOperand) -> any ValueTester { try CaselessTester(pattern) }
}

/// Puts a value to a pattern, letters in any case.
private struct CaselessTester: ValueTester {
    private let expression: RegularExpression
    var weight: BodyWeight { .path }

    init(_ pattern: Pattern) throws(BrokenOperand) {
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(pattern.text, .stubsIgnoringCase, .whole)
        } catch {
            let text = "the pattern is broken at its byte \(error.offset): \(error.message)"
            throw BrokenOperand(text: text, place: pattern.place)
        }
        if !PatternLibrary.isMistaken(pattern.text) { expression.compileJustInTime() }
    }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        let outcome = state.patterns.match(expression, value)
        if outcome == .exceedsLimit { state.givenUp.insert(.pattern) }
        return outcome == .matches
    }
}
