// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.supervised) struct CATests {
    @Test func `ca prints the path of the certificate alone, and the certificate itself`() async throws {
        let state = try TemporaryDirectory()
        let path = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await path.exitCode() == 0)
        #expect(path.output == "\(state.path)/mockapi/ca.pem\n")
        #expect(path.errors.isEmpty)
        let pem = try Command(["ca", "--pem"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await pem.exitCode() == 0)
        #expect(pem.output == (try String(contentsOfFile: "\(state.path)/mockapi/ca.pem", encoding: .utf8)))
    }

    @Test func `without a state directory of its own it is below the home`() async throws {
        let home = try TemporaryDirectory()
        let command = try Command(["ca"], environment: ["HOME": home.path, "XDG_STATE_HOME": ""])
        #expect(try await command.exitCode() == 0)
        #expect(command.output == "\(home.path)/.local/state/mockapi/ca.pem\n")
    }

    @Test func `a directory that cannot be made is told`() async throws {
        let state = try TemporaryDirectory(["mockapi": "a file"])
        let command = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await command.exitCode() == 4)
        #expect(command.errors == "error: \(state.path)/mockapi is not a directory\n")
    }

    @Test func `a directory that others can write to is refused`() async throws {
        let state = try TemporaryDirectory()
        state.makeFolder("mockapi")
        for mode: mode_t in [0o777, 0o775, 0o757, 0o1777] {
            #expect(chmod(state.path + "/mockapi", mode) == 0)
            let command = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
            #expect(try await command.exitCode() == 4)
            #expect(
                command.errors == """
                    error: others can write to \(state.path)/mockapi, and put an authority of theirs there: chmod go-w it; \
                    XDG_STATE_HOME chooses another place

                    """)
        }
        #expect(state.snapshot().isEmpty)
        #expect(chmod(state.path + "/mockapi", 0o755) == 0)
        #expect(chmod(state.path, 0o777) == 0)
        let command = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await command.exitCode() == 4)
        #expect(
            command.errors
                == "error: others can replace what is in \(state.path), the authority too; XDG_STATE_HOME chooses another place\n"
        )
        #expect(chmod(state.path, 0o1777) == 0)
        #expect(try await Command(["ca"], environment: ["XDG_STATE_HOME": state.path]).exitCode() == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `a directory of another user is refused`() async throws {
        let state = try TemporaryDirectory()
        state.makeFolder("mockapi")
        #expect(chown(state.path + "/mockapi", 65_534, 65_534) == 0)
        let command = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await command.exitCode() == 4)
        #expect(
            command.errors == """
                error: \(state.path)/mockapi belongs to another user, who could put an authority of theirs there; \
                XDG_STATE_HOME chooses another place

                """)
    }

    @Test func `the key is its owner's alone, whatever stood in its way`() async throws {
        let state = try TemporaryDirectory(["mockapi/ca-key.pem.new": "", "elsewhere": "mine"])
        #expect(chmod(state.path + "/mockapi/ca-key.pem.new", 0o666) == 0)
        try state.link("mockapi/ca.pem.new", to: state.path + "/elsewhere")
        let ca = { try await Command(["ca"], environment: ["XDG_STATE_HOME": state.path]).exitCode() }
        #expect(try await ca() == 0)
        var status = stat()
        #expect(stat(state.path + "/mockapi/ca-key.pem", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(state.text("elsewhere") == "mine")
        // A key that was open to others is closed.
        #expect(chmod(state.path + "/mockapi/ca-key.pem", 0o666) == 0)
        #expect(try await ca() == 0)
        #expect(stat(state.path + "/mockapi/ca-key.pem", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let names = state.snapshot().keys.sorted()
        #expect(
            names == [
                "elsewhere", "mockapi/ca-key.pem", "mockapi/ca-key.pem.new", "mockapi/ca.pem", "mockapi/ca.pem.new",
                "mockapi/lock",
            ])
    }

    @Test func `a certificate and a key that do not belong together are told`() async throws {
        let states = [try TemporaryDirectory(), try TemporaryDirectory()]
        for state in states {
            #expect(try await Command(["ca"], environment: ["XDG_STATE_HOME": state.path]).exitCode() == 0)
        }
        let (path, other) = (states[0].path + "/mockapi", states[1])
        try states[0].write("mockapi/ca-key.pem", other.bytes("mockapi/ca-key.pem"))
        let command = try Command(["ca"], environment: ["XDG_STATE_HOME": states[0].path])
        #expect(try await command.exitCode() == 4)
        #expect(
            command.errors
                == "error: \(path)/ca.pem and \(path)/ca-key.pem do not belong together; remove both, and they are made again\n"
        )
    }

    @Test(arguments: [
        (["--tls-cert", "a.pem"], "--tls-cert and --tls-key are given together or not at all"),
        (
            ["--no-tls", "--client-ca", "a"],
            "--no-tls does not go with --tls-cert, --tls-key, --tls-name and --client-ca"
        ),
    ])
    func `serve says which of its TLS options do not go together`(options: [String], text: String) async throws {
        let result = try await Command.run(["serve", "."] + options)
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("error: \(text)\n"))
    }

    @Test func `serve names a certificate that cannot be used before it listens`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let result = try await Command.run([
            "serve", directory.path, "--port", "0", "--tls-cert", "/none.pem", "--tls-key", "/none.key",
        ])
        #expect(result.code == 4 && result.output.isEmpty)
        #expect(result.errors == "error: the certificate /none.pem cannot be read: No such file or directory\n")
    }

    @Test func `request lines name protocol, TLS version, connection and stream`() async throws {
        let state = try TemporaryDirectory()
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--log-format", "text"],
            environment: ["XDG_STATE_HOME": state.path])
        let port = try await command.port()
        #expect(try FrameClient(port: port).get("/a.txt").text == "a")
        #expect(try await until({ command.errors }, { $0.hasSuffix("   a.txt   HTTP/2.0 c1 s1\n") }))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }
}
