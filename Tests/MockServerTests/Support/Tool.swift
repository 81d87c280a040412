// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import WireSupport

/// A program that is not ours, run to its end.
struct Tool: Sendable {
    var code: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// - Parameter name: looked up in the usual places.
    @discardableResult
    static func run(_ name: String, _ arguments: [String], input: Data? = nil) async throws -> Tool {
        // The threads that tests share are for those that do not wait.
        try await blocking { try runToEnd(name, arguments, input) }
    }

    private static func runToEnd(_ name: String, _ arguments: [String], _ input: Data?) throws -> Tool {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        let place = ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].first {
            FileManager.default.isExecutableFile(atPath: $0 + name)
        }
        process.executableURL = URL(fileURLWithPath: (place ?? "/usr/bin/") + name)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        let source = Pipe()
        process.standardInput = source
        try process.run()
        if let input { source.fileHandleForWriting.write(input) }
        try source.fileHandleForWriting.close()
        // Errors are few: they fit the pipe while the output is read.
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Tool(
            code: process.terminationStatus, output: data, errors: String(decoding: text, as: UTF8.self))
    }

    static func curl(_ arguments: [String]) async throws -> Tool {
        try await run("curl", ["--silent", "--show-error", "--max-time", "20", "--noproxy", "*"] + arguments)
    }
}
