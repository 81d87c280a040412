// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
public import MockServer
import MockapiContract
import MockapiTestScope
import Synchronization
public import XCTest

/// A test case that gives each test a server, verified when the test ends.
///
///     final class ArticleTests: MockServerTestCase {
///         override var fixtures: String? { "Fixtures" }
///     }
///
/// Unmatched requests, and expectations that did not come true, fail the test.
open class MockServerTestCase: XCTestCase {
    /// The server of the test that runs.
    ///
    /// Unsafe: XCTest runs `setUp`, a test and `tearDown` of one instance one after the other.
    nonisolated(unsafe) private var running: ServerScope?
    /// Whether XCTest runs the test, so that there is a moment behind all that is torn down.
    ///
    /// Unsafe: XCTest sets up, runs and tears down one instance on one thread after the other, never on two at once.
    nonisolated(unsafe) private var isInvoked = false

    /// The directory; a relative path is looked for beside `filePath`, then in each folder above it, as far as the package's root.
    open var fixtures: String? { nil }
    /// The stubs that are served beside the fixtures.
    open var stubs: [MockStub] { [] }
    /// The configuration of the test's server; that of `MockServer.start` unless overridden.
    open var configuration: MockServer.Configuration { MockServer.Configuration() }
    /// Whether an unmatched request leaves the test as it is.
    open var allowsUnmatched: Bool { false }
    /// Which stubs have to be used; an unused one fails the test.
    open var verifying: StubVerification { .none }
    /// Where responses come from; `MOCKAPI_TEST_MODE` in the environment goes before, for tests with fixtures and a service.
    open var mode: MockServer.Mode { .replay }
    /// The URL of the service that the fixtures are of, for modes that do not say; `MOCKAPI_TEST_UPSTREAM` goes before.
    open var upstream: String? { nil }
    /// How old the recordings that are served may be; `MOCKAPI_TEST_MAX_AGE` says so if this does not.
    open var recordings: RecordingAge? { nil }
    /// How long the server goes on when the test has ended, so that requests which come late are verified, too.
    open var lateRequests: Duration { .zero }
    /// The file beside which `fixtures` is looked for: `#filePath` of the class; nil for the working directory and the root of
    /// the package that the tests were built in.
    open var filePath: StaticString? { nil }

    /// The server of the test that runs.
    public var server: MockServer {
        guard let running else { fatalError("MockServerTestCase.server: call super.setUp() before the server is used") }
        return running.server
    }

    /// Runs the test, and verifies its requests when all is torn down: whatever a class overrides, with `super` or without.
    override open func invokeTest() {
        isInvoked = true
        super.invokeTest()
        isInvoked = false
        guard let scope = running else { return }
        running = nil
        let isSkipped = testRun?.hasBeenSkipped == true
        let verdict = Verdict()
        Task {
            let results = await MockServerTestCase.results(of: scope, isSkipped: isSkipped)
            verdict.results.withLock { $0 = results }
            verdict.isKnown.signal()
        }
        // Work that the test has left on the main actor goes on meanwhile.
        while verdict.isKnown.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
            _ = RunLoop.current.run(mode: .default, before: Date())
        }
        tell(verdict.results.withLock { $0 }, of: scope)
    }

    /// The result of a test, once it is known.
    private final class Verdict: Sendable {
        let results = Mutex<[VerificationResult]>([])
        let isKnown = DispatchSemaphore(value: 0)
    }

    /// Stops the servers.
    ///
    /// - Returns: the results of all expectations; empty for a test that was skipped.
    private static func results(of scope: ServerScope, isSkipped: Bool) async -> [VerificationResult] {
        guard isSkipped else { return await scope.end() }
        await scope.abandon()
        return []
    }

    nonisolated(nonsending) override open func setUp() async throws {
        // Not `super`, which does nothing, and belongs to no actor that this may be called on.
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
        options.filePath = filePath.map { "\($0)" }
        do {
            running = try await ServerScope(options)
        } catch {
            try VerificationReport.write(unstarted: error, of: name)
            throw error
        }
    }

    nonisolated(nonsending) override open func tearDown() async throws {
        guard !isInvoked, let scope = running else { return }
        running = nil
        tell(await Self.results(of: scope, isSkipped: false), of: scope)
    }

    private func tell(_ results: [VerificationResult], of scope: ServerScope) {
        let failures = results.compactMap(\.failure)
        for failure in failures where !failure.isTold { report(failure) }
        if failures.contains(where: { !$0.isWarning }) || testRun?.hasSucceeded == false {
            show(scope.journalText)
        }
        do {
            try VerificationReport.write(results, of: name)
        } catch {
            Self.note("warning: \(name): the report cannot be written: \(error)")
        }
    }

    /// Starts a server beside `server`, which is verified with it when the test ends.
    ///
    /// - Throws: `MockServerError` if the fixtures cannot be used or the port is taken.
    public nonisolated(nonsending) func startServer(
        fixtures: String? = nil, stubs: [MockStub] = [], configuration: MockServer.Configuration = .init()
    ) async throws -> MockServer {
        guard let running else { fatalError("MockServerTestCase.startServer: call super.setUp() before") }
        return try await StartedServers.$keeper.withValue(running.others) {
            try await MockServer.start(fixtures: fixtures, stubs: stubs, configuration: configuration)
        }
    }

    /// Expects requests; whether they came is reported when the test ends, at this line.
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        file: StaticString = #filePath, line: Int = #line
    ) {
        server.expect(match, count, over: wire, at: CallSite(filePath: file, line: line))
    }

    /// Waits until as many requests have come as are expected; if they have not in time, that is reported at once, at this line, and the
    /// test goes on.
    ///
    /// A count that allows for none, such as `.never`, is waited for until the time is over. Requests that come later count when the test
    /// ends: a request that is expected once must not come again.
    /// - Returns: the requests that have come.
    /// - Throws: `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        within limit: Duration, file: StaticString = #filePath, line: Int = #line
    ) async throws -> [JournalEntry] {
        let callSite = CallSite(filePath: file, line: line)
        let (entries, failure) = try await server.wait(
            for: match, count, over: wire, within: limit, at: callSite, isTold: true)
        if let failure { report(failure) }
        return entries
    }

    /// Expects requests in this order; others may come between them.
    public func expectInOrder(_ matches: RequestMatch..., file: StaticString = #filePath, line: Int = #line) {
        server.expectInOrder(matches, at: CallSite(filePath: file, line: line))
    }

    /// Expects requests on one connection.
    ///
    /// - Parameter match: which; nil for all.
    public func expectOneConnection(
        _ match: RequestMatch? = nil, file: StaticString = #filePath, line: Int = #line
    ) {
        server.expectOneConnection(match, at: CallSite(filePath: file, line: line))
    }

    // MARK: Reporting

    /// Fails the test at the expectation's line, or at the test's.
    private func report(_ failure: VerificationFailure) {
        if failure.isWarning { return Self.note("warning: \(name): \(failure.text)") }
        let found =
            failure.callSite.map { TestLocation(file: "\($0.filePath)", line: $0.line) }
            ?? TestLocation.find(
                name, in: filePath.map { "\($0)" }, or: FileManager.default.currentDirectoryPath + "/Tests")
        #if canImport(ObjectiveC)
            let location = found.map { XCTSourceCodeLocation(filePath: $0.file, lineNumber: $0.line) }
            record(
                XCTIssue(
                    type: .assertionFailure, compactDescription: failure.text,
                    sourceCodeContext: XCTSourceCodeContext(location: location)))
        #else
            recordFailure(
                withDescription: failure.text, inFile: found?.file ?? "<unknown>", atLine: found?.line ?? 0,
                expected: true)
        #endif
    }

    /// Attaches the requests to the test; if XCTest has no attachments, they go to standard error.
    private func show(_ text: String) {
        #if canImport(ObjectiveC)
            let attachment = XCTAttachment(string: text)
            attachment.name = "\(name) journal.txt"
            add(attachment)
        #else
            Self.note("\(name): what came\n" + text.prefix(Self.shownJournal))
        #endif
    }

    /// Letters of a journal that go to standard error. 16,384.
    private static let shownJournal = 16 * 1024

    private static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
