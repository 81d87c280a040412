// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The verdicts on one client, in the order of the requirements.
package struct VerdictTable: Sendable {
    /// The name of the client.
    package let client: String
    package var verdicts: [Verdict]
    /// How long all of it took, in seconds.
    package var duration = 0.0

    package init(client: String, verdicts: [Verdict]) {
        self.client = client
        self.verdicts = verdicts
    }

    /// Says of failures that are known why, and of those that are known and do not come that they do not.
    ///
    /// - Parameter known: why each is known, by its id.
    /// - Returns: a text for each that does not come.
    package mutating func note(_ known: [String: String]) -> [String] {
        for index in verdicts.indices where verdicts[index].result == .fail {
            if let why = known[verdicts[index].id] { verdicts[index].note = why }
        }
        return known.keys.sorted().compactMap { id in
            guard let verdict = verdicts.first(where: { $0.id == id }) else { return nil }
            return verdict.result == .fail ? nil : "\(id) is known to fail (\(known[id] ?? "")), but it does not"
        }
    }

    package var failures: [Verdict] { verdicts.filter { $0.result == .fail } }

    /// `41 pass, 2 fail, 3 not applicable`.
    package var summary: String {
        [Verdict.Result.pass, .fail, .notApplicable]
            .map { result in "\(verdicts.count { $0.result == result }) \(result.rawValue)" }.joined(separator: ", ")
    }
}
