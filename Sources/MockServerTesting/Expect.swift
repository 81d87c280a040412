// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer

/// Expects requests at the server of the test; whether they came is told when the test ends, at this line.
///
///     expect(.get("/api/contents").header("Accept", .contains("json")).query("page", "2"), .once)
public func expect(
    _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    MockServer.current.expect(
        match, count, over: wire, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects requests at the server of the test in this order; others may come between them.
public func expectInOrder(
    _ matches: RequestMatch..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
) {
    MockServer.current.expectInOrder(
        matches, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects requests at the server of the test on one connection.
///
/// - Parameter match: which; nil for all.
public func expectOneConnection(
    _ match: RequestMatch? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
) {
    MockServer.current.expectOneConnection(
        match, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
}
