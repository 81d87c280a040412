// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What `waitpid` said of a program's end, once a thread that waits for nothing else has heard of it.
private final class Ending: Sendable {
    private let status = Mutex<Int32?>(nil)
    private let group = DispatchGroup()

    init(of process: pid_t) {
        group.enter()
        BlockingThreads.startThread { [self] in
            // It keeps its process id until the status is set, so that no signal meets another program.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            status.withLock { status in
                var code: Int32 = 0
                waitpid(process, &code, 0)
                status = code
            }
            group.leave()
        }
    }

    var value: Int32? { status.withLock { $0 } }

    func send(_ signal: Int32, to process: pid_t) {
        status.withLock { if $0 == nil { kill(process, signal) } }
    }

    /// Blocks until the end.
    func wait() {
        group.wait()
    }

    /// - Returns: nil if it has not ended within four minutes.
    func withinFourMinutes() async -> Int32? {
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            group.notify(queue: .global()) { [self] in once.resume(value) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 240) { once.resume(nil) }
        }
    }

    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Int32?, Never>?>

        init(_ continuation: CheckedContinuation<Int32?, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume(_ value: Int32?) {
            continuation.withLock { $0.take() }?.resume(returning: value)
        }
    }
}

/// A program, run once; ended by its process id when the last reference goes.
///
/// Its two streams go to files, which can be read at any time and never fill up.
package final class Command {
    private let identifier: pid_t
    /// The process, to be signalled from a thread of its own.
    package var process: Int32 { identifier }
    private let ending: Ending
    private let directory: TemporaryDirectory

    package struct Failure: Error {
        let text: String
    }

    /// A built executable, which stands beside the test bundle.
    package static func executable(_ name: String) throws -> String {
        let folders = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for length in folders.indices.reversed().prefix(6) {
            let candidate = (folders[...length] + [name[...]]).joined(separator: "/")
            if access(candidate, X_OK) == 0 { return candidate }
        }
        throw Failure(text: "there is no \(name) beside \(CommandLine.arguments[0]): run swift build")
    }

    /// - Parameters:
    ///   - program: the name of a built executable.
    ///   - descriptors: the descriptor limit, hard and soft; nil for that of the test.
    ///   - environment: variables beside those of the test, without FORCE_COLOR and NO_COLOR.
    ///   - input: what it reads from a pipe on its standard input, 64 KiB at most; nil where there is nothing to read.
    package convenience init(
        _ arguments: [String], program: String = "mockapi", descriptors: Int? = nil,
        environment: [String: String] = [:],
        input: String? = nil
    ) throws {
        var line = [try Self.executable(program)] + arguments
        if let descriptors { line = ["/bin/sh", "-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\""] + line }
        try self.init(line: line, environment: environment, input: input)
    }

    /// The variables that decide about colours, which a program has from the test alone and never from the machine.
    private static let colorVariables = ["FORCE_COLOR", "NO_COLOR"]

    /// - Parameters:
    ///   - line: the program by its whole path, and its arguments.
    ///   - content: what it reads from a file on its standard input, as much as there is.
    package init(
        line: [String], environment: [String: String] = [:], input: String? = nil, content: [UInt8]? = nil
    ) throws {
        directory = try TemporaryDirectory(["out": "", "err": ""])
        if let content { try directory.write("content", content) }
        guard access(line[0], X_OK) == 0 else { throw Failure(text: "\(line[0]) cannot be started: error \(errno)") }
        let unset = Self.colorVariables.flatMap { ["-u", $0] }
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        identifier = try Self.spawn(["/usr/bin/env"] + unset + variables + line, input: input, in: directory.path)
        ending = Ending(of: identifier)
    }

    /// A script of Python that stands beside the test.
    package convenience init(python name: String, _ arguments: [String], beside test: String = #filePath) throws {
        let script = test.split(separator: "/", omittingEmptySubsequences: false).dropLast() + [name[...]]
        try self.init(line: ["/usr/bin/env", "python3", script.joined(separator: "/")] + arguments)
    }

    deinit {
        ending.send(SIGKILL, to: identifier)
        ending.wait()
    }

    /// Below this number all descriptors but the three are closed: 4,096, or what the system allows.
    private static let closedDescriptors = Int32(min(max(sysconf(Int32(_SC_OPEN_MAX)), 256), 4_096))

    /// Starts a program, which gets no descriptor but the three it should have: Foundation's `Process` can let one child hold what tells of
    /// the end of another.
    private static func spawn(_ line: [String], input: String?, in folder: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let reader = try input.map { try openPipe("\(folder)/in", holding: Array($0.utf8)) }
        defer { if let reader { close(reader) } }
        if let reader {
            posix_spawn_file_actions_adddup2(&actions, reader, 0)
        } else {
            let content = "\(folder)/content"
            let source = access(content, R_OK) == 0 ? content : "/dev/null"
            posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, "\(folder)/out", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "\(folder)/err", O_WRONLY, 0)
        // Sockets of URLSession, of tests that run beside this one; one that is not open is no error.
        for descriptor in 3..<Self.closedDescriptors { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, line[0], &actions, nil, &words, environ)
        guard result == 0 else { throw Failure(text: "\(line[0]) cannot be started: error \(result)") }
        return identifier
    }

    /// The end to read from of a pipe that has been written and closed, so that it holds no more than fits in it.
    ///
    /// The pipe has a name, since its ends can be opened so that a program that another test starts at this moment holds neither.
    private static func openPipe(_ path: String, holding bytes: [UInt8]) throws -> Int32 {
        guard mkfifo(path, 0o600) == 0, case let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), reader >= 0
        else {
            throw Failure(text: "no pipe: error \(errno)")
        }
        _ = fcntl(reader, F_SETFL, O_RDONLY)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        guard bytes.count <= 64 * 1024, write(writer, bytes, bytes.count) == bytes.count else {
            close(reader)
            throw Failure(text: "\(bytes.count) bytes do not fit into a pipe")
        }
        return reader
    }

    /// Whether it runs no more.
    package var hasEnded: Bool { ending.value != nil }
    package var output: String { directory.text("out") }
    package var outputBytes: [UInt8] { directory.bytes("out") }
    package var errors: String { directory.text("err") }

    package func send(_ signal: Int32) {
        ending.send(signal, to: identifier)
    }

    /// Waits for the end.
    ///
    /// - Returns: the exit code.
    package func exitCode() async throws -> Int32 {
        guard let status = await ending.withinFourMinutes() else {
            throw Failure(text: "still running: \(output)\(errors)")
        }
        // The low seven bits are the signal that ended it, the next eight the exit code.
        guard status & 0x7F == 0 else { throw Failure(text: "ended by signal \(status & 0x7F): \(errors)") }
        return status >> 8 & 0xFF
    }

    /// Blocks until the end.
    package func waitForEnd() {
        ending.wait()
    }

    /// Waits for the end, be it by a signal.
    package func ended() async throws {
        guard await ending.withinFourMinutes() != nil else {
            throw Failure(text: "still running: \(output)\(errors)")
        }
    }

    /// Waits for the line that says where the server listens.
    package func port() async throws -> Int {
        try await until({ output }, { $0.hasSuffix("\n") || hasEnded })
        let line = output.split(separator: "\n").first ?? ""
        guard let colon = line.lastIndex(of: ":"), let port = Int(line[line.index(after: colon)...]) else {
            throw Failure(text: "no port in \(output)\(errors)")
        }
        return port
    }

    /// What a program left behind.
    package typealias End = (code: Int32, output: String, errors: String)

    /// Runs mockapi to its end.
    package static func run(_ arguments: String...) async throws -> End {
        try await run(arguments)
    }

    package static func run(_ arguments: [String]) async throws -> End {
        try await Command(arguments).end()
    }

    /// Waits for the end.
    package func end() async throws -> End {
        (try await exitCode(), output, errors)
    }
}
