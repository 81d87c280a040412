// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering
import MockapiRegularExpressions

extension Program {
    /// Whether a value, nil for an absent one, passes a test.
    func passes(_ index: UInt32, _ value: Bytes?, isBody: Bool = false, _ state: inout RequestState) -> Bool {
        let test = tests[index]
        switch test.operation {
        case .equalTo:
            guard let value else { return false }
            return value.equals(pool.slice(test.first, test.second))
        case .equalToIgnoringCase:
            guard let value else { return false }
            return equalsIgnoringCase(value, pool.slice(test.first, test.second), &state)
        case .contains:
            guard let value else { return false }
            return isFound(pool.slice(test.first, test.second), in: value, &state) == true
        case .doesNotContain:
            guard let value else { return true }
            return isFound(pool.slice(test.first, test.second), in: value, &state) == false
        case .matches:
            guard let value else { return false }
            return run(test.first, value, &state) == .matches
        case .doesNotMatch:
            guard let value else { return true }
            // A pattern that was given up proves nothing: neither it nor its negation matches.
            return run(test.first, value, &state) == .differs
        case .absent: return value == nil
        case .anything: return true
        case .binaryEqualTo:
            let bytes = value ?? Bytes(start: nil, count: 0)
            let expected = pool.slice(test.first, test.second)
            if bytes.equals(expected) { return true }
            guard isBody, let sent = state.sentBody else { return false }
            return sent.withUnsafeBufferPointer { $0.equals(expected) }
        case .tester:
            guard let value else { return false }
            let tester = testers[Int(test.first)]
            guard state.budget.meter.pay(Meter.step + value.count / 16) else {
                state.givenUp.insert(tester.kind)
                return false
            }
            return tester.passes(value, isBody: isBody, self, &state)
        case .equalToJSON:
            guard let value else { return false }
            return equalsJSON(test, value, isBody: isBody, &state)
        case .and:
            for child in test.first..<(test.first + test.second)
            where !passes(child, value, isBody: isBody, &state) { return false }
            return true
        case .or:
            for child in test.first..<(test.first + test.second)
            where passes(child, value, isBody: isBody, &state) { return true }
            return false
        case .not:
            let before = state.givenUp
            state.givenUp = []
            defer { state.givenUp.formUnion(before) }
            // A test that was given up proves nothing: neither it nor its negation matches.
            return !passes(test.first, value, isBody: isBody, &state) && state.givenUp.isEmpty
        case .never: return false
        }
    }

    /// Whether a text stands in a value; nil if the request has taken all the work it may, which proves nothing.
    private func isFound(_ text: Bytes, in value: Bytes, _ state: inout RequestState) -> Bool? {
        // Several bytes are looked at in the time of one, and fewer of them for a long text.
        guard state.budget.meter.pay(1 + value.count / (text.count > Self.shortText ? 1 : 4)) else {
            state.givenUp.insert(.text)
            return nil
        }
        return value.contains(text)
    }

    /// Bytes of a text that is looked for many bytes at a time. 256.
    private static var shortText: Int { 256 }

    private func equalsIgnoringCase(_ value: Bytes, _ text: Bytes, _ state: inout RequestState) -> Bool {
        guard value.mayEqualIgnoringCase(text) else { return false }
        guard state.budget.meter.pay(1 + value.count) else {
            state.givenUp.insert(.text)
            return false
        }
        return value.equalsIgnoringCase(text)
    }

    private func run(_ pattern: UInt32, _ value: Bytes, _ state: inout RequestState) -> RegularExpressionMatcher.Outcome
    {
        guard value.hasPrefix(bytes(patternPrefixes[pattern])) else { return .differs }
        let outcome = state.patterns.match(
            patterns[Int(pattern)], value, allowance: &state.budget.patterns)
        if outcome == .exceedsLimit { state.givenUp.insert(.pattern) }
        return outcome
    }

    private func equalsJSON(_ test: ValueTest, _ value: Bytes, isBody: Bool, _ state: inout RequestState) -> Bool {
        let refusals = state.budget.meter.refusals
        let form = isBody ? state.readJSON()?.form : state.parse(value).map { JSONForm($0) }
        guard let form else {
            let isUnpaid = state.budget.meter.refusals != refusals
            if isUnpaid || state.jsonProblem(isBody: isBody).isGivenUp { state.givenUp.insert(.comparison) }
            return false
        }
        let patterns = jsonPatterns.isEmpty ? nil : JSONPatterns(self, state.patterns)
        let comparer = comparer(test, form, patterns, state.budget)
        if comparer.equal() { return true }
        if patterns?.exceedsLimit == true {
            state.givenUp.insert(.pattern)
        } else if comparer.isGivenUp {
            state.givenUp.insert(.comparison)
        }
        return false
    }

    /// A text as JSON; nil if it is not JSON.
    static func parse(_ value: Bytes) -> JSONNode? {
        guard value.count <= JSONLimits.bytes else { return nil }
        return (try? JSONParser.parse(value, most: JSONLimits.memory, weights: JSONLimits.weights)) ?? nil
    }

    /// The comparison that a test asks for.
    func comparer(
        _ test: ValueTest, _ actual: JSONForm, _ patterns: JSONPatterns?, _ budget: MatchBudget
    ) -> JSONComparer {
        let json = jsonValues[Int(test.first)]
        return JSONComparer(json.comparison, json.form, actual, patterns, budget)
    }

    /// Whether a test accepts that a cookie is missing: `absent` does, nothing else, as in WireMock.
    func acceptsMissingCookie(_ index: UInt32) -> Bool {
        let test = tests[index]
        switch test.operation {
        case .absent: return true
        case .and:
            for child in test.first..<(test.first + test.second) where !acceptsMissingCookie(child) { return false }
            return true
        case .or:
            for child in test.first..<(test.first + test.second) where acceptsMissingCookie(child) { return true }
            return false
        default: return false
        }
    }

    /// Whether the values of one name, none missing, meet `hasExactly` or `includes`.
    ///
    /// `hasExactly` pairs each matcher with a value of its own; in a WireMock root equal counts and some value for each
    /// matcher do, as there.
    func passes(_ condition: Condition, _ values: [Bytes], _ state: inout RequestState) -> Bool {
        if values.isEmpty { return false }
        let count = Int(condition.testCount)
        guard state.budget.meter.pay(values.count * count) else {
            state.givenUp.insert(.text)
            return false
        }
        if condition.quantifier == .hasExactly {
            if values.count != count { return false }
            if dialect == .mockapi {
                let meter = state.budget.meter
                return Pairing.isComplete(count, mayGoOn: { meter.pay(1) }) { matcher, value in
                    passes(condition.test + UInt32(matcher), values[value], &state)
                }
            }
        }
        for matcher in 0..<count {
            var isMet = false
            for value in values where passes(condition.test + UInt32(matcher), value, &state) {
                isMet = true
                break
            }
            if !isMet { return false }
        }
        return true
    }
}
