// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command that is run with a changed environment and this command's own input and output.
final class ChildProcess: Sendable {
    /// Why a command could not be started, in the system's words.
    struct Failure: Error {
        let text: String
    }

    private let pid: pid_t
    private let hasEnded = Mutex(false)

    /// - Parameters:
    ///   - command: the program, looked for in PATH, and its arguments.
    ///   - environment: what is set beside what this command has.
    init(_ command: [String], environment: [String: String]) throws(Failure) {
        var variables = Self.environment
        for (name, value) in environment { variables[name] = value }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var lines: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + lines { free(pointer) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A signal that this command ignores to catch it, or that its threads leave to others, shall end the child.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command.first ?? "", nil, &attributes, &arguments, &lines)
        guard code == 0 else { throw Failure(text: String(cString: strerror(code))) }
        self.pid = pid
    }

    /// Waits until the command ends.
    ///
    /// - Returns: its exit code; 128 and the signal's number where a signal ended it.
    func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "mockapi.child").async { [self] in
                var status: Int32 = 0
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                hasEnded.withLock { $0 = true }
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            }
        }
    }

    func terminate() {
        // The lock is held, so that the number is still the child's.
        hasEnded.withLock { if !$0 { kill(pid, SIGTERM) } }
    }

    private static var environment: [String: String] {
        var variables: [String: String] = [:]
        var line = environ
        while let text = line.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
            line += 1
        }
        return variables
    }
}
