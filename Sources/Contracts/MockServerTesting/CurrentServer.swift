// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import Synchronization
import Testing

/// The server of the test that runs.
final class CurrentServer: Sendable {
    @TaskLocal static var value: CurrentServer?

    let server: MockServer
    /// Tells the trait that has started it from others.
    let identity: MockServerTrait.Identity
    let test: Test.ID
    /// The expectations that are known not to come true, and why.
    private let known = Mutex<[(site: String, reason: Comment)]>([])

    init(_ server: MockServer, identity: MockServerTrait.Identity, test: Test.ID) {
        self.server = server
        self.identity = identity
        self.test = test
    }

    /// Notes of the expectation at a call site that it is known not to come true.
    func note(_ reason: Comment?, at callSite: CallSite) {
        guard let reason else { return }
        known.withLock { $0.append((Self.text(callSite), reason)) }
    }

    /// Why the expectation of a failure is known not to come true; nil if it is not, or the failure is not an expectation's.
    func reason(of failure: VerificationFailure) -> Comment? {
        guard let site = failure.callSite.map(Self.text) else { return nil }
        return known.withLock { $0.first { $0.site == site }?.reason }
    }

    /// The reasons of those that came true all the same.
    func disproved(by failures: [VerificationFailure]) -> [Comment] {
        let failed = Set(failures.compactMap { $0.callSite.map(Self.text) })
        return known.withLock { $0.filter { !failed.contains($0.site) }.map(\.reason) }
    }

    private static func text(_ callSite: CallSite) -> String {
        "\(callSite.filePath):\(callSite.line):\(callSite.column)"
    }
}
