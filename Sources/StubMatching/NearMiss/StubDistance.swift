// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

/// Measures what a request lacks of a stub's conditions; the target is measured by `TargetComparison`.
///
/// A condition that does not hold counts up to 1, another method 3, another host 4: less than the least for another path, so that the
/// stubs of the request's own path go first unless much else differs.
struct StubDistance {
    static let otherMethod = 3.0
    private static let otherCaseOfMethod = 1.0
    private static let otherHost = 4.0

    let program: Program
    private var bodies = 0

    init(program: Program) { self.program = program }

    /// - Parameter matchesTarget: whether the stub's target matches, so that its path parameters can be asked.
    mutating func distance(_ entry: Entry, matchesTarget: Bool, _ state: inout RequestState) -> Double {
        var distance = methodDistance(entry, state)
        if matchesTarget { _ = program.matchesURL(entry, &state) }
        for index in entry.conditionStart..<(entry.conditionStart + entry.conditionCount) {
            let condition = program.conditions[index]
            if condition.kind == .pathParameter, !matchesTarget { continue }
            if program.satisfies(condition, of: entry, &state) { continue }
            distance += self.distance(condition, &state)
        }
        state.exceedsLimit = false
        return distance
    }

    private func methodDistance(_ entry: Entry, _ state: RequestState) -> Double {
        if StubDistance.answers(entry, program.methodNumber(state.method)) { return 0 }
        let method = program.bytes(program.methods[Int(entry.method) - 1])
        return method.equalsIgnoringCase(state.method) ? Self.otherCaseOfMethod : Self.otherMethod
    }

    /// Whether a stub is asked for requests of a method.
    static func answers(_ entry: Entry, _ method: UInt16) -> Bool {
        entry.method == 0 || entry.method == method || method == Program.head && entry.method == Program.get
    }

    private mutating func distance(_ condition: Condition, _ state: inout RequestState) -> Double {
        switch condition.kind {
        case .host: return Self.otherHost
        case .body: return bodyDistance(condition, &state)
        case .query, .header, .cookie:
            let test = program.tests[condition.test]
            guard condition.quantifier == .single else { return 1 }
            let values = program.values(condition, &state)
            guard let value = values.first else { return 1 }
            guard test.operation == .equalTo || test.operation == .equalToIgnoringCase else { return 0.75 }
            return 0.5 + 0.5 * TextDistance.normalized(program.pool.slice(test.first, test.second), value)
        case .pathParameter, .onlyNamedQuery, .basicAuth: return 1
        }
    }

    private mutating func bodyDistance(_ condition: Condition, _ state: inout RequestState) -> Double {
        let test = program.tests[condition.test]
        guard test.operation == .equalToJSON, bodies < NearMissLimits.bodies, let actual = state.readJSON() else {
            return 1
        }
        bodies += 1
        let json = program.jsonValues[Int(test.first)]
        var differences = JSONDifferences(
            comparison: json.comparison, patterns: JSONPatterns(program, state.patterns),
            limit: NearMissLimits.bodyDifferences)
        differences.compare(json.expected, actual)
        return 0.5 + 0.5 * Double(differences.found.count) / Double(NearMissLimits.bodyDifferences + 1)
    }
}
