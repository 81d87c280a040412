// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import WireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The built command, run once; ended by its process id when the last reference goes.
///
/// Its two streams go to files, which can be read at any time and never fill up.
final class Command {
    private let process = Process()
    private let directory: TemporaryDirectory

    struct Failure: Error {
        let text: String
    }

    /// The executable beside the test bundle.
    static var executable: String {
        get throws {
            var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            for _ in 0..<6 {
                let candidate = folder.appendingPathComponent("mockapi").path
                if access(candidate, X_OK) == 0 { return candidate }
                folder.deleteLastPathComponent()
            }
            throw Failure(text: "there is no mockapi beside \(CommandLine.arguments[0]): run swift build")
        }
    }

    /// - Parameter descriptors: the descriptor limit, hard and soft; nil for that of the test.
    init(_ arguments: [String], descriptors: Int? = nil) throws {
        directory = try TemporaryDirectory(["out": "", "err": ""])
        if let descriptors {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", try Self.executable] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: try Self.executable)
            process.arguments = arguments
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: directory.path + "/out")
        process.standardError = FileHandle(forWritingAtPath: directory.path + "/err")
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var output: String { directory.text("out") }
    var errors: String { directory.text("err") }

    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Waits for the end.
    ///
    /// - Returns: the exit code.
    func exitCode() async throws -> Int32 {
        guard try await until({ !process.isRunning }) else { throw Failure(text: "still running: \(output)\(errors)") }
        guard process.terminationReason == .exit else { throw Failure(text: "ended by a signal") }
        return process.terminationStatus
    }

    /// Waits for the line that says where the server listens.
    func port() async throws -> Int {
        guard try await until({ output.hasSuffix("\n") || !process.isRunning }) else {
            throw Failure(text: "no line on standard output: \(errors)")
        }
        let line = output.split(separator: "\n").first ?? ""
        guard let colon = line.lastIndex(of: ":"), let port = Int(line[line.index(after: colon)...]) else {
            throw Failure(text: "no port in \(output)\(errors)")
        }
        return port
    }

    /// Runs a command to its end.
    static func run(_ arguments: String...) async throws -> (code: Int32, output: String, errors: String) {
        let command = try Command(arguments)
        let code = try await command.exitCode()
        return (code, command.output, command.errors)
    }
}
