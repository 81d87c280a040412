// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRegularExpressions

/// The compiled patterns of a fixture set, each text once.
struct PatternLibrary {
    private(set) var expressions: [RegularExpression] = []
    /// The bytes that every match of a pattern starts with; often empty.
    private(set) var prefixes: [[UInt8]] = []
    private(set) var findings: [Finding] = []
    private var numbers: [Key: UInt32] = [:]
    private var caseless: [Key: RegularExpression] = [:]

    /// The key by which two patterns are the same, wherever they stand.
    private struct Key: Hashable {
        let text: ExactText
        let isJava: Bool

        init(_ pattern: Pattern) {
            text = ExactText(pattern.text)
            isJava = pattern.isJava
        }
    }

    /// How many are translated to machine code.
    private var translated = 0

    /// The number of a pattern; nil, with a finding, if it cannot be compiled.
    ///
    /// - Parameter name: the name of the pattern in the finding.
    mutating func number(of pattern: Pattern, named name: String = "the pattern") -> UInt32? {
        let key = Key(pattern)
        if let number = numbers[key] { return number }
        do throws(BrokenOperand) {
            let expression = try translate(Self.compile(pattern, named: name))
            let number = UInt32(expressions.count)
            expressions.append(expression)
            prefixes.append(LiteralPrefix.of(expression.source))
            numbers[key] = number
            return number
        } catch {
            findings.append(Finding(.error, error.text, at: error.place))
            return nil
        }
    }

    /// A pattern whose letters match in any case.
    fileprivate mutating func ignoringCase(_ pattern: Pattern) throws(BrokenOperand) -> RegularExpression {
        let key = Key(pattern)
        if let known = caseless[key] { return known }
        let expression = try translate(Self.compile(pattern, ignoresCase: true))
        caseless[key] = expression
        return expression
    }

    /// The finding on a pattern that is not needed; nil if it can be compiled.
    static func finding(_ pattern: Pattern) -> Finding? {
        do throws(BrokenOperand) {
            _ = try compile(pattern)
            return nil
        } catch {
            return Finding(.error, error.text, at: error.place)
        }
    }

    private static func compile(
        _ pattern: Pattern, ignoresCase: Bool = false, named name: String = "the pattern"
    ) throws(BrokenOperand) -> RegularExpression {
        let dialect: RegularExpression.Dialect =
            if pattern.isJava { ignoresCase ? .javaIgnoringCase : .java } else {
                ignoresCase ? .stubsIgnoringCase : .stubs
            }
        do throws(RegularExpression.Failure) {
            return try RegularExpression(pattern.text, dialect, .whole)
        } catch {
            let text = "\(name) is broken at its byte \(error.offset): \(error.message)"
            throw BrokenOperand(text: text, place: pattern.place)
        }
    }

    /// Translates an expression to machine code, up to as many as `PatternLimits.compiled`.
    private mutating func translate(_ expression: RegularExpression) -> RegularExpression {
        if translated < PatternLimits.compiled, !Self.isMistaken(expression.source) {
            expression.compileJustInTime()
            translated += 1
        }
        return expression
    }

    /// Whether PCRE2 10.42's just-in-time code would go wrong: with PCRE2_MATCH_INVALID_UTF its `\D`, `\S` and `\W` miss characters of several bytes.
    private static func isMistaken(_ text: String) -> Bool {
        ["\\D", "\\S", "\\W"].contains { text.contains($0) }
    }
}

extension CaselessPattern: TestedLeaf {
    func tester(_ library: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester {
        CaselessTester(expression: try library.ignoringCase(pattern))
    }
}

/// Puts a value to a pattern, letters in any case.
private struct CaselessTester: ValueTester {
    let expression: RegularExpression
    var weight: BodyWeight { .path }
    var kind: GivenUp { .pattern }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        let outcome = state.patterns.match(expression, value, allowance: &state.budget.patterns)
        if outcome == .exceedsLimit { state.givenUp.insert(kind) }
        return outcome == .matches
    }
}
