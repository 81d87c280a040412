// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiDrift
package import MockapiFixtures

/// A change, and the place in the fixtures where it shows.
package struct LocatedFinding: Hashable, Sendable {
    package var finding: DriftFinding
    /// Relative to the fixture directory.
    package var file: String
    package var line: Int
    /// The document that says otherwise, and its line; nil if none does.
    package var against: String?

    package init(_ finding: DriftFinding, file: String, line: Int, against: String? = nil) {
        self.against = against
        self.finding = finding
        self.file = file
        self.line = line
    }
}

/// The verdict on one fixture.
package struct FixtureVerdict: Sendable {
    package enum State: Hashable, Sendable {
        /// Nothing differs.
        case honoured
        /// The differences harm nobody.
        case compatible
        /// Some clients notice a difference.
        case drifted
        /// A difference breaks a client.
        case broken
        /// It was not asked for, and why.
        case skipped(String)
        /// It could not be found out, and why.
        case unchecked(String)
    }

    /// The name of the fixture.
    package var name: String
    package var path: String
    package var line: Int
    /// Method and target.
    package var request: String
    package var state: State
    package var findings: [LocatedFinding] = []
    /// Findings that a baseline knows.
    package var known: [LocatedFinding] = []
    /// The parts that were compared.
    package private(set) var compared = ComparedParts()
    /// Tells the request from others of the file, whatever values follow in it.
    package var identity = ""
    /// How many responses are known, and how many came.
    package var samples = (recorded: 0, live: 0)
    /// In seconds.
    package var duration = 0.0
    /// Whether it is that on a document beside the fixtures, whose path is its own.
    package var isOfDocument = false

    package init(_ fixture: VerifiedFixture, request: String = "", state: State) {
        name = fixture.name
        path = fixture.path
        line = fixture.line
        identity = fixture.identity
        self.request = request
        self.state = state
    }

    /// A stub that is not served for its errors.
    package init(unusable place: Place, reason: String) {
        name = place.path
        path = place.path
        line = max(1, place.line)
        request = ""
        state = .unchecked(reason)
    }

    /// The verdict on the parts of a document that no fixture has.
    package init(document path: String) {
        name = path
        self.path = path
        line = 1
        request = ""
        state = .honoured
        isOfDocument = true
    }

    /// Takes the findings, and sets the state from them.
    ///
    /// - Parameters:
    ///   - compared: the parts that were compared: without any there is no verdict.
    ///   - obstacle: the reason why the rest was not compared.
    package mutating func judge(_ found: [LocatedFinding], of compared: ComparedParts, obstacle: String? = nil) {
        self.compared = compared
        findings = found
        let worst = found.map(\.finding.level).max()
        switch worst {
        case .breaking: state = .broken
        case _ where obstacle != nil || compared.isEmpty:
            state = .unchecked(obstacle ?? "nothing of the response could be compared")
        case nil: state = .honoured
        case .info: state = .compatible
        case .warning: state = .drifted
        }
    }

    /// Removes the findings that are known already: the others decide the state.
    package mutating func forgive(_ isKnown: (LocatedFinding) -> Bool) {
        let old = findings.filter(isKnown)
        guard !old.isEmpty else { return }
        var obstacle: String?
        if case .unchecked(let why) = state { obstacle = why }
        judge(findings.filter { !isKnown($0) }, of: compared, obstacle: obstacle)
        known = old
        // A known finding is not drift, and does not quite match the recording either.
        if state == .honoured { state = .compatible }
    }
}

extension FixtureVerdict.State {
    /// The state in a word.
    package var word: String {
        switch self {
        case .honoured: "honoured"
        case .compatible: "compatible"
        case .drifted: "drifted"
        case .broken: "broken"
        case .skipped: "skipped"
        case .unchecked: "not checked"
        }
    }
}

/// The number of fixtures per verdict.
package struct VerdictCounts: Equatable, Sendable {
    package var honoured = 0
    package var compatible = 0
    package var drifted = 0
    package var broken = 0
    package var skipped = 0
    package var unchecked = 0

    package init(_ verdicts: [FixtureVerdict]) {
        for verdict in verdicts {
            switch verdict.state {
            case .honoured: honoured += 1
            case .compatible: compatible += 1
            case .drifted: drifted += 1
            case .broken: broken += 1
            case .skipped: skipped += 1
            case .unchecked: unchecked += 1
            }
        }
    }
}
