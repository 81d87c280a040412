// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Commands whose output goes to a pipe that is full, since nobody reads it.
@Suite(.supervised) struct UnreadOutputTests {
    /// A command one of whose streams is a named pipe that it holds open itself, so that it is never closed.
    private static func start(_ arguments: [String], unread stream: Int, _ pipe: String) throws -> Command {
        let script = #"mkfifo "$0" && exec "$@" \#(stream)<>"$0""#
        return try Command(line: ["/bin/sh", "-c", script, pipe, try Command.executable("mockapi")] + arguments)
    }

    @Test func `serve answers on where nobody reads its log, and ends when it is told to`() async throws {
        let directory = try TemporaryDirectory(["fixtures/a.txt": "hello"])
        let command = try Self.start(
            ["serve", directory.path + "/fixtures", "--port", "0", "--log-format", "json"], unread: 2,
            directory.path + "/err")
        let port = try await command.port()
        // 280 bytes each: nine pipes of 64 KiB.
        let answered = try await blocking {
            let client = try WireClient(port: port)
            return try (0..<2_000).count { _ in try client.request("GET", "/a.txt").text == "hello" }
        }
        #expect(answered == 2_000)
        #expect(try WireClient(port: port).request("GET", "/__admin/health").status == 200)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `record passes on where nobody reads its lines, and ends when it is told to`() async throws {
        let service = try TemporaryDirectory(["a.txt": "hello"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let directory = try TemporaryDirectory()
        let command = try Self.start(
            ["record", url, "--port", "0", "--into", directory.path + "/fixtures"], unread: 1, directory.path + "/out")
        let port = try await Self.port(announcedIn: directory.path + "/out")
        // 70 bytes each: more than a pipe of 64 KiB.
        let answered = try await blocking {
            let client = try WireClient(port: port)
            return try (0..<1_200).count { _ in try client.request("GET", "/a.txt").text == "hello" }
        }
        #expect(answered == 1_200)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        withExtendedLifetime(upstream) {}
    }

    /// The port in the first line that comes through a pipe; nothing else is read of it.
    private static func port(announcedIn pipe: String) async throws -> Int {
        var reader: Int32 = -1
        #expect(
            try await until(
                {
                    reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                    return reader
                }, { $0 >= 0 }))
        defer { close(reader) }
        var line = ""
        #expect(
            try await until(
                {
                    var byte: UInt8 = 0
                    while !line.hasSuffix("\n"), read(reader, &byte, 1) == 1 { line.unicodeScalars.append(.init(byte)) }
                    return line
                }, { $0.hasSuffix("\n") }))
        return try #require(line.split(separator: ":").last.flatMap { Int($0.dropLast()) })
    }

    @Test func `a second signal ends the process at once`() async throws {
        let directory = try TemporaryDirectory([
            "slow.stub.json": #"{"response": {"body": "done", "fixedDelayMilliseconds": 600000}}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--grace", "600s"])
        let port = try await command.port()
        let client = try WireClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let other = try WireClient(port: port)
        #expect(
            try await until({ try other.request("GET", "/__admin/requests").text }, { $0.contains("\"url\"") }))
        command.send(SIGTERM)
        // No more connections are taken: the first signal has been heard.
        #expect(try await until({ try? WireClient(port: port) }, { $0 == nil }))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 128 + SIGTERM)
    }

    #if os(Linux)
        @Test func `a second signal ends the first process of a container at once`() async throws {
            // Without the right to make a namespace there is no such process to be tried.
            let trial = try Command(line: ["/usr/bin/unshare", "--pid", "--fork", "/bin/true"])
            guard (try? await trial.exitCode()) == 0 else { return }
            let directory = try TemporaryDirectory([
                "slow.stub.json": #"{"response": {"body": "done", "fixedDelayMilliseconds": 600000}}"#
            ])
            let command = try Command(
                line: [
                    "/usr/bin/unshare", "--pid", "--fork", "--kill-child", try Command.executable("mockapi"), "serve",
                    directory.path, "--port", "0", "--grace", "600s",
                ])
            let port = try await command.port()
            let client = try WireClient(port: port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let other = try WireClient(port: port)
            #expect(
                try await until({ try other.request("GET", "/__admin/requests").text }, { $0.contains("\"url\"") }))
            let first = try #require(Self.child(of: command.process))
            kill(first, SIGTERM)
            #expect(try await until({ try? WireClient(port: port) }, { $0 == nil }))
            kill(first, SIGTERM)
            #expect(try await command.exitCode() == 128 + SIGTERM)
        }

        /// The only child of a process.
        private static func child(of process: pid_t) -> pid_t? {
            guard let file = fopen("/proc/\(process)/task/\(process)/children", "r") else { return nil }
            defer { fclose(file) }
            var text = [UInt8](repeating: 0, count: 64)
            let count = fread(&text, 1, text.count, file)
            return String(decoding: text[..<count], as: UTF8.self).split(separator: " ").first.flatMap { pid_t($0) }
        }
    #endif

    @Test func `closed standard descriptors are taken by nothing else`() async throws {
        let directory = try TemporaryDirectory(["fixtures/a.txt": "hello"])
        let pipe = directory.path + "/out"
        // Standard output is a pipe, so that the port can be read; the other two are closed.
        let command = try Command(
            line: [
                "/bin/sh", "-c", #"mkfifo "$0" && exec "$@" 1<>"$0" <&- 2>&-"#, pipe,
                try Command.executable("mockapi"), "serve", directory.path + "/fixtures", "--port", "0",
                "--log-format", "text",
            ])
        let port = try await Self.port(announcedIn: pipe)
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "hello")
        #if os(Linux)
            for descriptor in [0, 2] {
                var target = [UInt8](repeating: 0, count: 256)
                let count = readlink("/proc/\(command.process)/fd/\(descriptor)", &target, target.count)
                #expect(String(decoding: target.prefix(max(0, count)), as: UTF8.self) == "/dev/null")
            }
        #endif
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }
}
