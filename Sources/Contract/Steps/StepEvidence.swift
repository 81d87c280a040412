// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// What is known of a step when it is over: what the client saw, and what the server did.
package struct StepEvidence: Sendable {
    package let step: Step
    /// Whether the client is a `Networking`, whose errors are of kinds that are agreed on; other clients may not tell kinds of errors.
    package let tellsKinds: Bool
    /// In the order they were reported; a client may give up some.
    package let outcomes: [StepOutcome]
    /// The requests to the step's path and below it, oldest first.
    package let entries: [JournalEntry]

    package init(_ step: Step, outcomes: [StepOutcome], journal: [JournalEntry], tellsKinds: Bool = false) {
        self.step = step
        self.tellsKinds = tellsKinds
        self.outcomes = outcomes
        entries = journal.filter { entry in
            guard entry.target.hasPrefix(step.path) else { return false }
            let next = entry.target.dropFirst(step.path.count).first
            return next == nil || next == "/" || next == "?"
        }
    }

    /// Whether a request asks for a content coding.
    package func asks(for coding: String) -> Bool {
        entries.contains { entry in
            entry.fields.contains { field in
                field.name.lowercased() == "accept-encoding"
                    && field.value.lowercased().split(separator: ",").contains { item in
                        let name = item.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
                        return name == coding || name == "*"
                    }
            }
        }
    }

    package var speaksHTTP2: Bool { entries.contains { $0.protocolName == WireProtocol.http2.rawValue } }
}
