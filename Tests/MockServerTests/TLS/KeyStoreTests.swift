// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keys and authorities in PKCS#12.
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

    @Test func `a key store that cannot be read is told at the start, with the way out`() async throws {
        let files = try TemporaryDirectory(["text": "no store", "bytes": "\u{1}", "empty": ""])
        try files.write("jks", [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2] as [UInt8])
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
                error(path + "/" + name)?.hasPrefix("the key store \(path)/\(name) is not in PKCS#12") == true)
        }
        for name in ["jks", "jceks"] {
            let cause = "is in a format of Java's own, not in PKCS#12"
            #expect(error("\(path)/\(name)") == "the key store \(path)/\(name) \(cause)\(way("\(path)/\(name)"))")
        }
        #expect(error(path + "/own.p12", "other") == "the key store \(path)/own.p12 has another password")
    }

    @Test func `a key store in an old cipher is told from one with another password`() async throws {
        let files = try TemporaryDirectory()
        let path = files.path
        let old = try await Tool.run("openssl", ["list", "-providers", "-provider", "legacy"])
        if old.code != 0 { try Test.cancel("this openssl cannot write old ciphers") }
        try await makeCertificate(path, "own")
        try await makeStore(path, "own", ["-legacy"])
        let cause = "is in a cipher that OpenSSL does not read any more, or is damaged"
        #expect(error(path + "/own.p12") == "the key store \(path)/own.p12 \(cause)\(way(path + "/own.p12"))")
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
