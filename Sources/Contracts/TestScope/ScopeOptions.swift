// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// The options of a test for its server, whichever library runs it.
package struct ScopeOptions: Sendable {
    package var fixtures: String?
    package var stubs: [MockStub] = []
    package var configuration = MockServer.Configuration()
    package var allowsUnmatched = false
    package var verifying = StubVerification.none
    package var mode = MockServer.Mode.replay
    package var upstream: String?
    package var recordings: RecordingAge?
    package var lateRequests = Duration.zero
    /// How long a request that was expected and has not come may be late to be reported as such. 250 ms.
    package var lateLimit = Duration.milliseconds(250)
    /// The file that `fixtures` is looked for beside; nil for the working directory.
    package var filePath: String?

    package init() {}
}

/// The variables of the environment for all tests that have fixtures.
package struct ScopeEnvironment: Sendable {
    package static let mode = "MOCKAPI_TEST_MODE"
    package static let upstream = "MOCKAPI_TEST_UPSTREAM"
    package static let maxAge = "MOCKAPI_TEST_MAX_AGE"
    package static let late = "MOCKAPI_TEST_LATE"

    private let variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// The options as they are under these variables.
    ///
    /// A mode of the environment is for the tests that have fixtures and a service; others stay as they are.
    package func applied(to options: ScopeOptions) throws(MockServerError) -> ScopeOptions {
        var options = options
        options.upstream = options.mode.url ?? variables[Self.upstream] ?? options.upstream
        if let text = variables[Self.maxAge] {
            guard let days = Int(text), days >= 0 else {
                throw MockServerError(.system("\(Self.maxAge) is \"\(text)\"; it is a number of days, such as 90"))
            }
            options.recordings = options.recordings ?? .failing(afterDays: days)
        }
        if let text = variables[Self.late] {
            guard let milliseconds = Int(text), (0...60_000).contains(milliseconds) else {
                throw MockServerError(
                    .system("\(Self.late) is \"\(text)\"; it is a number of milliseconds, 60000 at most"))
            }
            options.lateRequests = max(options.lateRequests, .milliseconds(milliseconds))
        }
        if let text = variables[Self.mode] {
            guard let kind = MockServer.Mode.Kind(rawValue: text) else {
                let names = MockServer.Mode.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw MockServerError(.system("\(Self.mode) is \"\(text)\"; it is one of \(names)"))
            }
            if kind == .replay || options.fixtures != nil && options.upstream != nil {
                options.mode = MockServer.Mode(kind)
            }
        }
        try check(options)
        return options
    }

    private func check(_ options: ScopeOptions) throws(MockServerError) {
        let kind = options.mode.kind
        guard kind != .replay else { return }
        guard options.upstream != nil else {
            throw MockServerError(
                .system(
                    "the mode \(kind.rawValue) needs the URL of the service: give it with the mode, as upstream: or in \(Self.upstream)"
                ))
        }
        guard kind == .record || kind == .recordAll else { return }
        guard options.fixtures != nil else {
            throw MockServerError(.system("the mode \(kind.rawValue) needs fixtures: the directory to record into"))
        }
        if ["true", "1"].contains(variables["CI"]?.lowercased()) {
            throw MockServerError(
                .system(
                    "CI is set, and the mode \(kind.rawValue) would change fixtures; record on your machine and commit them"
                ))
        }
    }
}
