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

/// A handshake that a client breaks off is one line that says so and what to do.
@Suite(.supervised) struct HandshakeLogTests {
    private func serving(
        _ options: [String] = [], lines: Int = 1,
        _ body: (_ port: Int, _ authority: String, _ state: TemporaryDirectory) async throws -> Void
    ) async throws -> [String] {
        let state = try TemporaryDirectory(["fixtures/a.txt": "a"])
        let command = try Command(
            ["serve", state.path + "/fixtures", "--port", "0"] + options, environment: ["XDG_STATE_HOME": state.path])
        let ca = try Command(["ca"], environment: ["XDG_STATE_HOME": state.path])
        #expect(try await ca.exitCode() == 0)
        try await body(try await command.port(), state.path + "/mockapi/ca.pem", state)
        #expect(
            try await until({ command.errors }) { $0.split(separator: "\n").count > lines })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        return command.errors.split(separator: "\n").dropFirst().map(String.init)
    }

    private func openssl(_ port: Int, _ options: [String]) async throws {
        let client = try Command(
            line: ["/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(port)"] + options, input: "")
        try await client.ended()
    }

    private func curl(_ arguments: [String]) throws -> Command {
        try Command(line: ["/usr/bin/curl", "--silent", "--noproxy", "*", "--max-time", "60"] + arguments)
    }

    /// The words behind `failed: `.
    private func reasons(_ lines: [String]) -> [String] {
        lines.map { line in
            let text = LogLine(line).text
            guard LogLine(line).hasTime, text.hasPrefix("TLS handshake of 127.0.0.1:"),
                let start = text.firstRange(of: " failed: ")
            else { return line }
            return text[start.upperBound...].split(separator: "   ").first.map(String.init) ?? ""
        }
    }

    @Test func `a client that does not trust the authority is told what to trust`() async throws {
        let lines = try await serving { port, _, _ in
            // It has the system's authorities, of which ours is none.
            let client = try curl(["https://localhost:\(port)/a.txt"])
            #expect(try await client.exitCode() == 60)
        }
        #expect(
            reasons(lines) == [
                "the client does not trust the certificate (unknown_ca): have it trust the file that mockapi ca prints"
            ])
    }

    @Test func `a name that the certificate lacks is told with the option that adds it`() async throws {
        let lines = try await serving { port, authority, _ in
            try await openssl(
                port,
                [
                    "-verify_return_error", "-CAfile", authority, "-servername", "mac.test", "-verify_hostname",
                    "mac.test",
                ])
        }
        #expect(
            reasons(lines) == [
                "the client does not accept the certificate (bad_certificate): have it trust the file that mockapi ca prints, "
                    + "or the certificate lacks the name mac.test that it asks for: serve with --tls-name mac.test"
            ])
    }

    @Test func `a client that looks for the name later goes away without a request`() async throws {
        let lines = try await serving { port, authority, _ in
            let client = try curl(
                ["--cacert", authority, "--connect-to", "::127.0.0.1:\(port)", "https://mac.test/"])
            #expect(try await client.exitCode() == 60)
        }
        // libcurl has OpenSSL compare the name in some versions, and compares it itself in others.
        let reason = try #require(reasons(lines).first)
        #expect(lines.count == 1)
        #expect(reason.contains("the certificate lacks the name mac.test"), "\(reason)")
    }

    @Test func `a client of an older TLS, and one that goes away in the middle, are told`() async throws {
        let lines = try await serving(lines: 2) { port, _, _ in
            try await openssl(port, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
            let client = try WireClient(port: port)
            // A record that announces more than comes.
            try client.send([0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3])
            client.close()
        }
        #expect(
            reasons(lines).sorted() == [
                "the client closed the connection in the middle of it; one that does not trust the certificate does so: "
                    + "have it trust the file that mockapi ca prints",
                "the client speaks neither TLS 1.2 nor 1.3",
            ])
    }

    @Test func `a line of JSON is an object of its own`() async throws {
        let lines = try await serving(["--log-format", "json"]) { port, _, _ in
            // It has the system's authorities, of which ours is none.
            let client = try curl(["https://localhost:\(port)/a.txt"])
            #expect(try await client.exitCode() == 60)
        }
        let node = try JSONParser.parse(try #require(lines.first))
        #expect(node["event"]?.string == "handshake failed")
        #expect(node["explanation"]?.string?.contains("(unknown_ca)") == true)
    }

    @Test func `a request by TLS, and a connection without one, leave no line`() async throws {
        let lines = try await serving { port, authority, _ in
            let client = try curl(["--cacert", authority, "https://localhost:\(port)/a.txt"])
            #expect(try await client.exitCode() == 0)
            try WireClient(port: port).close()
            _ = try WireClient(port: port).request("GET", "/none")
        }
        #expect(lines.count == 1 && lines[0].contains("GET /none"), "\(lines)")
    }
}
