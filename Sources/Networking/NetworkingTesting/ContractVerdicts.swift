// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContract

/// The verdicts on a networking, one for each requirement of the contract.
///
/// `text` is for a terminal, `markdown` for a page, `json` for programs and `junit` for those that show the results of tests.
public struct ContractVerdicts: Sendable {
    /// The verdict on one requirement.
    public struct Requirement: Sendable, Identifiable {
        /// The result for a requirement.
        public enum Outcome: String, Sendable {
            /// It is met.
            case pass
            /// It is not met.
            case fail
            /// It does not concern the client.
            case notApplicable = "not applicable"
        }

        /// Such as `method.patch`.
        public let id: String
        /// The requirement, in a sentence.
        public let title: String
        /// The result that had to come.
        public let expected: String
        /// The behaviour that was seen instead, or why the requirement does not concern the networking; empty for a
        /// pass.
        public let seen: String
        /// The result for it.
        public let outcome: Outcome
        /// Why a failure is known, such as a defect of the system; empty if it is not.
        public let note: String
        /// For a failure, the request, the bytes on the wire, the networking's report, and a line of curl; empty for others.
        public let evidence: String
        /// In seconds.
        public let duration: Double

        init(_ verdict: Verdict) {
            id = verdict.id
            title = verdict.title
            expected = verdict.expected
            seen = verdict.seen
            outcome = Outcome(verdict.result)
            note = verdict.note
            evidence = verdict.evidence
            duration = verdict.duration
        }
    }

    /// The name of the networking.
    public var client: String { table.client }
    /// In the order they stand in the documents.
    public var requirements: [Requirement] { table.verdicts.map(Requirement.init) }
    /// Those that are not met, known or not.
    public var failures: [Requirement] { requirements.filter { $0.outcome == .fail } }
    /// `81 pass, 2 fail, 3 not applicable`.
    public var summary: String { table.summary }
    /// A line for each requirement; the expected and the seen result below those that fail.
    public var text: String { table.text }
    /// A table with a row for each requirement.
    public var markdown: String { table.markdown }
    /// The report that `mockapi contract --json` writes; `mockapi schema report` describes it.
    public var json: String { String(decoding: table.json(startedAt: startedAt), as: UTF8.self) }
    /// One test suite with a case for each requirement.
    public var junit: String { table.junit(startedAt: startedAt) }

    private let table: VerdictTable
    /// In seconds since 1970.
    private let startedAt: Double

    init(_ table: VerdictTable, startedAt: Double) {
        self.table = table
        self.startedAt = startedAt
    }
}

extension ContractVerdicts.Requirement.Outcome {
    init(_ result: Verdict.Result) {
        self =
            switch result {
            case .pass: .pass
            case .fail: .fail
            case .notApplicable: .notApplicable
            }
    }
}
