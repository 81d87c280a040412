// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer
public import Testing

/// Expects requests at the server of the test; whether they came is reported when the test ends, at this line.
///
///     expect(.get("/api/contents").header("Accept", .contains("json")).query("page", "2"), .once)
///
/// - Parameter known: why it is known not to come true, as in `withKnownIssue`: it is an issue then if it does.
public func expect(
    _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil, known: Comment? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let current = currentServer(at: callSite) else { return }
    current.note(known, at: callSite)
    current.server.expect(match, count, over: wire, at: callSite)
}

/// Waits until as many requests have come to the server of the test as are expected; if they have not in time, that is reported at once, at
/// this line, and the test goes on.
///
///     try await expect(.post("/api/events"), .once, within: .seconds(2))
///
/// A count that allows for none, such as `.never`, is waited for until the time is over. Requests that come later count when the test
/// ends: a request that is expected once must not come again.
/// - Returns: the requests that have come.
/// - Throws: `CancellationError`.
@discardableResult
public nonisolated(nonsending) func expect(
    _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil, within limit: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) async throws -> [JournalEntry] {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let current = currentServer(at: callSite) else { return [] }
    let (entries, failure) = try await current.server.wait(
        for: match, count, over: wire, within: limit, at: callSite, isTold: true)
    if let failure { Issue.record(Comment(rawValue: failure.text), sourceLocation: SourceLocation(callSite)) }
    return entries
}

/// Expects requests at the server of the test in this order; others may come between them.
///
/// - Parameter known: why it is known not to come true.
public func expectInOrder(
    _ matches: RequestMatch..., known: Comment? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let current = currentServer(at: callSite) else { return }
    current.note(known, at: callSite)
    current.server.expectInOrder(matches, at: callSite)
}

/// Expects requests at the server of the test on one connection.
///
/// - Parameters:
///   - match: which; nil for all.
///   - known: why it is known not to come true.
public func expectOneConnection(
    _ match: RequestMatch? = nil, known: Comment? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let current = currentServer(at: callSite) else { return }
    current.note(known, at: callSite)
    current.server.expectOneConnection(match, at: callSite)
}

/// The server of the test; if there is none, an issue is recorded at the line that asks for it.
private func currentServer(at callSite: CallSite) -> CurrentServer? {
    let current = CurrentServer.value
    if current == nil {
        Issue.record(Comment(rawValue: OutsideOfTests.text), sourceLocation: SourceLocation(callSite))
    }
    return current
}

extension SourceLocation {
    init(_ callSite: CallSite) {
        self.init(
            fileID: "\(callSite.fileID)", filePath: "\(callSite.filePath)", line: callSite.line, column: callSite.column
        )
    }
}
