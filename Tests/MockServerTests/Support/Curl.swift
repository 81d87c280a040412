// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The command `curl`, as a client that is not ours.
enum Curl {
    /// - Returns: what it wrote to standard output.
    static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["--max-time", "20", "--noproxy", "*"] + arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
