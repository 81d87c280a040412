// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures

/// Which findings keep fixtures from being served, at every load.
package enum FixtureStandard: Sendable {
    /// None: fixtures without errors are served.
    case lenient
    /// Errors.
    case usual
    /// Warnings, too.
    case strict

    /// Whether fixtures with these findings are not to be served.
    package func refuses(_ findings: [Finding]) -> Bool {
        switch self {
        case .lenient: false
        case .usual: findings.contains { $0.severity == .error }
        case .strict: !findings.isEmpty
        }
    }
}
