// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import TestSupport
import Testing
import WireSupport

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
        #expect(command.errors == "error: \(state.path)/mockapi/lock cannot be locked: Not a directory\n")
    }

    @Test(arguments: [
        (["--tls-cert", "a.pem"], "--tls-cert and --tls-key are given together or not at all"),
        (["--no-tls", "--client-ca", "a"], "--no-tls does not go with --tls-cert, --tls-key and --client-ca"),
    ])
    func `serve says which of its TLS options do not go together`(options: [String], text: String) async throws {
        let result = try await Command.run(["serve", "."] + options)
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("Error: \(text)\n"))
    }

    @Test func `serve names a certificate that cannot be used before it listens`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let result = try await Command.run([
            "serve", directory.path, "--port", "0", "--tls-cert", "/none.pem", "--tls-key", "/none.key",
        ])
        #expect(result.code == 4 && result.output.isEmpty)
        #expect(result.errors.contains("error: --tls-cert /none.pem is no certificate in PEM, or cannot be read"))
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
