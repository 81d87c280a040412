// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Contract
public import MockServer
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
    let filePath: String

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let path = try fixtures.map { try FixturePlace.find($0, besideFile: filePath) }
        let server = try await MockServer.start(fixtures: path, stubs: stubs, configuration: configuration)
        let result: Result<Void, any Error>
        do {
            result = .success(try await CurrentServer.$value.withValue(server, operation: function))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        let results = server.verification(allowsUnmatched: allowsUnmatched)
        let failures = results.compactMap(\.failure)
        for failure in failures { report(failure, of: test) }
        if !failures.isEmpty || result.isFailure {
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
        let location = failure.place.map { place in
            SourceLocation(
                fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: place.line, column: place.column)
        }
        Issue.record(Comment(rawValue: failure.text), sourceLocation: location ?? test.sourceLocation)
    }
}

extension Trait where Self == MockServerTrait {
    /// A server for each test.
    ///
    /// - Parameters:
    ///   - fixtures: the directory; a relative path is looked for beside the test's file, then in the package's root.
    ///   - stubs: what else is answered.
    ///   - allowsUnmatched: whether a request that nothing answers leaves the test as it is.
    public static func mockServer(
        fixtures: String? = nil, stubs: [MockStub] = [], configuration: MockServer.Configuration = .init(),
        allowsUnmatched: Bool = false, filePath: String = #filePath
    ) -> MockServerTrait {
        MockServerTrait(
            fixtures: fixtures, stubs: stubs, configuration: configuration, allowsUnmatched: allowsUnmatched,
            filePath: filePath)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
