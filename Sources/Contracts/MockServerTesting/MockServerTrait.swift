// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer
import MockapiContract
import MockapiTestScope
public import Testing

/// Gives each test a server of its own, on a port of its own, and verifies what came when the test ends.
///
///     @Suite(.mockServer(fixtures: "Fixtures"))
///     struct ArticleTests { … }
///
/// Requests that nothing answers, and expectations that did not come true, fail the test; the journal is attached to it then.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    let fixtures: String?
    let stubs: [MockStub]
    let configuration: MockServer.Configuration
    let allowsUnmatched: Bool
    let verifying: StubVerification
    let mode: MockServer.Mode
    let upstream: String?
    let recordings: RecordingAge?
    let lateRequests: Duration
    let filePath: String

    public var isRecursive: Bool { true }

    private var options: ScopeOptions {
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
        return options
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let scope = try await ServerScope(options)
        let server = scope.server
        let result: Result<Void, any Error>
        do {
            result = .success(try await CurrentServer.$value.withValue(server, operation: function))
        } catch {
            result = .failure(error)
        }
        let results = await scope.end()
        let failures = results.compactMap(\.failure)
        for failure in failures where !failure.isTold { report(failure, of: test) }
        if failures.contains(where: { !$0.isWarning }) || result.isFailure {
            Attachment.record(
                JournalText(server.journal.entries).text, named: "\(test.name) journal.txt",
                sourceLocation: test.sourceLocation)
        }
        try VerificationReport.write(
            results, of: test.id.description, arguments: testCase.map(Self.arguments) ?? "")
        try result.get()
    }

    /// The arguments of a case of a test with parameters, as they describe themselves; empty where they cannot be read.
    ///
    /// The testing library shows them to nobody but tools, so that they are looked for in what it keeps.
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

    private func report(_ failure: VerificationFailure, of test: Test) {
        let location = failure.callSite.map { SourceLocation($0) } ?? test.sourceLocation
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
    ///   - fixtures: the directory; a relative path is looked for beside the test's file, then in the package's root.
    ///   - stubs: what else is answered.
    ///   - allowsUnmatched: whether a request that nothing answers leaves the test as it is.
    ///   - verifying: which stubs have to be used; one that answers nothing fails the test.
    ///   - mode: where responses come from; `MOCKAPI_TEST_MODE` in the environment goes before, for tests with fixtures and a service.
    ///   - upstream: the URL of the service that the fixtures are of, for modes that do not say; `MOCKAPI_TEST_UPSTREAM` goes before.
    ///   - recordings: how old recordings may be that answer; `MOCKAPI_TEST_MAX_AGE` says so where this does not.
    ///   - lateRequests: how long the server goes on when the test has ended, so that requests which come late are verified, too.
    public static func mockServer(
        fixtures: String? = nil, stubs: [MockStub] = [], configuration: MockServer.Configuration = .init(),
        allowsUnmatched: Bool = false, verifying: StubVerification = .none, mode: MockServer.Mode = .replay,
        upstream: String? = nil, recordings: RecordingAge? = nil, lateRequests: Duration = .zero,
        filePath: String = #filePath
    ) -> MockServerTrait {
        MockServerTrait(
            fixtures: fixtures, stubs: stubs, configuration: configuration, allowsUnmatched: allowsUnmatched,
            verifying: verifying, mode: mode, upstream: upstream, recordings: recordings, lateRequests: lateRequests,
            filePath: filePath)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
