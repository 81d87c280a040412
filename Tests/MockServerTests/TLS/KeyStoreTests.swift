// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiHTTPServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Keys and authorities in PKCS#12 and JKS.
@Suite(.supervised) struct KeyStoreTests {
    private func openssl(_ arguments: [String]) async throws {
        let tool = try await Tool.run("openssl", arguments)
        try #require(tool.code == 0, "\(tool.errors)")
    }

    /// A key and a certificate that it signs itself, or an authority does.
    private func makeCertificate(
        _ folder: String, _ name: String, signedBy authority: String? = nil, bits: Int? = nil
    ) async throws {
        let path = "\(folder)/\(name)"
        let kind = bits.map { ["rsa:\($0)"] } ?? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let signer = authority.map { ["-CA", "\(folder)/\($0).pem", "-CAkey", "\(folder)/\($0).key"] } ?? []
        try await openssl(
            ["req", "-x509", "-nodes", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
                + ["-keyout", path + ".key", "-out", path + ".pem", "-newkey"] + kind + signer)
    }

    /// A file of PKCS#12 with a key and its certificate, or with a certificate alone.
    private func makeStore(
        _ folder: String, _ name: String, hasKey: Bool = true, _ options: [String] = []
    ) async throws {
        let path = "\(folder)/\(name)"
        let content = hasKey ? ["-inkey", path + ".key"] : ["-nokeys"]
        try await openssl(
            ["pkcs12", "-export", "-in", path + ".pem", "-out", path + ".p12", "-passout", "pass:s3cret"]
                + content + options)
    }

    /// What the check of a key store at the start says.
    private func error(_ path: String, _ password: String = "s3cret") -> String? {
        var settings = MockServer.Configuration.TLS()
        settings.keyStore = .init(path: path, password: password)
        do throws(MockServerError) {
            _ = try settings.check()
            return nil
        } catch {
            return error.description
        }
    }

    private func way(_ path: String) -> String {
        "; this makes one that is read: keytool -importkeystore -srckeystore \(path) -destkeystore store.p12 -deststoretype pkcs12"
    }

    @Test func `a key store has the server's key, and another the authorities of its clients`() async throws {
        let files = try TemporaryDirectory()
        for name in ["own", "authority"] { try await makeCertificate(files.path, name) }
        try await makeCertificate(files.path, "client", signedBy: "authority")
        try await makeStore(files.path, "own")
        try await makeStore(files.path, "authority", hasKey: false)
        var settings = MockServer.Configuration.TLS()
        settings.keyStore = .init(path: files.path + "/own.p12", password: "s3cret")
        #expect(try settings.check() == nil)
        settings.trustStore = .init(path: files.path + "/authority.p12", password: "s3cret")
        let strict = settings
        try await TestServer.serving(["a.txt": "a"], { $0.tls = strict }) { server async throws in
            let common = ["--cacert", files.path + "/own.pem", "https://localhost:\(server.port)/a.txt"]
            let known = try await Tool.curl(
                common + ["--cert", files.path + "/client.pem", "--key", files.path + "/client.key"])
            #expect(known.text == "a", "\(known.errors)")
            let bare = try await Tool.curl(common)
            #expect(bare.code != 0 && bare.errors.contains("certificate required"), "\(bare.errors)")
        }
    }

    @Test func `a key store that cannot be read is reported at the start, with the way out`() async throws {
        let files = try TemporaryDirectory(["text": "no store", "bytes": "\u{1}", "empty": ""])
        try files.write("jceks", [0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2] as [UInt8])
        let path = files.path
        #expect(mkfifo(path + "/pipe", 0o600) == 0)
        try files.write("large", "")
        #expect(truncate(path + "/large", 16 * 1024 * 1024 + 1) == 0)
        try await makeCertificate(path, "own")
        try await makeStore(path, "own")
        for (name, text) in [
            ("none", "cannot be read: No such file or directory"), ("pipe", "cannot be read: it is not a regular file"),
            ("large", "has more than 16777216 bytes"),
        ] { #expect(error(path + "/" + name) == "the key store \(path)/\(name) \(text)") }
        for name in ["text", "bytes", "empty"] {
            #expect(
                error(path + "/" + name)?.hasPrefix("the key store \(path)/\(name) is not in PKCS#12 or JKS") == true)
        }
        let cause = "is in JCEKS, not in PKCS#12 or JKS"
        #expect(error(path + "/jceks") == "the key store \(path)/jceks \(cause)\(way(path + "/jceks"))")
        #expect(error(path + "/own.p12", "other") == "the key store \(path)/own.p12 has another password")
    }

    @Test func `a key store in an old cipher is read if OpenSSL has that, and told from one with another password`()
        async throws
    {
        let files = try TemporaryDirectory()
        let path = files.path
        let old = try await Tool.run("openssl", ["list", "-providers", "-provider", "legacy"])
        if old.code != 0 { try Test.cancel("this openssl cannot write old ciphers") }
        try await makeCertificate(path, "own")
        try await makeStore(path, "own", ["-legacy"])
        #expect(error(path + "/own.p12") == nil)
        #expect(error(path + "/own.p12", "other") == "the key store \(path)/own.p12 has another password")
    }

    @Test func `a certificate of the chain that OpenSSL refuses is not left out`() async throws {
        let files = try TemporaryDirectory()
        try await makeCertificate(files.path, "weak", bits: 512)
        try await makeCertificate(files.path, "own", signedBy: "weak")
        try await makeStore(files.path, "own", ["-certfile", files.path + "/weak.pem"])
        let text = "a certificate of the key store \(files.path)/own.p12 cannot be used"
        #expect(error(files.path + "/own.p12")?.hasPrefix(text) == true)
    }

    @Test func `a trust store is checked without the development authority`() async throws {
        let files = try TemporaryDirectory(["text": "no store"])
        try await makeCertificate(files.path, "authority")
        try await makeStore(files.path, "authority", hasKey: false)
        var settings = MockServer.Configuration.TLS(authorityDirectory: files.path + "/made")
        settings.trustStore = .init(path: files.path + "/authority.p12", password: "s3cret")
        #expect(try settings.check() == nil)
        #expect(access(files.path + "/made", F_OK) != 0)
        settings.trustStore = .init(path: files.path + "/text", password: "s3cret")
        let wrong = settings
        #expect(throws: MockServerError.self) { _ = try wrong.check() }
    }
}

extension KeyStoreTests {
    // Made by keytool, of Java 17, for 30 years, with the password "s3cret".

    /// A key of localhost with the password "own-key", and the certificate of an authority.
    private static let ownJKS = """
        /u3+7QAAAAIAAAACAAAAAgAFb3RoZXIAAAGiHlmvcgAFWC41MDkAAAFaMIIBVjCB/qADAgECAgkAzRuuUBcW5ycwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\
        bG9jYWxob3N0MCAXDTI2MTEyNzE4NTIwM1oYDzIwNTcwMTA4MTg1MjAzWjAUMRIwEAYDVQQDEwlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\
        AASTfluyvTebaZzzGtD0jyzEouU6HmEUb3cj5CZ5KhQWxVSIZPSScGNa+kshovspvXg6ZtJUDXEvW9QnJETSSkAcozcwNTAdBgNVHQ4EFgQU2L2QDW8ZX9Uo\
        Ywaa+xyfJCzM+QUwFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMCA0cAMEQCIHHAdkqNlFVDHw4iS6Zc7JW08BunKYduIJVIU7zDUTXwAiAtd3Zr\
        D4xw4ZM1rANinP+LlcC3S9IZfH2ts0ZkwjCJ2AAAAAEAA293bgAAAaIeWarUAAAAfTB7MAwGCisGAQQBKgIRAQEEayPnai/T1ebGHb+IB5iSNI8CXeUAjWZy\
        y4XtkOYxpmzJJlFt5n+pd4hgl3yVTuqwtWyN2cOK11BPwMWKuFbpuJdKXOpUUevp/KPtd18bIViCfotIo+RQoGbRyIZLo25DZlrMSXZ0Pn3RaiSeAAAAAQAF\
        WC41MDkAAAFZMIIBVTCB/aADAgECAghx4KTZFbSYTzAKBggqhkjOPQQDAjAUMRIwEAYDVQQDEwlsb2NhbGhvc3QwIBcNMjYxMTI3MTg1MjAyWhgPMjA1NzAx\
        MDgxODUyMDJaMBQxEjAQBgNVBAMTCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFLcoEhi2hwaE3vITD75eFg7Lbgm6sEPuUEeQOPb2kdR\
        U+FA6BU1nBCXVDt4W1v6h7SenwvUZyiGKVNVa51KHHSjNzA1MB0GA1UdDgQWBBT7TqUKvXNck2f67ytbtajTA2eAsDAUBgNVHREEDTALgglsb2NhbGhvc3Qw\
        CgYIKoZIzj0EAwIDRwAwRAIgNO8Z2L46+fqvuxmNcydJy1vCBGNbgdRmC/3O8lP3YxkCIHRA9VoDA9ps0XTsCQP0KSMUSGBn9TcLcQc9WkbvPSjV1zqbJtsB\
        gAlT+sAk2vCv2fscKnE=
        """
    /// The certificate of an authority.
    private static let trustJKS = """
        /u3+7QAAAAIAAAABAAAAAgAFdHJ1c3QAAAGiHlmwVAAFWC41MDkAAAFaMIIBVjCB/qADAgECAgkAzRuuUBcW5ycwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\
        bG9jYWxob3N0MCAXDTI2MTEyNzE4NTIwM1oYDzIwNTcwMTA4MTg1MjAzWjAUMRIwEAYDVQQDEwlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\
        AASTfluyvTebaZzzGtD0jyzEouU6HmEUb3cj5CZ5KhQWxVSIZPSScGNa+kshovspvXg6ZtJUDXEvW9QnJETSSkAcozcwNTAdBgNVHQ4EFgQU2L2QDW8ZX9Uo\
        Ywaa+xyfJCzM+QUwFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMCA0cAMEQCIHHAdkqNlFVDHw4iS6Zc7JW08BunKYduIJVIU7zDUTXwAiAtd3Zr\
        D4xw4ZM1rANinP+LlcC3S9IZfH2ts0ZkwjCJ2PygZRrehYb1Uvm65xWCiFNZTTJt
        """

    private static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

    @Test func `a store of Java's has the server's key, and another the authorities of its clients`() async throws {
        let files = try TemporaryDirectory()
        try files.write("own.jks", Self.bytes(Self.ownJKS))
        try files.write("trust.jks", Self.bytes(Self.trustJKS))
        var settings = MockServer.Configuration.TLS()
        settings.keyStore = .init(path: files.path + "/own.jks", password: "s3cret", keyPassword: "own-key")
        #expect(try settings.check() == nil)
        let open = settings
        try await TestServer.serving(["a.txt": "a"], { $0.tls = open }) { server async throws in
            #expect(try await Tool.curl(["--insecure", "https://localhost:\(server.port)/a.txt"]).text == "a")
            let shown = try await Tool.run(
                "openssl", ["s_client", "-showcerts", "-connect", "localhost:\(server.port)"], input: Data())
            #expect(shown.text.split(separator: "BEGIN CERTIFICATE").count == 2, "\(shown.text)")
        }
        settings.trustStore = .init(path: files.path + "/trust.jks", password: "s3cret")
        #expect(try settings.check() == nil)
        let strict = settings
        try await TestServer.serving(["a.txt": "a"], { $0.tls = strict }) { server async throws in
            let bare = try await Tool.curl(["--insecure", "https://localhost:\(server.port)/a.txt"])
            #expect(bare.code != 0 && bare.errors.contains("certificate required"), "\(bare.errors)")
            // The server names the authorities that it takes clients of.
            let asked = try await Tool.run(
                "openssl", ["s_client", "-connect", "localhost:\(server.port)"], input: Data())
            #expect(asked.text.contains(/client certificate CA names\nCN ?= ?localhost\n[^C]/), "\(asked.text)")
        }
    }

    @Test func `a store of Java's that cannot be read is reported with the cause`() async throws {
        let files = try TemporaryDirectory()
        let own = try Self.bytes(Self.ownJKS)
        try files.write("own", own)
        try files.write("trust", Self.bytes(Self.trustJKS))
        try files.write("cut", Array(own.dropLast()))
        try files.write("short", Array(own.prefix(8)))
        // One entry is announced, and there is none; the digest is of what is there.
        let head: [UInt8] = [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 1]
        let keyed = "s3cret".utf16.flatMap { [0, UInt8($0)] } + Array("Mighty Aphrodite".utf8) + head
        let digest = try await Tool.run("openssl", ["dgst", "-sha1", "-binary"], input: Data(keyed))
        try files.write("empty", head + Array(digest.output))
        for (name, password, text) in [
            ("own", "other", "has another password, or is damaged"),
            ("cut", "s3cret", "has another password, or is damaged"),
            ("short", "s3cret", "is damaged: it ends within an entry"),
            ("empty", "s3cret", "is damaged: it ends within an entry"),
            ("trust", "s3cret", "has no private key with its certificate"),
        ] { #expect(error("\(files.path)/\(name)", password) == "the key store \(files.path)/\(name) \(text)") }
        #expect(error(files.path + "/own") == "the key of the key store \(files.path)/own has another password")
    }
}
