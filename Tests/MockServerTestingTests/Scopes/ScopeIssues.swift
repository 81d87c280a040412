// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiWireSupport
import Synchronization
import Testing

/// An issue that a scope records.
struct ScopeIssue: Sendable {
    let text: String
    let line: Int
    let file: String
    let isWarning: Bool
}

/// The issues that the scope of a test with a body records.
func issues(
    of trait: MockServerTrait, _ body: @escaping @Sendable () async throws -> Void
) async throws -> [ScopeIssue] {
    let test = try #require(Test.current)
    let seen = Mutex<[ScopeIssue]>([])
    try await withKnownIssue(isIntermittent: true) {
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        #if compiler(>=6.3)
            let isWarning = issue.severity == .warning
        #else
            let isWarning = false
        #endif
        let issue = ScopeIssue(
            text: text, line: issue.sourceLocation?.line ?? 0, file: issue.sourceLocation?.fileName ?? "",
            isWarning: isWarning)
        seen.withLock { $0.append(issue) }
        return true
    }
    return seen.withLock { $0 }
}

/// Asks the server of the test.
///
/// - Returns: the text of the response.
@discardableResult
func get(_ path: String, _ headers: [String: String] = [:]) async throws -> String {
    let port = MockServer.current.baseURL.port ?? 0
    let lines = headers.map { "\($0.key): \($0.value)" }
    return try await blocking { try WireClient(port: port).request("GET", path, lines).text }
}
