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
///
/// Where this process is in the foreground of a terminal the command stays in its process group, so that it can read from the terminal, and
/// Ctrl-C and Ctrl-Z reach it and all that it starts, as they would without mockapi. Everywhere else it leads a process group of its own, all of
/// which `terminate` ends.
final class ChildProcess: Sendable {
    /// Why a command could not be started, in the system's words.
    struct Failure: Error {
        let text: String
    }

    private let pid: pid_t
    private let leadsGroup: Bool
    private let hasEnded = Mutex(false)

    /// - Parameters:
    ///   - command: the program, looked for in PATH, and its arguments.
    ///   - environment: what is set beside what this command has.
    init(_ command: [String], environment: [String: String]) throws(Failure) {
        var arguments = Self.copies(of: command) + [nil]
        var lines = Self.inherited(without: environment)
        lines += environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + lines { free(pointer) } }
        guard let program = arguments[0] else { throw Failure(text: String(cString: strerror(ENOENT))) }
        leadsGroup = !Self.isInForeground
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
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, program, nil, &attributes, &arguments, &lines)
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

    /// Sends SIGTERM to the command, and where it leads a group to all that it has started and that is still of it.
    func terminate() {
        // The lock is held, so that the number is still the child's.
        hasEnded.withLock { if !$0 { kill(leadsGroup ? -pid : pid, SIGTERM) } }
    }

    /// Whether a terminal's keys go to the group of this process.
    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// Words as this process was given them, where they are its last arguments: what is not UTF-8 does not survive being a `String`.
    private static func copies(of words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        let given = Int(CommandLine.argc)
        let last = max(0, given - words.count)..<given
        let arguments = last.map { CommandLine.unsafeArgv[$0] }
        guard arguments.map({ $0.map { String(cString: $0) } }) == words else { return words.map { strdup($0) } }
        return arguments.map { $0.flatMap { strdup($0) } }
    }

    /// The environment of this process, byte for byte, but for some names.
    private static func inherited(without names: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var lines: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let line = next.pointee {
            let name = String(decoding: UnsafeRawBufferPointer(start: line, count: strcspn(line, "=")), as: UTF8.self)
            if names[name] == nil { lines.append(strdup(line)) }
            next += 1
        }
        return lines
    }
}
