// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// What is known of a step when it is over: what the client saw, and what the server did.
package struct StepEvidence: Sendable {
    package let step: Step
    /// In the order they were reported; a client may give up some.
    package let outcomes: [StepOutcome]
    /// The requests to the step's path and below it, oldest first.
    package let entries: [JournalEntry]

    package init(_ step: Step, outcomes: [StepOutcome], journal: [JournalEntry]) {
        self.step = step
        self.outcomes = outcomes
        entries = journal.filter { entry in
            guard entry.target.hasPrefix(step.path) else { return false }
            let next = entry.target.dropFirst(step.path.count).first
            return next == nil || next == "/" || next == "?"
        }
    }

    package var speaksHTTP2: Bool { entries.contains { $0.protocolName == WireProtocol.http2.rawValue } }
}
