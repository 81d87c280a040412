// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Contract
public import MockServer
public import XCTest

/// A test case each test of which has a server of its own, verified when the test ends.
///
///     final class ArticleTests: MockServerTestCase {
///         override var fixtures: String? { "Fixtures" }
///     }
///
/// Requests that nothing answers, and expectations that did not come true, fail the test.
open class MockServerTestCase: XCTestCase {
    /// The server of the test that runs.
    ///
    /// Unsafe: XCTest runs `setUp`, a test and `tearDown` of one instance one after the other.
    nonisolated(unsafe) private var running: MockServer?

    /// The directory; a relative path is looked for beside `filePath`, then in the package's root.
    open var fixtures: String? { nil }
    /// What else is answered.
    open var stubs: [MockStub] { [] }
    /// The file that `fixtures` is looked for beside, and that a request which nothing answers fails at: `#filePath` where the class is
    /// written; nil for the working directory, which is the package's root.
    open var filePath: StaticString? { nil }

    public var server: MockServer {
        guard let running else { fatalError("MockServerTestCase.server: call super.setUp() before the server is used") }
        return running
    }

    override open func setUp() async throws {
        try await super.setUp()
        let path = try fixtures.map { try FixturePlace.find($0, besideFile: filePath.map { "\($0)" }) }
        running = try await MockServer.start(fixtures: path, stubs: stubs)
    }

    override open func tearDown() async throws {
        if let running {
            await running.stop()
            let results = running.verification(allowsUnmatched: false)
            for failure in results.compactMap(\.failure) {
                XCTFail(
                    failure.text, file: failure.place?.filePath ?? filePath ?? #filePath,
                    line: failure.place.map { UInt($0.line) } ?? 1)
            }
            try VerificationReport.write(results, of: name)
        }
        running = nil
        try await super.tearDown()
    }

    /// Expects requests; whether they came is told when the test ends, at this line.
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        file: StaticString = #filePath, line: Int = #line
    ) {
        server.expect(match, count, over: wire, at: SourcePlace(filePath: file, line: line))
    }
}
