// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What a person sees who types: colours, help in two lengths, the page that is opened.
@Suite(.supervised) struct TerminalLookTests {
    #if os(Linux)
        @Test func `the sign of a finding has its colour on a terminal, and in a pipe none`() async throws {
            let old = try TemporaryDirectory(["a.json": #"{"id": 1, "name": "Ann"}"#])
            let new = try TemporaryDirectory(["a.json": #"{"id": 1}"#])
            let mockapi = try Command.executable("mockapi")
            let line = "\(mockapi) diff \(old.path) \(new.path)"
            let terminal = try Command(
                line: ["/usr/bin/script", "-q", "-f", "-e", "-c", line, "/dev/null"],
                environment: ["TERM": "xterm", "NO_COLOR": ""])
            #expect(try await terminal.exitCode() == 1)
            #expect(terminal.output.contains("\u{1B}[31m  ✗ \u{1B}[0ma.json"))
            for (force, isColored) in [("", false), ("0", false), ("1", true)] {
                let piped = try Command(
                    ["diff", old.path, new.path], environment: ["NO_COLOR": "", "FORCE_COLOR": force])
                #expect(try await piped.exitCode() == 1)
                #expect(piped.output.contains("\u{1B}[31m  ✗ \u{1B}[0ma.json") == isColored)
                #expect(piped.output.contains("\u{1B}") == isColored)
            }
            // What was asked for by both is asked for by neither.
            let both = try Command(
                ["diff", old.path, new.path], environment: ["NO_COLOR": "1", "FORCE_COLOR": "1"])
            #expect(try await both.exitCode() == 1)
            #expect(!both.output.contains("\u{1B}"))
        }

        @Test(arguments: ["packaging/build", "packaging/prove", "packaging/release", "docker/build", "docker/prove"])
        func `a script of a release prints its help, and makes nothing`(script: String) async throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path
            let folder = try TemporaryDirectory([:])
            let line = "cd '\(folder.path)' && exec '\(root)/\(script)' --help"
            let help = try await Command(line: ["/bin/sh", "-c", line]).end()
            #expect(help.code == 0, "\(help)")
            #expect(help.output.contains("\n    \(script)"), "\(help.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            #expect(!FileManager.default.fileExists(atPath: root + "/--help"))
        }

        @Test func `the page that lists what is served is opened`() async throws {
            let folder = try TemporaryDirectory(["Fixtures/a.txt": "a"])
            let opener = "\(folder.path)/xdg-open"
            try Data(
                "#!/bin/sh\necho \"$1\" >'\(folder.path)/opened.part'\nmv '\(folder.path)/opened.part' '\(folder.path)/opened'\n"
                    .utf8
            )
            .write(to: URL(fileURLWithPath: opener))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
            let server = try Command(
                ["serve", "\(folder.path)/Fixtures", "--port", "0", "--open"],
                environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
            let port = try await server.port()
            let opened = { (try? String(contentsOfFile: "\(folder.path)/opened", encoding: .utf8)) ?? "" }
            #expect(try await until(opened) { !$0.isEmpty })
            #expect(opened() == "http://127.0.0.1:\(port)\n")
        }

        @Test func `a page that cannot be opened is named, and the server serves`() async throws {
            let folder = try TemporaryDirectory(["a.txt": "a"])
            let server = try Command(
                ["serve", folder.path, "--port", "0", "--open"], environment: ["PATH": folder.path])
            let port = try await server.port()
            let text =
                "error: xdg-open cannot be run: No such file or directory; open http://127.0.0.1:\(port) yourself\n"
            #expect(try await until({ server.errors }) { $0.contains(text) })
        }
    #endif

    @Test func `help begins with examples, and has the rarer options where all are asked for`() async throws {
        let short = try await Command.run("serve", "--help")
        let long = try await Command.run("serve", "--help-all")
        #expect(
            short.output.hasPrefix(
                """
                OVERVIEW: Serve fixtures over HTTP.

                  mockapi Fixtures                         serve a directory on port 8080
                  mockapi serve Fixtures -p 3000 --cors    let pages of other origins read it

                """))
        for heading in ["FIXTURES:", "SERVER:", "RESPONSES:", "TLS AND HTTP/2:", "RECORDING:", "OPTIONS:"] {
            #expect(short.output.contains("\n\(heading)\n"))
        }
        #expect(!short.output.contains("--max-connections"))
        #expect(long.output.contains("\nLIMITS:\n"))
        #expect(long.output.contains("--max-connections"))
        #expect(long.output.contains("--redact <path>"))
    }

    @Test(arguments: [
        "serve", "run", "needs", "record", "verify", "diff", "check", "schema", "contract", "init", "health",
    ])
    func `the page of options names each option of a command`(command: String) async throws {
        let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs")
        let pages = ["options.md", "run.md", "needs.md", "verify.md", "contract.md"]
        let page = try pages.map { try String(contentsOf: docs.appendingPathComponent($0), encoding: .utf8) }.joined()
        let dump = try await Command.run(command, "--experimental-dump-help")
        let options = try #require(try JSONParser.parse(dump.output)["command"]?["arguments"]?.array)
        let spellings = options.flatMap { $0["names"]?.array ?? [] }
        let names = spellings.filter { $0["kind"]?.string == "long" }.compactMap { $0["name"]?.string }
        #expect(!names.isEmpty)
        #expect(names.filter { !page.contains("--\($0)") && !["help", "version"].contains($0) } == [])
    }
}
