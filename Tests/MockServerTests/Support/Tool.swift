// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiWireSupport

/// A program that is not ours, run to its end.
struct Tool: Sendable {
    var code: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// - Parameter name: looked up in the usual places.
    @discardableResult
    static func run(_ name: String, _ arguments: [String], input: Data? = nil) async throws -> Tool {
        let place = ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].first {
            FileManager.default.isExecutableFile(atPath: $0 + name)
        }
        let command = try Command(
            line: [(place ?? "/usr/bin/") + name] + arguments, content: input.map { Array($0) } ?? [])
        let code = try await command.exitCode()
        return Tool(code: code, output: Data(command.outputBytes), errors: command.errors)
    }

    static func curl(_ arguments: [String]) async throws -> Tool {
        try await run("curl", ["--silent", "--show-error", "--max-time", "90", "--noproxy", "*"] + arguments)
    }
}
