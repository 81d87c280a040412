// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiHTTPServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

@Suite(.supervised) struct TLSTests {
    @Test func `the authority is made on first use, for its owner alone, and then stays`() async throws {
        let tls = try TLSDirectory()
        let first = try DevelopmentAuthority(directory: tls.directory.path + "/state")
        let again = try DevelopmentAuthority(directory: tls.directory.path + "/state")
        #expect(first.pem == again.pem)
        #expect(first.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        for name in ["ca.pem", "ca-key.pem"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: tls.directory.path + "/state/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let folder = try FileManager.default.attributesOfItem(atPath: tls.directory.path + "/state")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test func `many who come first at once get one authority`() async throws {
        let tls = try TLSDirectory()
        let path = tls.directory.path + "/state"
        let pems = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await blocking { try DevelopmentAuthority(directory: path).pem } } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(pems.count == 1)
    }

    @Test func `no file is touched before a client speaks TLS`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            #expect(try server.get("/a.txt").text == "a")
            #expect(!FileManager.default.fileExists(atPath: tls.directory.path + "/state"))
        }
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "api.example.com", "cdn.example.org", "x.localhost", "my_app.localhost",
        "my_api.example.com",
    ])
    func `the certificate is that of the host that is asked for`(host: String) async throws {
        let tls = try TLSDirectory()
        let stubs = """
            {"stubs": [
              {"request": {"host": {"equalTo": "api.example.com"}}, "response": {"body": "api"}},
              {"request": {"host": {"or": [{"equalTo": "cdn.example.org"}, {"equalTo": "my_api.example.com"}]}}, "response": {"body": "cdn"}}
            ]}
            """
        try await TestServer.serving(["x.stub.json": stubs], { $0.tls = tls.settings }) { server async throws in
            let answer = try await Tool.curl([
                "--cacert", try tls.authority(), "--connect-to", "\(host):443:127.0.0.1:\(server.port)",
                "https://\(host)/",
            ])
            #expect(answer.code == 0, "\(answer.errors)")
        }
    }

    @Test func `a host that no fixture has gets the certificate of localhost`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            let answer = try await Tool.curl([
                "--cacert", try tls.authority(), "--connect-to", "other.example:443:127.0.0.1:\(server.port)",
                "https://other.example/a.txt",
            ])
            #expect(answer.code == 60)
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a session is taken up again`(version: String) async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            let session = tls.directory.path + "/session"
            let common = ["s_client", version, "-connect", "127.0.0.1:\(server.port)", "-CAfile", try tls.authority()]
            let request = Data("GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
            // In TLS 1.3 the ticket comes behind the handshake: reading to the end sees it.
            let first = try await Tool.run("openssl", common + ["-ign_eof", "-sess_out", session], input: request)
            #expect(first.text.contains("New, TLS"), "\(first.errors)")
            let second = try await Tool.run("openssl", common + ["-ign_eof", "-sess_in", session], input: request)
            #expect(second.text.contains("Reused, TLS"), "\(second.text)")
        }
    }

    @Test func `TLS before 1-2 is refused`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            let old = try await Tool.run(
                "openssl",
                ["s_client", "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0", "-connect", "127.0.0.1:\(server.port)"])
            #expect(old.code != 0 && !old.text.contains("Cipher is ECDHE"))
            #expect(try server.get("/a.txt").text == "a")
        }
    }

    /// A key and a certificate that it signs itself, or an authority does.
    private func makeCertificate(_ directory: TemporaryDirectory, _ name: String, signedBy authority: String? = nil)
        async
        throws
    {
        var arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(directory.path)/\(name).key", "-out",
            "\(directory.path)/\(name).pem", "-days", "2",
        ]
        if let authority {
            arguments += ["-CA", "\(directory.path)/\(authority).pem", "-CAkey", "\(directory.path)/\(authority).key"]
        }
        let tool = try await Tool.run("openssl", arguments)
        guard tool.code == 0 else { throw Failure(text: tool.errors) }
    }

    private struct Failure: Error {
        let text: String
    }

    @Test func `a certificate of one's own is shown`() async throws {
        let directory = try TemporaryDirectory()
        try await makeCertificate(directory, "own")
        let own = MockServer.Configuration.TLS(
            certificate: directory.path + "/own.pem", key: directory.path + "/own.key")
        try await TestServer.serving(["a.txt": "a"], { $0.tls = own }) { server async throws in
            let answer = try await Tool.curl([
                "--cacert", directory.path + "/own.pem", "--http2", "--write-out", " %{http_version}",
                "https://localhost:\(server.port)/a.txt",
            ])
            #expect(answer.text == "a 2", "\(answer.errors)")
        }
    }

    @Test func `a client without a certificate is refused where one is asked for`() async throws {
        let tls = try TLSDirectory()
        let files = try TemporaryDirectory()
        try await makeCertificate(files, "authority")
        try await makeCertificate(files, "client", signedBy: "authority")
        try await makeCertificate(files, "stranger")
        var settings = tls.settings
        settings.clientAuthorities = files.path + "/authority.pem"
        let strict = settings
        try await TestServer.serving(["a.txt": "a"], { $0.tls = strict }) { server async throws in
            let url = "https://localhost:\(server.port)/a.txt"
            for way in ["--http1.1", "--http2"] {
                let common = ["--cacert", try tls.authority(), way]
                let known = try await Tool.curl(
                    common + ["--cert", files.path + "/client.pem", "--key", files.path + "/client.key", url])
                #expect(known.text == "a", "\(known.errors)")
                let bare = try await Tool.curl(common + [url])
                #expect(bare.code != 0 && bare.output.isEmpty)
                #expect(bare.errors.contains("certificate required"), "\(bare.errors)")
                let stranger = try await Tool.curl(
                    common + ["--cert", files.path + "/stranger.pem", "--key", files.path + "/stranger.key", url])
                #expect(stranger.code != 0 && stranger.output.isEmpty)
            }
        }
    }

    @Test func `an own certificate that has expired is told at the start`() async throws {
        let files = try TemporaryDirectory()
        try await makeCertificate(files, "own")
        let own = MockServer.Configuration.TLS(certificate: files.path + "/own.pem", key: files.path + "/own.key")
        #expect(try own.check() == nil)
        try await Tool.run(
            "openssl",
            ["req", "-new", "-key", files.path + "/own.key", "-subj", "/CN=old", "-out", files.path + "/old.csr"])
        try await Tool.run(
            "openssl",
            ["x509", "-req", "-in", files.path + "/old.csr", "-signkey", files.path + "/own.key", "-days", "-1"] + [
                "-out", files.path + "/old.pem",
            ])
        let old = MockServer.Configuration.TLS(certificate: files.path + "/old.pem", key: files.path + "/own.key")
        #expect(try old.check() == "the certificate \(files.path)/old.pem has expired: clients will refuse it")
    }

    @Test func `files that are no certificate, no key, or not of each other are told at the start`() async throws {
        let files = try TemporaryDirectory(["text": "no PEM"])
        try await makeCertificate(files, "one")
        try await makeCertificate(files, "two")
        try await Tool.run(
            "openssl",
            ["ec", "-in", files.path + "/one.key", "-aes128", "-passout", "pass:x", "-out", files.path + "/locked.key"])
        let path = files.path
        let cases: [(MockServer.Configuration.TLS, String)] = [
            (.init(certificate: path + "/none", key: path + "/one.key"), "the certificate \(path)/none"),
            (.init(certificate: path + "/text", key: path + "/one.key"), "the certificate \(path)/text"),
            (.init(certificate: path + "/one.pem", key: path + "/text"), "the private key \(path)/text"),
            (.init(certificate: path + "/one.pem", key: path + "/two.key"), "the private key \(path)/two.key"),
            (
                .init(certificate: path + "/one.pem", key: path + "/locked.key"),
                "the private key \(path)/locked.key is not in PEM without a passphrase"
            ),
            (.init(clientAuthorities: path + "/text"), "the file of client authorities \(path)/text"),
        ]
        for (settings, start) in cases {
            var configuration = MockServer.Configuration()
            configuration.tls = settings
            let error = await #expect(throws: MockServerError.self) {
                _ = try await MockServer.start(fixtures: path, configuration: configuration)
            }
            #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `a client is not let negotiate again, and the authority signs no other`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            let authority = try tls.authority()
            let tool = try await Tool.run(
                "openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost", "-tls1_2",
                    "-CAfile", authority,
                ],
                input: Data("R\n".utf8))
            #expect(tool.text.contains("Verify return code: 0 (ok)"))
            #expect((tool.text + tool.errors).contains("no renegotiation"))
            let shown = try await Tool.run(
                "openssl", ["x509", "-in", authority, "-noout", "-ext", "basicConstraints,keyUsage"])
            #expect(shown.text.contains("CA:TRUE, pathlen:0"))
            #expect(shown.text.contains("Certificate Sign, CRL Sign"))
        }
    }

    @Test func `bytes that are not TLS behind a TLS hello end that connection alone`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(["a.txt": "a"], { $0.tls = tls.settings }) { server async throws in
            let broken = try server.connect()
            try broken.send([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5, 6, 7])
            _ = try broken.remainder()
            #expect(
                try await Tool.curl(["--cacert", try tls.authority(), "https://localhost:\(server.port)/a.txt"]).text
                    == "a")
        }
    }
}
