// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiWireSupport
import Testing
import UpstreamNetworking

/// A way to reach a server: a protocol, with TLS or without.
struct UpstreamSetting: Sendable, CustomTestStringConvertible {
    let version: UpstreamNetworker.Configuration.Version
    let isSecure: Bool
    /// What the journal is to tell of it.
    let protocolName: String

    static let h2c = UpstreamSetting(version: .h2c, isSecure: false, protocolName: "HTTP/2.0")
    static let http1 = UpstreamSetting(version: .http1, isSecure: false, protocolName: "HTTP/1.1")
    static let h2 = UpstreamSetting(version: .h2, isSecure: true, protocolName: "HTTP/2.0")
    static let all = [
        h2c, http1, h2,
        UpstreamSetting(version: .automatic, isSecure: false, protocolName: "HTTP/1.1"),
        UpstreamSetting(version: .automatic, isSecure: true, protocolName: "HTTP/2.0"),
        UpstreamSetting(version: .http1, isSecure: true, protocolName: "HTTP/1.1"),
        UpstreamSetting(version: .h2cUpgrade, isSecure: false, protocolName: "HTTP/2.0"),
    ]
    static let both = [h2c, http1]

    var testDescription: String { "\(version)\(isSecure ? " over TLS" : "")" }

    /// Lends out a server and a networker that reaches it this way.
    ///
    /// - Parameter stub: the one stub file that is served; nil for the sample fixtures.
    func serving(
        stub: String? = nil, _ configure: (inout UpstreamNetworker.Configuration) -> Void = { _ in },
        statuses: AcceptedStatuses = .successful,
        _ body: (MockServer, UpstreamNetworker, URL) async throws -> Void
    ) async throws {
        let files = try TemporaryDirectory()
        if let stub { try files.write("fixtures/x.stub.json", stub) }
        let authority = files.path + "/authority"
        var settings = MockServer.Configuration()
        settings.tls = MockServer.Configuration.TLS(authorityDirectory: authority)
        let server = try await MockServer.start(
            fixtures: stub == nil ? Sample.fixtures : files.path + "/fixtures", configuration: settings)
        var configuration = UpstreamNetworker.Configuration()
        configuration.version = version
        if isSecure { configuration.caFile = try DevelopmentAuthority(directory: authority).certificatePath }
        configure(&configuration)
        let networker = UpstreamNetworker(configuration, acceptedStatuses: statuses)
        do {
            try await body(server, networker, try url(server))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        withExtendedLifetime(files) {}
    }

    private func url(_ server: MockServer) throws -> URL {
        var components = URLComponents(url: server.baseURL, resolvingAgainstBaseURL: true)
        components?.scheme = isSecure ? "https" : "http"
        if isSecure { components?.host = "localhost" }
        guard let url = components?.url else { throw URLError(.badURL) }
        return url
    }
}
