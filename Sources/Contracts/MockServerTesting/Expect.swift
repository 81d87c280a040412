// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer
import Testing

/// Expects requests at the server of the test; whether they came is told when the test ends, at this line.
///
///     expect(.get("/api/contents").header("Accept", .contains("json")).query("page", "2"), .once)
public func expect(
    _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    MockServer.current.expect(
        match, count, over: wire, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Waits until as many requests have come to the server of the test as are expected; where they have not in time, that is told at once, at
/// this line, and the test goes on.
///
///     try await expect(.post("/api/events"), .once, within: .seconds(2))
///
/// A count that allows for none, such as `.never`, is waited for until the time is over. Requests that come later count when the test
/// ends: what was expected once must not come again.
/// - Returns: the requests that have come.
/// - Throws: `CancellationError`.
@discardableResult
public func expect(
    _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil, within limit: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) async throws -> [JournalEntry] {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let (entries, failure) = try await MockServer.current.wait(
        for: match, count, over: wire, within: limit, at: callSite, isTold: true)
    if let failure { Issue.record(Comment(rawValue: failure.text), sourceLocation: SourceLocation(callSite)) }
    return entries
}

/// Expects requests at the server of the test in this order; others may come between them.
public func expectInOrder(
    _ matches: RequestMatch..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
) {
    MockServer.current.expectInOrder(
        matches, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects requests at the server of the test on one connection.
///
/// - Parameter match: which; nil for all.
public func expectOneConnection(
    _ match: RequestMatch? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
) {
    MockServer.current.expectOneConnection(
        match, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
}

extension SourceLocation {
    init(_ callSite: CallSite) {
        self.init(
            fileID: "\(callSite.fileID)", filePath: "\(callSite.filePath)", line: callSite.line, column: callSite.column
        )
    }
}
