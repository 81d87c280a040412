// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The verdicts on one client, in the order of the requirements.
package struct VerdictTable: Sendable {
    /// What the client is called.
    package let client: String
    package var verdicts: [Verdict]

    package init(client: String, verdicts: [Verdict]) {
        self.client = client
        self.verdicts = verdicts
    }

    package var failures: [Verdict] { verdicts.filter { $0.result == .fail } }

    /// `41 pass, 2 fail, 3 not applicable`.
    package var summary: String {
        [Verdict.Result.pass, .fail, .notApplicable]
            .map { result in "\(verdicts.count { $0.result == result }) \(result.rawValue)" }.joined(separator: ", ")
    }
}
