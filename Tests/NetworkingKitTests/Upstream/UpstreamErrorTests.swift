// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and its errors", .serialized, .supervised) struct UpstreamErrorTests {
    private func error(
        _ url: String, _ method: HTTPMethod = .get, body: Data? = nil,
        _ configure: (inout UpstreamNetworker.Configuration) -> Void = { _ in }
    ) async throws -> URLError? {
        var configuration = UpstreamNetworker.Configuration()
        configure(&configuration)
        let networker = UpstreamNetworker(configuration)
        let request = PlainRequest(url: try #require(URL(string: url)), method: method, body: body)
        return await #expect(throws: URLError.self) { let _: Data = try await networker.data(for: request) }
    }

    @Test func aNameWithoutAnAddress() async throws {
        let error = try await error("http://nobody.invalid/")
        #expect(error?.code == .cannotFindHost)
        #expect(
            error?.localizedDescription == "http://nobody.invalid/: Could not resolve host: nobody.invalid; "
                + "check the host's name, or say which address to connect to")
    }

    @Test func aPortThatNobodyListensOn() async throws {
        // No test's server gets a port below 1,024.
        let error = try await error("http://127.0.0.1:1")
        #expect(error?.code == .cannotConnectToHost)
        #expect(
            error?.localizedDescription.hasSuffix("; check that the service runs and listens on this port") == true)
    }

    @Test func anotherScheme() async throws {
        let error = try await error("ftp://example.com/a")
        #expect(error?.code == .unsupportedURL)
        #expect(
            error?.localizedDescription == "ftp://example.com/a is not a URL of HTTP; give an http or https URL")
    }

    @Test(arguments: [
        (UpstreamNetworker.Configuration.Version.h2, "http", "h2 is HTTP/2 over TLS; choose h2c for an http URL"),
        (.h2c, "https", "h2c is HTTP/2 without TLS; choose h2 for an https URL"),
        (.h2cUpgrade, "https", "h2c is HTTP/2 without TLS; choose h2 for an https URL"),
    ])
    func aProtocolThatIsNotOfTheScheme(
        _ version: UpstreamNetworker.Configuration.Version, _ scheme: String, _ text: String
    ) async throws {
        let error = try await error("\(scheme)://127.0.0.1/") { $0.version = version }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.localizedDescription == "\(scheme)://127.0.0.1/: \(text)")
    }

    @Test func headWithContent() async throws {
        let error = try await error("http://127.0.0.1/", .head, body: Data("x".utf8))
        #expect(error?.code == .unsupportedURL)
        #expect(
            error?.localizedDescription
                == "http://127.0.0.1/: HEAD with content cannot be sent; leave the content out")
    }

    @Test func aCertificateOfAnAuthorityThatIsNotTrusted() async throws {
        try await UpstreamSetting.h2.serving({ $0.caFile = nil }) { _, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base))
            }
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(
                error?.localizedDescription.hasSuffix(
                    "; give the authority that signed the server's certificate, or let any certificate pass") == true)
        }
    }

    @Test func anAuthorityThatCannotBeRead() async throws {
        try await UpstreamSetting.h2.serving({ $0.caFile = "/nowhere.pem" }) { _, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base))
            }
            #expect(error?.code == .secureConnectionFailed)
            #expect(
                error?.localizedDescription.hasSuffix("; give a file of authorities in PEM that can be read") == true)
        }
    }

    @Test func aServerThatWantsACertificate() async throws {
        let files = try TemporaryDirectory()
        let authority = try DevelopmentAuthority(directory: files.path + "/authority")
        var settings = MockServer.Configuration()
        settings.tls = MockServer.Configuration.TLS(authorityDirectory: files.path + "/authority")
        let identity = try await ClientIdentity(files)
        settings.tls?.clientAuthorities = identity.certificate
        let server = try await MockServer.start(fixtures: Sample.fixtures, configuration: settings)
        let url = "https://localhost:\(try #require(server.baseURL.port))/api/domains"
        for version in [UpstreamNetworker.Configuration.Version.h2, .http1] {
            let error = try await error(url) { configuration in
                configuration.version = version
                configuration.caFile = authority.certificatePath
            }
            #expect(error?.code == .clientCertificateRequired)
        }
        var configuration = UpstreamNetworker.Configuration()
        configuration.caFile = authority.certificatePath
        configuration.clientCertificate = identity.certificate
        configuration.clientKey = identity.key
        let request = PlainRequest(url: try #require(URL(string: url)))
        #expect(try await UpstreamNetworker(configuration).response(for: request).status == 200)
        let unreadable = try await error(url) { configuration in
            configuration.caFile = authority.certificatePath
            configuration.clientCertificate = "/nowhere.pem"
        }
        #expect(unreadable?.code == .clientCertificateRejected)
        await server.stop()
        withExtendedLifetime(files) {}
    }

    @Test func timeoutsAreTakenToTheMillisecond() async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"fixedDelayMilliseconds": 3600000}}
            """
        let changes: [(inout UpstreamNetworker.Configuration) -> Void] = [
            { $0.idleTimeout = .milliseconds(150) }, { $0.timeout = .milliseconds(150) },
        ]
        for setting in UpstreamSetting.both {
            for change in changes {
                try await setting.serving(stub: stub, change) { _, networker, base async throws in
                    let start = ContinuousClock.now
                    let error = await #expect(throws: URLError.self) {
                        let _: Data = try await networker.data(for: PlainRequest(url: base))
                    }
                    #expect(error?.code == .timedOut)
                    #expect(start.duration(to: .now) >= .milliseconds(150))
                }
            }
        }
    }

    @Test func aRequestMaySayItsTimeout() async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"fixedDelayMilliseconds": 3600000}}
            """
        try await UpstreamSetting.h2c.serving(stub: stub) { _, networker, base async throws in
            let request = URLRequest(url: base, timeoutInterval: 0.15)
            let error = await #expect(throws: URLError.self) {
                _ = try await networker.send(request, file: nil, options: TransferOptions())
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test(arguments: [.infinity, .greatestFiniteMagnitude, 1e300, 0, -1, .nan, 59.5])
    func anyTimeoutOfARequestIsTaken(_ interval: TimeInterval) async throws {
        try await UpstreamSetting.h2c.serving { _, networker, base async throws in
            let request = URLRequest(url: base.appendingPathComponent("api/domains"), timeoutInterval: interval)
            #expect(try await networker.send(request, file: nil, options: TransferOptions()).status == 200)
        }
    }

    @Test func theTimeoutOfAFetchCountsItsRedirections() async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"status": 302, "headers": ["Location: /"],
              "fixedDelayMilliseconds": 100}}
            """
        try await UpstreamSetting.h2c.serving(stub: stub, { $0.timeout = .milliseconds(350) }) {
            server, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base))
            }
            #expect(error?.code == .timedOut)
            #expect(server.journal.entries.count <= 4)
        }
    }
}
