// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiHTTPServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// The names that certificates have.
@Suite(.supervised) struct CertificateNameTests {
    private static let stubs = """
        {"stubs": [
          {"request": {"urlPath": "/a"}, "response": {"body": "a", "rewriteOrigins": ["https://images.example.com:8443"]},
           "recorded": {"from": "https://api.example.com"}},
          {"request": {"urlPath": "/b"}, "response": {"body": "b"}, "recorded": {"from": "http://[::1]:8080"}}
        ]}
        """

    private func curl(_ server: TestServer, _ tls: TLSDirectory, _ host: String) async throws -> Tool {
        try await Tool.curl([
            "--cacert", try tls.authority(), "--connect-to", "::127.0.0.1:\(server.port)", "https://\(host)/a",
        ])
    }

    @Test func `names that were given, the machine's and those of recordings are in the certificates`() async throws {
        let tls = try TLSDirectory()
        var settings = tls.settings
        settings.names = ["phone.test", "*.apps.test", "192.0.2.7", "2001:DB8::7", "not a name", "1.2.3"]
        let strict = settings
        let names =
            ["phone.test", "one.apps.test", "192.0.2.7", "[2001:db8::7]", "mocks", "localhost"] + Machine.names
            + ["api.example.com", "images.example.com"] + Machine.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
        try await TestServer.serving(["x.stub.json": Self.stubs]) {
            $0.tls = strict
            $0.adminHosts = ["mocks"]
        } _: { server async throws in
            for name in names {
                let answer = try await curl(server, tls, name)
                #expect(answer.text == "a", "\(name): \(answer.errors)")
            }
            #expect(try await curl(server, tls, "other.test").code == 60)
        }
    }
}

/// What is told of handshakes that come to nothing.
@Suite(.supervised) struct HandshakeTests {
    @Test func `OpenSSL's words become what has happened`() {
        #expect(HandshakeFailure.Alert(number: 48).name == "unknown_ca")
        #expect(
            HandshakeFailure.Alert(number: 42).isOfCertificate && !HandshakeFailure.Alert(number: 40).isOfCertificate)
        #expect(HandshakeFailure.Alert(number: 200).name == "alert 200")
    }
}
