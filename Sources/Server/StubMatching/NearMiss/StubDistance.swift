// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Measures how far a request is from meeting a stub's conditions; the target is measured by `TargetComparison`.
///
/// A condition that does not hold counts up to 1, another method 3, another host 4: less than the least for another path, so that the
/// stubs of the request's own path go first unless much else differs.
struct StubDistance {
    static let otherMethod = 3.0
    private static let otherCaseOfMethod = 1.0
    private static let otherHost = 4.0

    var program: Program
    private var bodies = 0

    init(program: Program) { self.program = program }

    /// - Parameter matchesTarget: whether the stub's target matches, so that its path parameters can be asked.
    mutating func distance(_ entry: Entry, matchesTarget: Bool, _ state: inout RequestState) -> Double {
        var distance = methodDistance(entry, state)
        if matchesTarget { _ = program.matchesURL(entry, &state) }
        for index in entry.conditionStart..<(entry.conditionStart + entry.conditionCount) {
            let condition = program.conditions[index]
            if condition.kind == .pathParameter, !matchesTarget { continue }
            if condition.kind == .body {
                distance += bodyDistance(condition, of: entry, &state)
                continue
            }
            if program.satisfies(condition, of: entry, &state) { continue }
            distance += self.distance(condition, &state)
        }
        state.forgetGivenUp()
        return distance
    }

    private func methodDistance(_ entry: Entry, _ state: RequestState) -> Double {
        if StubDistance.matches(entry, method: program.methodNumber(state.method)) { return 0 }
        let method = program.bytes(program.methods[Int(entry.method) - 1])
        return method.equalsIgnoringCase(state.method) ? Self.otherCaseOfMethod : Self.otherMethod
    }

    /// Whether a stub is asked for requests of a method.
    static func matches(_ entry: Entry, method: UInt16) -> Bool {
        entry.method == 0 || entry.method == method || method == Program.head && entry.method == Program.get
    }

    private func distance(_ condition: Condition, _ state: inout RequestState) -> Double {
        switch condition.kind {
        case .host, .port: return Self.otherHost
        case .query, .header, .cookie, .form:
            let test = program.tests[condition.test]
            guard condition.quantifier == .single else { return 1 }
            let values = program.values(condition, &state)
            guard let value = values.first else { return 1 }
            if test.operation == .tester, let type = program.testers[Int(test.first)] as? MediaTypeTester {
                return 0.5 + 0.5 * TextDistance.normalized(type.text, value)
            }
            guard test.operation == .equalTo || test.operation == .equalToIgnoringCase else { return 0.75 }
            return 0.5 + 0.5 * TextDistance.normalized(program.pool.slice(test.first, test.second), value)
        case .body, .pathParameter, .onlyNamedQuery, .basicAuth, .scheme, .clientIP, .multipart: return 1
        }
    }

    /// How much a body differs; the same for all stubs if it is too large to be looked into.
    private mutating func bodyDistance(
        _ condition: Condition, of entry: Entry, _ state: inout RequestState
    ) -> Double {
        if state.body.count > NearMissLimits.bodyBytes { return 0.75 }
        let test = program.tests[condition.test]
        if test.operation == .tester, program.testers[Int(test.first)].weight == .engine {
            if bodies >= NearMissLimits.bodies { return 0.75 }
            bodies += 1
        }
        guard test.operation == .equalToJSON, bodies < NearMissLimits.bodies, let actual = state.readJSON()
        else { return program.satisfies(condition, of: entry, &state) ? 0 : 1 }
        bodies += 1
        let comparer = program.comparer(test, actual.form, JSONPatterns(program, state.patterns), state.budget)
        let expected = program.jsonValues[Int(test.first)].expected
        let count = JSONDifferences(comparer, expected, actual.tree, limit: NearMissLimits.bodyDifferences).found.count
        return count == 0 ? 0 : 0.5 + 0.5 * Double(count) / Double(NearMissLimits.bodyDifferences + 1)
    }
}
