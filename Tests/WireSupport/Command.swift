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
    private let identifier: pid_t
    /// The process, to be signalled from a thread of its own.
    var process: pid_t { identifier }
    /// What `waitpid` said of the end; nil before it.
    private var ending: Int32?
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

    /// - Parameters:
    ///   - descriptors: the descriptor limit, hard and soft; nil for that of the test.
    ///   - environment: variables beside those of the test.
    init(_ arguments: [String], descriptors: Int? = nil, environment: [String: String] = [:]) throws {
        directory = try TemporaryDirectory(["out": "", "err": ""])
        let executable = try Self.executable
        var line = [executable] + arguments
        if let descriptors { line = ["/bin/sh", "-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\""] + line }
        if !environment.isEmpty {
            line = ["/usr/bin/env"] + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } + line
        }
        identifier = try Self.spawn(line, output: directory.path + "/out", errors: directory.path + "/err")
    }

    deinit {
        if isRunning {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
    }

    /// Starts a program, which gets no descriptor but the three it should have: Foundation's `Process` can let one child hold what tells of
    /// the end of another.
    private static func spawn(_ line: [String], output: String, errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, line[0], &actions, nil, &words, environ)
        guard result == 0 else { throw Failure(text: "\(line[0]) cannot be started: error \(result)") }
        return identifier
    }

    private var isRunning: Bool {
        if ending != nil { return false }
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return true }
        ending = status
        return false
    }

    var output: String { directory.text("out") }
    var errors: String { directory.text("err") }

    func send(_ signal: Int32) {
        if isRunning { kill(identifier, signal) }
    }

    /// Waits for the end.
    ///
    /// - Returns: the exit code.
    func exitCode() async throws -> Int32 {
        guard try await until({ !isRunning }) else { throw Failure(text: "still running: \(output)\(errors)") }
        // The low seven bits are the signal that ended it, the next eight the exit code.
        guard let ending, ending & 0x7F == 0 else { throw Failure(text: "ended by a signal") }
        return ending >> 8 & 0xFF
    }

    /// Waits for the line that says where the server listens.
    func port() async throws -> Int {
        guard try await until({ output.hasSuffix("\n") || !isRunning }) else {
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
        try await run(arguments)
    }

    static func run(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        let command = try Command(arguments)
        let code = try await command.exitCode()
        return (code, command.output, command.errors)
    }
}
