// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command that is run with a changed environment.
///
/// If this process is in the foreground of a terminal the command stays in its process group, so that it can read from the terminal, and
/// Ctrl-C and Ctrl-Z reach it and all that it starts, as they would without mockapi. Everywhere else, and if it does not have this command's
/// input and output, it leads a process group of its own, which ends with it as a whole.
package final class ChildProcess: Sendable {
    /// Why a command could not be started, in the system's words.
    package struct Failure: Error {
        package let text: String
    }

    /// The input and output of a command.
    package enum Streams: Sendable {
        /// This command's own.
        case inherited
        /// Nothing, and a descriptor for both of its outputs.
        case output(Int32)
    }

    /// How long leftover processes of a command may take to end after the signal. 1 s.
    private static let grace = 100
    private static let graceStep: UInt32 = 10_000

    let pid: pid_t
    /// Whether the command has a process group of its own.
    package let leadsGroup: Bool
    private let endsGroup: Bool
    /// The mark that all it starts is known by; nil if it may leave something behind.
    private let mark: String?
    private let hasEnded = Mutex(false)

    /// - Parameters:
    ///   - command: the program, looked for in PATH, and its arguments.
    ///   - environment: the variables that are set beside those of this command; nil takes one away.
    ///   - endsGroup: whether the processes that it has started and left behind end with it.
    package init(
        _ command: [String], environment: [String: String?], streams: Streams = .inherited, endsGroup: Bool = false
    ) throws(Failure) {
        var environment = environment
        mark = endsGroup ? String(UInt64.random(in: .min ... .max), radix: 16) : nil
        if let mark { environment.updateValue(mark, forKey: Leftovers.variable) }
        var arguments = Self.copies(of: command) + [nil]
        var lines = Self.inherited(without: environment)
        lines += environment.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { strdup("\(name)=\($0)") }
        }
        lines.append(nil)
        defer { for pointer in arguments + lines { free(pointer) } }
        guard let program = arguments[0] else { throw Failure(text: SystemError(call: "", code: ENOENT).words) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch streams {
        case .inherited: leadsGroup = !Self.isInForeground
        case .output(let descriptor):
            leadsGroup = true
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, descriptor, STDERR_FILENO)
        }
        self.endsGroup = endsGroup && leadsGroup
        // A signal that this command ignores to catch it, or that its threads leave to others, shall end the child.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGPIPE] where !SignalRelay.ignoredAtStart.contains(signal) {
            sigaddset(&defaults, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, program, &actions, &attributes, &arguments, &lines)
        guard code == 0 else { throw Failure(text: SystemError(call: "", code: code).words) }
        self.pid = pid
    }

    /// Waits until the command ends, and ends all that it has left behind, if that is wanted.
    ///
    /// - Returns: its exit code; 128 and the signal's number if a signal ended it.
    package func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "mockapi.child").async { [self] in
                var information = siginfo_t()
                while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                // Until its end is taken note of, the number is of no other group.
                if endsGroup { kill(-pid, SIGTERM) }
                var status: Int32 = 0
                hasEnded.withLock { hasEnded in
                    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                    hasEnded = true
                }
                if endsGroup { endGroup() }
                if let mark { Leftovers(of: mark, after: pid).end() }
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            }
        }
    }

    /// Gives the rest of the group a moment, and no more.
    private func endGroup() {
        for _ in 0..<Self.grace {
            if kill(-pid, 0) != 0 { return }
            usleep(Self.graceStep)
        }
        kill(-pid, SIGKILL)
    }

    /// Sends a signal to the command, and, if it leads a group, to all processes that it has started and that are still in the group.
    package func send(_ signal: Int32) {
        // The lock is held, so that the number is still the child's.
        hasEnded.withLock { if !$0 { kill(leadsGroup ? -pid : pid, signal) } }
    }

    /// Asks the command to end.
    package func terminate() { send(SIGTERM) }

    /// Whether a terminal's keys go to the group of this process.
    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// Words as this process was given them, if they are its last arguments: bytes that are not UTF-8 do not survive being a `String`.
    private static func copies(of words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        let given = Int(CommandLine.argc)
        let last = max(0, given - words.count)..<given
        let arguments = last.map { CommandLine.unsafeArgv[$0] }
        let texts = arguments.map { $0.map { String(cString: $0) } }
        guard texts.count == words.count else { return words.map { strdup($0) } }
        // A word that was changed goes out as it is now, the others as they came.
        return zip(zip(words, texts), arguments).map { pair, pointer in
            pair.0 == pair.1 ? pointer.flatMap { strdup($0) } : strdup(pair.0)
        }
    }

    /// The environment of this process, byte for byte, but for some names.
    private static func inherited(without names: [String: String?]) -> [UnsafeMutablePointer<CChar>?] {
        var lines: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let line = next.pointee {
            let name = String(decoding: UnsafeRawBufferPointer(start: line, count: strcspn(line, "=")), as: UTF8.self)
            if !names.keys.contains(name) { lines.append(strdup(line)) }
            next += 1
        }
        return lines
    }
}
