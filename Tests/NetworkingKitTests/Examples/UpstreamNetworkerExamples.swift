// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing
import UpstreamNetworking

/// The examples of docs/networking/upstream-networker.md.
@Suite(.supervised) struct UpstreamNetworkerExamples {
    @Test func withoutTLS() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let api = server.baseURL.appendingPathComponent("api")

        var configuration = UpstreamNetworker.Configuration()
        configuration.version = .h2c
        configuration.idleTimeout = .milliseconds(2_500)
        let networker = UpstreamNetworker(configuration)
        let articles = try await networker.value(for: ArticleRequest(base: api))

        #expect(articles.count == 20)
        #expect(server.journal.entries.map(\.protocolName) == ["HTTP/2.0"])
        await server.stop()
    }

    @Test func withTLS() async throws {
        let directory = try TemporaryDirectory()
        let authority = try DevelopmentAuthority(directory: directory.path + "/authority")
        var settings = MockServer.Configuration()
        settings.tls = MockServer.Configuration.TLS(authorityDirectory: directory.path + "/authority")
        let server = try await MockServer.start(fixtures: Sample.fixtures, configuration: settings)
        let port = try #require(server.baseURL.port)
        let artwork = try #require(URL(string: "https://localhost:\(port)/uploads/2026/orbit.gif"))

        var configuration = UpstreamNetworker.Configuration()
        configuration.version = .h2
        configuration.caFile = authority.certificatePath
        let networker = UpstreamNetworker(configuration)
        let image = try await networker.value(for: ImageRequest(url: artwork))

        #expect(image.starts(with: Data("GIF89a".utf8)))
        #expect(server.journal.entries.map(\.tlsVersion) == ["TLSv1.3"])
        await server.stop()
        withExtendedLifetime(directory) {}
    }
}
