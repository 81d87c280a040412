// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The source location of a test's expectation.
public struct CallSite: Sendable {
    /// The module and file, as `#fileID` has it.
    public let fileID: StaticString
    /// The path of the file, as `#filePath` has it.
    public let filePath: StaticString
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// Makes the place of the call.
    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
