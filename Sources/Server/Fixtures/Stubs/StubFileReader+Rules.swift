// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    mutating func faultRules(_ cursor: Cursor?) -> [FaultRule] {
        (cursor?.elements ?? []).compactMap { element in
            guard element.node.object != nil else { return nil }
            if element["fault"] == nil { report(.error, "\"fault\" is missing", at: element) }
            let (probability, condition) = (probability(of: element), condition(element["when"]))
            guard let fault = fault(of: element) else { return nil }
            var rule = FaultRule(fault)
            rule.endsConnection = element["scope"]?.node.string == "connection"
            rule.probability = probability
            rule.condition = condition
            return rule
        }
    }

    mutating func delayRules(_ cursor: Cursor?) -> [DelayRule] {
        (cursor?.elements ?? []).compactMap { element in
            guard element.node.object != nil else { return nil }
            if element["fixedDelayMilliseconds"] == nil, element["delayDistribution"] == nil {
                report(.error, "a delay needs \"fixedDelayMilliseconds\" or \"delayDistribution\"", at: element)
            }
            var rule = DelayRule(delay(of: element))
            rule.probability = probability(of: element)
            rule.condition = condition(element["when"])
            return rule
        }
    }

    private mutating func probability(of cursor: Cursor) -> Double {
        guard let written = cursor["probability"], let number = written.node.number?.double else { return 1 }
        guard (0...1).contains(number) else {
            report(.error, "a probability is a number from 0 to 1", at: written)
            return 1
        }
        return number
    }

    private mutating func condition(_ cursor: Cursor?) -> RuleCondition {
        var condition = RuleCondition()
        guard let cursor, cursor.node.object != nil else { return condition }
        if let state = cursor["scenarioState"], let name = state.node.string {
            if let scenario = cursor["scenario"]?.node.string ?? scenarioName {
                condition.scenarioState = .init(scenario: scenario, state: name)
            } else {
                report(
                    .error, "\"scenarioState\" needs \"scenarioName\" in the stub, or \"scenario\" beside it", at: state
                )
            }
        } else if let scenario = cursor["scenario"] {
            report(.error, "\"scenario\" goes with \"scenarioState\"", at: scenario)
        }
        if let client = cursor["client"], let text = client.node.string {
            condition.client = self.client(text, at: client)
        }
        condition.from = moment(cursor["from"])
        condition.until = moment(cursor["until"])
        return condition
    }

    private mutating func client(_ text: String, at cursor: Cursor) -> RuleCondition.Client? {
        if let colon = text.firstRange(of: ": ") {
            let name = String(text[..<colon.lowerBound])
            if FieldText.isToken(name) {
                return .field(name: name.lowercased(), value: FieldText.trimmed(text[colon.upperBound...]))
            }
        } else if !text.isEmpty, text.utf8.allSatisfy({ ASCII.hexValue($0) != nil || ".:".utf8.contains($0) }) {
            return .address(text.lowercased())
        }
        report(
            .error,
            "expected an address such as \"127.0.0.1\" or a field line such as \"X-Client: mobile\", found \"\(text)\"",
            at: cursor)
        return nil
    }

    private mutating func moment(_ cursor: Cursor?) -> RuleCondition.Moment? {
        guard let cursor else { return nil }
        if let number = cursor.node.number?.integer { return .request(number) }
        guard let text = cursor.node.string else { return nil }
        if let milliseconds = TimeText.milliseconds(text) { return .elapsed(milliseconds) }
        if let seconds = DateText.seconds(text), let date = Int(exactly: (seconds * 1000.0).rounded()) {
            return .date(date)
        }
        report(
            .error,
            "expected a time such as \"5s\", a date such as \"2026-11-20T10:00:00Z\" or the number of a request, found \"\(text)\"",
            at: cursor)
        return nil
    }
}
