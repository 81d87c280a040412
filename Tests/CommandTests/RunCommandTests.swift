// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a command behind `--` is given, and how it ends.
@Suite(.supervised) struct RunCommandTests {
    /// A script of a shell runs `record` itself: words that are not UTF-8 cannot come from here.
    private static func shell(_ script: String, _ into: TemporaryDirectory) throws -> Command {
        try Command(line: ["/bin/sh", "-c", script, try Command.executable("mockapi"), into.path])
    }

    @Test func `arguments and environment reach the command byte for byte`() async throws {
        let into = try TemporaryDirectory()
        let command = try Self.shell(
            #"""
            word=$(printf 'gr\366\337e'); VALUE=$word; export VALUE
            exec "$0" record http://127.0.0.1:1 --into "$1/f" -- \
                sh -c 'printf %s "$0" "$1" "$VALUE" > "$2"' "$word" '' "$1/seen"
            """#, into)
        #expect(try await command.exitCode() == 0, "\(command.errors)")
        let word: [UInt8] = [0x67, 0x72, 0xF6, 0xDF, 0x65]
        #expect(into.bytes("seen") == word + word)
    }

    @Test(arguments: [
        ["run"], ["run", "--fault", "500"], ["run", "--expect", "none.json"], ["needs", "--max-runs", "3"],
    ])
    func `a log of JSON is JSON to the last line of a verdict`(arguments: [String]) async throws {
        let into = try TemporaryDirectory([
            "a.json": "{}", "b.stub.json": #"{"request": {}, "response": {}, "priorty": 1}"#,
        ])
        var words = arguments
        words.insert(into.path, at: 1)
        let end = try await Command.run(
            words + [
                "--log-format", "json", "--lenient", "--", "sh", "-c", "curl -s {url}/a {url}/none >/dev/null 2>&1",
            ])
        let lines = end.errors.split(separator: "\n").map(String.init)
        #expect(lines.count >= (arguments == ["run"] ? 3 : 1), "\(end.errors)")
        for line in lines { #expect(throws: Never.self, "\(line)") { try JSONParser.parse(line) } }
    }

    @Test func `SIGTERM reaches what the command has started`() async throws {
        let into = try TemporaryDirectory()
        // Without a terminal, as in CI; the grandchild outlives its parent unless it is told to end, too.
        let command = try Self.shell(
            #"""
            exec setsid "$0" record http://127.0.0.1:1 --into "$1/f" -- \
                sh -c 'sleep 600 & echo $! > "$0.new"; mv "$0.new" "$0"; wait' "$1/pid"
            """#, into)
        #expect(try await until({ into.text("pid") }, { !$0.isEmpty }))
        let grandchild = try #require(pid_t(into.text("pid").dropLast()))
        #expect(kill(grandchild, 0) == 0)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 128 + SIGTERM)
        #expect(try await until({ Self.hasEnded(grandchild) }, is: true))
    }

    /// Whether a process is gone, or waits for nothing but that somebody asks how it ended.
    private static func hasEnded(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text[..<count], as: UTF8.self).contains(") Z ")
    }
}
