// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import TestSupport
import Testing
import WireSupport

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
                $0.hasSuffix("  the fixtures served before stay, until these findings are mended\n")
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

    @Test func `a directory that is taken away leaves the last good set`() async throws {
        let directory = try TemporaryDirectory(["fixtures/a.txt": "one"])
        let command = try Command(["serve", directory.path + "/fixtures", "--port", "0", "--watch"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a.txt").text == "one")
        directory.remove("fixtures")
        #expect(try await until({ command.errors }, { $0.hasSuffix("; the fixtures served before stay\n") }))
        #expect(try client.request("GET", "/a.txt").text == "one")
        try directory.write("fixtures/a.txt", "two")
        #expect(try client.request("GET", "/a.txt").text == "one")
    }
}
