// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer
import MockapiContract
import MockapiTestScope
public import Testing

/// Gives each test a server of its own, on a port of its own, and verifies its requests when the test ends.
///
///     @Suite(.mockServer(fixtures: "Fixtures"))
///     struct ArticleTests { … }
///
/// Unmatched requests, and expectations that did not come true, fail the test; the journal of its requests is attached to it then, and to each test
/// if attachments are written (`--attachments-path`).
/// The trait of a test goes before that of its suite, whose stubs it has too, and whose fixtures if it names none.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    /// Tells a trait from others that say the same.
    final class Identity: Sendable {}

    let options: ScopeOptions
    private let identity = Identity()

    fileprivate init(_ options: ScopeOptions) {
        self.options = options
    }

    /// The same, with another time in which a request that comes late is reported as such.
    package func tellingLate(within limit: Duration) -> MockServerTrait {
        var options = options
        options.lateLimit = limit
        return MockServerTrait(options)
    }

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard let options = options(for: test) else { return try await function() }
        let scope: ServerScope
        do {
            scope = try await ServerScope(options)
        } catch {
            try VerificationReport.write(
                unstarted: error, of: test.id.description, arguments: testCase.map(Self.arguments) ?? "")
            throw error
        }
        let current = CurrentServer(scope.server, identity: identity, test: test.id)
        let result: Result<Void, any Error>
        do {
            try await CurrentServer.$value.withValue(current) {
                try await StartedServers.$keeper.withValue(scope.others) {
                    scope.server.inheritTask()
                    try await function()
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        if case .failure(let error) = result, Self.isCancellation(error) {
            attachJournal(of: scope, to: test)
            await scope.abandon()
            throw error
        }
        let results = await scope.end()
        let failures = results.compactMap(\.failure)
        for failure in failures where !failure.isTold { report(failure, of: test, known: current.reason(of: failure)) }
        if Self.writesAttachments || failures.contains(where: { !$0.isWarning }) || result.isFailure {
            attachJournal(of: scope, to: test)
        }
        for reason in current.disproved(by: failures) {
            withKnownIssue(reason, sourceLocation: test.sourceLocation) {}
        }
        try VerificationReport.write(
            results, of: test.id.description, arguments: testCase.map(Self.arguments) ?? "")
        try result.get()
    }

    /// Whether attachments are written to files, so that the journal of each test is among them: other failures of a test are not known here
    /// to its traits.
    private static let writesAttachments = CommandLine.arguments.contains { $0.hasPrefix("--attachments-path") }

    private func attachJournal(of scope: ServerScope, to test: Test) {
        Attachment.record(
            scope.journalText, named: "\(test.name) journal.txt",
            sourceLocation: test.sourceLocation)
    }

    /// The options for a server of this trait; nil if another trait has a server for the test.
    ///
    /// If a test and its suites have several traits, the innermost counts: it takes the stubs of the others beside its own, and their
    /// fixtures if it names none.
    private func options(for test: Test) -> ScopeOptions? {
        if let current = CurrentServer.value, current.identity === identity, current.test == test.id { return nil }
        let traits = test.traits.compactMap { $0 as? MockServerTrait }
        // A trait may be used by hand, too.
        guard traits.contains(where: { $0.identity === identity }) else { return options }
        guard let innermost = traits.last, innermost.identity === identity else { return nil }
        var merged = options
        for outer in traits.dropLast().reversed() where outer.identity !== identity {
            merged.stubs = outer.options.stubs + merged.stubs
            if merged.fixtures == nil {
                merged.fixtures = outer.options.fixtures
                merged.filePath = outer.options.filePath
            }
        }
        return merged
    }

    /// Whether a test says with an error that it has not run to its end, and is to be taken for skipped.
    private static func isCancellation(_ error: any Error) -> Bool {
        Task.isCancelled && error is CancellationError || "\(type(of: error))" == "SkipInfo"
    }

    /// The arguments of a case of a test with parameters, as they describe themselves; empty if they cannot be read.
    ///
    /// The testing library shows them only to tools, so this reads them from its own storage.
    package static func arguments(of testCase: Test.Case) -> String {
        guard testCase.isParameterized else { return "" }
        var values: [String] = []
        func look(at value: Any, depth: Int) {
            for child in Mirror(reflecting: value).children {
                if child.label == "arguments" {
                    for argument in Mirror(reflecting: child.value).children {
                        let value = Mirror(reflecting: argument.value).children.first { $0.label == "value" }?.value
                        if let value { values.append(String(describing: value)) }
                    }
                    return
                }
                if values.isEmpty, depth > 0 { look(at: child.value, depth: depth - 1) }
            }
        }
        look(at: testCase, depth: 2)
        return String(values.joined(separator: ", ").prefix(100))
    }

    private func report(_ failure: VerificationFailure, of test: Test, known: Comment?) {
        let location = failure.callSite.map { SourceLocation($0) } ?? test.sourceLocation
        if let known {
            return withKnownIssue(known, sourceLocation: location) {
                Issue.record(Comment(rawValue: failure.text), sourceLocation: location)
            }
        }
        #if compiler(>=6.3)
            Issue.record(
                Comment(rawValue: failure.text), severity: failure.isWarning ? .warning : .error,
                sourceLocation: location)
        #else
            // Issues that do not fail a test came with Swift 6.3: before, a warning is a line of the test's output.
            guard !failure.isWarning else { return print("warning: \(failure.text)") }
            Issue.record(Comment(rawValue: failure.text), sourceLocation: location)
        #endif
    }
}

extension Trait where Self == MockServerTrait {
    /// A server for each test.
    ///
    /// - Parameters:
    ///   - fixtures: the directory; a relative path is looked for beside the test's file, then in each folder above it, as far as the
    ///     package's root.
    ///   - stubs: further stubs beside the fixtures.
    ///   - allowsUnmatched: whether an unmatched request leaves the test as it is.
    ///   - verifying: which stubs have to be used; an unused one fails the test.
    ///   - mode: where responses come from; `MOCKAPI_TEST_MODE` in the environment goes before, for tests with fixtures and a service.
    ///   - upstream: the URL of the service that the fixtures are of, for modes that do not say; `MOCKAPI_TEST_UPSTREAM` goes before.
    ///   - recordings: how old the recordings that are served may be; `MOCKAPI_TEST_MAX_AGE` says so if this does not.
    ///   - lateRequests: how long the server goes on when the test has ended, so that requests which come late are verified, too.
    public static func mockServer(
        fixtures: String? = nil, stubs: [MockStub] = [], configuration: MockServer.Configuration = .init(),
        allowsUnmatched: Bool = false, verifying: StubVerification = .none, mode: MockServer.Mode = .replay,
        upstream: String? = nil, recordings: RecordingAge? = nil, lateRequests: Duration = .zero,
        filePath: String = #filePath
    ) -> MockServerTrait {
        var options = ScopeOptions()
        options.fixtures = fixtures
        options.stubs = stubs
        options.configuration = configuration
        options.allowsUnmatched = allowsUnmatched
        options.verifying = verifying
        options.mode = mode
        options.upstream = upstream
        options.recordings = recordings
        options.lateRequests = lateRequests
        options.filePath = filePath
        return MockServerTrait(options)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
