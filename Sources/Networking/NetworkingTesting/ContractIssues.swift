// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The issues that a test records for verdicts.
struct ContractIssues {
    let texts: [String]

    /// - Parameter known: failures that the test knows of, by the requirement's id, and why.
    init(_ verdicts: ContractVerdicts, known: [String: String]) {
        let failures = verdicts.failures.filter(\.note.isEmpty).map { failure in
            """
            \(verdicts.client) does not meet \(failure.id): \(failure.title)
            expected: \(failure.expected)
            seen: \(failure.seen)
            """ + (failure.evidence.isEmpty ? "" : "\n" + failure.evidence)
        }
        let failed = Set(verdicts.failures.map(\.id))
        let all = Set(verdicts.requirements.map(\.id))
        let surprises = known.sorted { $0.key < $1.key }.filter { !failed.contains($0.key) }.map { id, why in
            all.contains(id)
                ? "\(id) is known to fail (\(why)), but it does not: take it from the options' `known`"
                : "\(id) is known to fail (\(why)), but there is no such requirement: mend the options' `known`"
        }
        texts = failures + surprises
    }
}
