// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of keys that WireMock's options name.
@Suite(.supervised) struct WireMockKeyStoreTests {
    /// A WireMock root with a certificate that is its own authority, and its key; in PEM, and with them in PKCS#12.
    private struct Files {
        let root: TemporaryDirectory
        let identity: ServerIdentity

        init() async throws {
            root = try TemporaryDirectory(["mappings/a.json": "{}"])
            identity = try await ServerIdentity(root)
        }

        /// - Returns: the path of the store.
        func store(_ name: String, password: String, _ options: [String] = []) async throws -> String {
            let path = "\(root.path)/\(name).p12"
            let end = try await Command(
                line: [
                    "/usr/bin/env", "openssl", "pkcs12", "-export", "-in", identity.certificate, "-inkey", identity.key,
                    "-out", path, "-passout", "pass:\(password)",
                ] + options
            ).end()
            #expect(end.code == 0, "\(end.errors)")
            return path
        }
    }

    @Test(arguments: [true, false])
    func `clients with a certificate of the trust store see that of the key store`(isDefault: Bool) async throws {
        let files = try await Files()
        let password = isDefault ? "password" : "s3cret"
        let keys = try await files.store("keys", password: password)
        let trusted = try await files.store("trusted", password: password)
        let passwords = ["--keystore-password", password, "--truststore-password", password]
        let server = try Command(
            [
                "wiremock", "--root-dir", files.root.path, "--https-port", "0", "--disable-http", "--https-keystore",
                keys, "--https-truststore", trusted, "--https-require-client-cert",
            ] + (isDefault ? [] : passwords))
        let url = "https://127.0.0.1:\(try await server.port())"
        let trusting = ["--cacert", files.identity.certificate]
        let own = ["--cert", files.identity.certificate, "--key", files.identity.key]
        #expect(try await Curl.fetch(url, [Ask("GET", "/a")], trusting + own).map(\.status) == [200])
        let bare = try await Curl.fetch(url, [Ask("GET", "/a")], trusting)
        #expect(bare.map(\.status) == [0])
    }

    @Test
    func `a store in a cipher that OpenSSL has no provider for ends the command with the way to one that is read`()
        async throws
    {
        let files = try await Files()
        let old = try await Command(line: ["/usr/bin/env", "openssl", "list", "-providers", "-provider", "legacy"])
            .end()
        if old.code != 0 { try Test.cancel("this openssl cannot write old ciphers") }
        let path = try await files.store("old", password: "password", ["-legacy"])
        let arguments = ["wiremock", "--root-dir", files.root.path, "--port", "0", "--https-keystore", path]
        let server = try Command(arguments)
        #expect(try WireClient(port: try await server.port()).request("GET", "/a").status == 200)
        let command = try Command(arguments, environment: ["OPENSSL_MODULES": files.root.path])
        #expect(try await command.exitCode() == 4)
        #expect(
            command.errors.hasPrefix(
                """
                error: the key store \(path) is in a cipher that OpenSSL does not read any more, or is damaged; this makes one that is read: \
                keytool -importkeystore -srckeystore \(path)
                """))
    }

    @Test(arguments: [
        ["--https-keystore"], ["--https-require-client-cert", "--https-truststore"],
    ])
    func `a store in JCEKS ends the command with the way to one that is read`(options: [String]) async throws {
        let root = try TemporaryDirectory(["mappings/a.json": "{}"])
        try root.write("keys.jceks", [0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2] as [UInt8])
        let path = root.path + "/keys.jceks"
        let command = try Command(["wiremock", "--root-dir", root.path, "--port", "0"] + options + [path])
        #expect(try await command.exitCode() == 4)
        #expect(
            command.errors == """
                error: the key store \(path) is in JCEKS, not in PKCS#12 or JKS; this makes one that is read: \
                keytool -importkeystore -srckeystore \(path) -destkeystore store.p12 -deststoretype pkcs12

                """)
        #expect(command.output.isEmpty)
    }

    @Test func `a store without clients that need it has no effect, and the note says so`() async throws {
        let root = try TemporaryDirectory(["mappings/a.json": "{}"])
        let server = try Command([
            "wiremock", "--root-dir", root.path, "--port", "0", "--https-truststore", "none.p12",
        ])
        #expect(try WireClient(port: try await server.port()).request("GET", "/a").status == 200)
        #expect(
            server.errors.hasPrefix("  --https-truststore has no effect without --https-require-client-cert\n"))
    }

    /// Each value is the name of an option, too.
    @Test(arguments: [
        ["--https-port", "0", "--disable-http", "--bind-address=--port"], ["--port", "0", "--bind-address=--host"],
    ])
    func `a value that looks like an option is a value`(arguments: [String]) async throws {
        let root = try TemporaryDirectory(["mappings/a.json": "{}"])
        let command = try Command(["wiremock", "--root-dir", root.path] + arguments)
        #expect(try await command.exitCode() == 4)
        #expect(command.errors.hasPrefix("error: "))
        #expect(command.errors.contains(String(arguments.last?.dropFirst("--bind-address=".count) ?? "")))
    }
}
