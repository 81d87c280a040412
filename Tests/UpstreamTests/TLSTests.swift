// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct TLSTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Lends out a server of a development authority, and a configuration that trusts it.
    private func serving(
        clientCA: String? = nil, offersHTTP2: Bool = true,
        _ body: (String, UpstreamConfiguration) async throws -> Void
    ) async throws {
        let settings = TLSSettings(
            .development(directory: directory.path + "/ca", names: { [] }, hosts: { [] }), clientCA: clientCA,
            offersHTTP2: offersHTTP2
        )
        try await HandlerServer.serving({ $0.tls = settings }) { target, _ in
            HandlerServer.response(target)
        } _: { server async throws in
            // The authority is made when the first client comes, or here.
            var configuration = UpstreamConfiguration()
            configuration.caFile = try CertificateAuthority.loadOrMake(in: directory.path + "/ca").path
            try await body("https://127.0.0.1:\(server.port)", configuration)
        }
    }

    @Test func `a server of an authority that is given is trusted, by each protocol`() async throws {
        try await serving { base, configuration async throws in
            let client = UpstreamClient(configuration)
            let versions: [UpstreamProtocol] = [.automatic, .h2, .http1]
            var answers: [UpstreamResponse] = []
            for version in versions {
                answers.append(try await client.send(UpstreamRequest("GET", base + "/a", version: version)))
            }
            #expect(answers.map(\.head.version) == [.http2, .http2, .http11])
            #expect(answers.map(\.text) == ["/a", "/a", "/a"])
        }
    }

    @Test func `a hundred requests at once share one connection`() async throws {
        try await serving { base, configuration async throws in
            let client = UpstreamClient(configuration)
            let connections = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await client.send(UpstreamRequest("GET", base + "/a")).info.newConnections }
                }
                return try await group.reduce(0, +)
            }
            #expect(connections == 1)
        }
    }

    @Test func `a server that does not offer HTTP 2 is no server of h2`() async throws {
        try await serving(offersHTTP2: false) { base, configuration async throws in
            let client = UpstreamClient(configuration)
            #expect(try await client.send(UpstreamRequest("GET", base)).head.version == .http11)
            let error = await failure { _ = try await client.send(UpstreamRequest("GET", base, version: .h2)) }
            #expect(error?.kind == .protocol)
            #expect(error?.text == "the server chose HTTP/1.1 by ALPN; ask for automatic or http1")
        }
    }

    @Test func `a server of another authority is refused, unless any is to pass`() async throws {
        try await serving { base, _ async throws in
            let error = await failure { _ = try await UpstreamClient().send(UpstreamRequest("GET", base)) }
            #expect(error?.kind == .tls)
            #expect(
                error?.text.hasSuffix(
                    "; give the authority that signed the server's certificate, or let any certificate pass") == true)
            var configuration = UpstreamConfiguration()
            configuration.isInsecure = true
            #expect(try await UpstreamClient(configuration).send(UpstreamRequest("GET", base)).status == 200)
        }
    }

    @Test func `files that are not there are named`() async throws {
        try await serving { base, configuration async throws in
            var configuration = configuration
            configuration.clientCertificate = "/absent.pem"
            let error = await failure { _ = try await UpstreamClient(configuration).send(UpstreamRequest("GET", base)) }
            #expect(error?.kind == .tls)
            #expect(error?.text.contains("/absent.pem") == true)
            configuration.clientCertificate = nil
            configuration.caFile = "/absent-ca.pem"
            let second = await failure {
                _ = try await UpstreamClient(configuration).send(UpstreamRequest("GET", base))
            }
            #expect(second?.kind == .tls)
            #expect(second?.text.contains("/absent-ca.pem") == true)
        }
    }

    @Test func `a client shows its certificate where the server asks for one`() async throws {
        let identity = try await ClientIdentity(directory)
        try await serving(clientCA: identity.certificate) { base, configuration async throws in
            for version in [UpstreamProtocol.http1, .h2] {
                let request = UpstreamRequest("GET", base + "/a", version: version)
                let error = await failure { _ = try await UpstreamClient(configuration).send(request) }
                #expect(error?.kind == .tls, "\(String(describing: error))")
                #expect(error?.text.hasSuffix("; check which client certificates the server takes") == true)
                var configuration = configuration
                configuration.clientCertificate = identity.certificate
                configuration.clientKey = identity.key
                #expect(try await UpstreamClient(configuration).send(request).text == "/a")
            }
        }
    }
}
