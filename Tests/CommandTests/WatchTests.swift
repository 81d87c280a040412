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

@Suite(.supervised) struct WatchTests {
    private func stub(_ body: String) -> String {
        #"{"request": {"urlPath": "/a"}, "response": {"body": "\#(body)"}}"#
    }

    @Test func `a change is served, a broken edit leaves the last good set, a mended one is served`() async throws {
        let directory = try TemporaryDirectory(["a.stub.json": stub("one")])
        let command = try Command(["serve", directory.path, "--port", "0", "--watch"])
        let client = try WireClient(port: try await command.port())
        let answer = { try client.request("GET", "/a").text }
        #expect(try answer() == "one")

        try directory.write("a.stub.json", stub("two"))
        #expect(try await until({ try answer() }, is: "two"))

        try directory.write("a.stub.json", #"{"request": {"urlPat": "/a"}, "response": {"body": "three"}}"#)
        #expect(
            try await until({ command.errors }) {
                $0.hasSuffix("  the earlier fixtures are served until these findings are mended\n")
            })
        #expect(
            command.errors.contains(
                #"a.stub.json:1:14: error: unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)"#))
        #expect(try answer() == "two")

        try directory.write("a.stub.json", stub("four"))
        #expect(try await until({ try answer() }, is: "four"))
        #expect(try await until({ command.errors }, { $0.hasSuffix("  reloaded: 1 stub, 0 files, 0 findings\n") }))

        // A folder that was not there before is watched too.
        try directory.write("new/folder/b.txt", "b")
        #expect(try await until({ try client.request("GET", "/new/folder/b.txt").text }, is: "b"))
        try directory.write("new/folder/b.txt", "changed")
        #expect(try await until({ try client.request("GET", "/new/folder/b.txt").text }, is: "changed"))
        directory.remove("new")
        #expect(try await until({ try client.request("GET", "/new/folder/b.txt").status }, is: 404))

        #expect(command.output.split(separator: "\n").count == 1)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    /// A server with `--watch` of a directory in another one, and a client of it.
    private func watching(
        _ files: KeyValuePairs<String, String>, _ name: String,
        _ prepare: (TemporaryDirectory) throws -> Void = { _ in }
    ) async throws -> (directory: TemporaryDirectory, command: Command, answer: () throws -> String) {
        let directory = try TemporaryDirectory(files)
        try prepare(directory)
        let command = try Command(["serve", "\(directory.path)/\(name)", "--port", "0", "--watch"])
        let client = try WireClient(port: try await command.port())
        return (directory, command, { try client.request("GET", "/a.txt").text })
    }

    @Test func `a directory is watched whatever its name is`() async throws {
        let (directory, command, answer) = try await watching(["#1 é %20/a?/a.txt": "one"], "#1 é %20/a?")
        #expect(try answer() == "one")
        try directory.write("#1 é %20/a?/a.txt", "two")
        #expect(try await until({ try answer() }, is: "two"))
        withExtendedLifetime(command) {}
    }

    @Test func `a directory that is taken away leaves the last good set, and is served once it is back`() async throws {
        let (directory, command, answer) = try await watching(["fixtures/a.txt": "one"], "fixtures")
        #expect(try answer() == "one")
        directory.remove("fixtures")
        #expect(
            try await until({ command.errors }) {
                $0.hasSuffix(
                    "error: the fixture directory \(directory.path)/fixtures does not exist; the earlier fixtures are still served\n"
                )
            })
        #expect(try answer() == "one")
        try directory.write("fixtures/a.txt", "two")
        #expect(try await until({ try answer() }, is: "two"))
        try directory.write("fixtures/a.txt", "three")
        #expect(try await until({ try answer() }, is: "three"))
    }

    @Test func `a directory that is replaced by another is watched in its place`() async throws {
        let (directory, command, answer) = try await watching(
            ["fixtures/a.txt": "one", "new/a.txt": "two"], "fixtures/")
        #expect(rename(directory.path + "/fixtures", directory.path + "/old") == 0)
        #expect(rename(directory.path + "/new", directory.path + "/fixtures") == 0)
        #expect(try await until({ try answer() }, is: "two"))
        try directory.write("fixtures/a.txt", "three")
        #expect(try await until({ try answer() }, is: "three"))
        withExtendedLifetime(command) {}
    }

    @Test func `a symbolic link that is switched, itself or on the way, is followed`() async throws {
        let files: KeyValuePairs = [
            "1/a/fixtures/a.txt": "one", "2/a/fixtures/a.txt": "two", "3/fixtures/a.txt": "three",
        ]
        let (directory, command, answer) = try await watching(files, "current/fixtures") { directory in
            try directory.link("release", to: "1")
            try directory.link("current", to: directory.path + "/release/a")
        }
        #expect(try answer() == "one")
        try directory.link("next", to: "2")
        #expect(rename(directory.path + "/next", directory.path + "/release") == 0)
        #expect(try await until({ try answer() }, is: "two"))
        try directory.link("next", to: "3")
        #expect(rename(directory.path + "/next", directory.path + "/current") == 0)
        #expect(try await until({ try answer() }, is: "three"))
        try directory.write("3/fixtures/a.txt", "four")
        #expect(try await until({ try answer() }, is: "four"))
        withExtendedLifetime(command) {}
    }

    #if os(Linux)
        @Test(.enabled(if: Self.canLimitWatches))
        func `a system without watches left is told`() async throws {
            let directory = try TemporaryDirectory(["fixtures/a.txt": "a", "fixtures/b/c/d/e.txt": "e"])
            let command = try Command(
                line: ["/usr/bin/unshare", "-Ur", "/bin/sh", "-c"] + [
                    #"echo 3 > /proc/sys/user/max_inotify_watches; exec "$0" "$@""#, try Command.executable("mockapi"),
                    "serve", directory.path + "/fixtures", "--port", "0", "--watch",
                ])
            #expect(try WireClient(port: try await command.port()).request("GET", "/b/c/d/e.txt").text == "e")
            #expect(
                try await until({ command.errors }) {
                    $0.contains(
                        "error: not every change of the fixtures will be seen: No space left on device; raise fs.inotify.max_user_watches\n"
                    )
                })
        }

        /// Whether this machine lets a program have a limit of its own.
        private static let canLimitWatches: Bool = {
            let script = "echo 3 > /proc/sys/user/max_inotify_watches"
            guard let command = try? Command(line: ["/usr/bin/unshare", "-Ur", "/bin/sh", "-c", script]) else {
                return false
            }
            command.waitForEnd()
            return command.errors.isEmpty
        }()
    #endif
}
