// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import Synchronization

/// The warnings of fixtures and stubs that some test of the process has reported: each is reported once, however many tests share a directory.
enum ToldWarnings {
    /// How many a test lists. 10.
    private static let shown = 10
    /// How many are remembered. 10,000.
    private static let limit = 10_000

    private static let told = Mutex<Set<String>>([])

    /// - Returns: nil if all have been reported.
    static func result(_ warnings: [String]) -> VerificationResult? {
        let new = told.withLock { told in
            warnings.filter { told.count < limit && told.insert($0).inserted }
        }
        guard !new.isEmpty else { return nil }
        var lines = new.prefix(shown).map { $0 }
        if new.count > shown { lines.append("and \(new.count - shown) more") }
        return VerificationResult(
            name: "the fixtures and stubs have no warnings",
            failure: VerificationFailure(
                kind: .fixtures, text: lines.joined(separator: "\n"), callSite: nil, isWarning: true))
    }
}
