// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The source location where a test says what it expects.
public struct CallSite: Sendable {
    public let fileID: StaticString
    public let filePath: StaticString
    public let line: Int
    public let column: Int

    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
