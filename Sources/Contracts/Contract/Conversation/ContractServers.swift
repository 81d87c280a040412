// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// The servers of a run: one for most steps, and one for each step that is in the way of others or asks for another origin.
package final class ContractServers: Sendable {
    package struct Options: Sendable {
        package var port = 0
        /// Whether all steps go by https, to `localhost`.
        package var isSecure = false
        package var tls = MockServer.Configuration().tls
        /// Stubs beside those of the requirements.
        package var stubs: [MockStub] = []
        /// The response of the main server where no stub answers.
        package var fallback: (@Sendable (_ method: String, _ target: String, _ body: [UInt8]) -> FallbackResponse?)?

        package init() {}
    }

    /// The host of the other origin; the second is for systems that have one address of their own only.
    private static let otherHosts = ["127.0.0.2", "localhost"]
    /// Where nobody listens: a request for it comes by a proxy.
    private static let nobody = "http://127.0.0.3:9"

    package let main: MockServer
    private let elsewhere: MockServer?
    /// By the ids of their steps.
    private let others: [String: (server: MockServer, base: String)]
    private let isSecure: Bool

    package init(_ requirements: [Requirement], _ options: Options = Options()) async throws(MockServerError) {
        isSecure = options.isSecure
        var started: [MockServer] = []
        do throws(MockServerError) {
            let elsewhere = try await Self.elsewhere(requirements, options)
            if let elsewhere { started.append(elsewhere) }
            let address = elsewhere.map { Self.base($0, isSecure: options.isSecure, secureHost: nil) } ?? ""
            var configuration = ContractRequirements.configuration
            configuration.port = options.port
            configuration.tls = options.tls
            configuration.fallback = options.fallback
            let stubs = requirements.filter { $0.place.isOfMain }.flatMap { requirement in
                requirement.stubs + (requirement.redirecting?(address) ?? [])
            }
            let main = try await MockServer.start(stubs: stubs + options.stubs, configuration: configuration)
            started.append(main)
            var others: [String: (server: MockServer, base: String)] = [:]
            for requirement in requirements {
                guard let (server, isSecure) = try await Self.server(of: requirement, options) else { continue }
                started.append(server)
                others[requirement.id] = (server, Self.base(server, isSecure: isSecure, secureHost: "localhost"))
            }
            self.main = main
            self.others = others
            self.elsewhere = elsewhere
        } catch {
            for server in started { await server.stop() }
            throw error
        }
    }

    /// Scheme, host and port of a step's URL.
    package func base(of requirement: Requirement) -> String {
        if case .proxied = requirement.place { return Self.nobody }
        return others[requirement.id]?.base ?? base
    }

    /// Those of the main server.
    package var base: String { Self.base(main, isSecure: isSecure, secureHost: "localhost") }

    package var journals: [Journal] {
        [main.journal] + (elsewhere.map { [$0.journal] } ?? []) + others.values.map(\.server.journal)
    }

    package func stop() async {
        await main.stop()
        await elsewhere?.stop()
        for other in others.values { await other.server.stop() }
    }

    private static func elsewhere(
        _ requirements: [Requirement], _ options: Options
    ) async throws(MockServerError) -> MockServer? {
        let redirecting = requirements.filter { $0.redirecting != nil }
        guard !redirecting.isEmpty else { return nil }
        let stubs = redirecting.flatMap(\.stubs)
        for host in otherHosts.dropLast() {
            if let server = try? await MockServer.start(stubs: stubs, configuration: small(options, host: host)) {
                return server
            }
        }
        return try await MockServer.start(stubs: stubs, configuration: small(options, host: otherHosts.last))
    }

    private static func server(
        of requirement: Requirement, _ options: Options
    ) async throws(MockServerError) -> (MockServer, isSecure: Bool)? {
        var configuration = small(options, host: nil)
        switch requirement.place {
        case .main, .proxied: return nil
        case .wire(let response):
            configuration.fallback = { _, _, _ in .wire(response) }
            return (try await MockServer.start(configuration: configuration), options.isSecure)
        case .secure(let defect):
            // A certificate in a file is as it is.
            if configuration.tls?.certificate != nil { configuration.tls = MockServer.Configuration.TLS() }
            configuration.tls?.defect = defect
            return (try await MockServer.start(stubs: requirement.stubs, configuration: configuration), true)
        }
    }

    /// The configuration of a server for few requests.
    private static func small(_ options: Options, host: String?) -> MockServer.Configuration {
        var configuration = ContractRequirements.configuration
        configuration.journalLimit = 1024 * 1024
        configuration.tls = options.tls
        if let host { configuration.host = host }
        return configuration
    }

    private static func base(_ server: MockServer, isSecure: Bool, secureHost: String?) -> String {
        guard isSecure else { return server.address }
        let authority = server.address.drop { $0 != "/" }.drop { $0 == "/" }
        guard let secureHost else { return "https://\(authority)" }
        return "https://\(secureHost):\(authority.split(separator: ":").last ?? "")"
    }
}

extension Requirement.Place {
    /// Whether the main server answers it.
    var isOfMain: Bool {
        switch self {
        case .main, .proxied: true
        case .wire, .secure: false
        }
    }
}

extension [Journal] {
    /// The requests of all, oldest first.
    package var entries: [JournalEntry] {
        let all = flatMap(\.entries)
        return count == 1 ? all : all.sorted { $0.receivedAt < $1.receivedAt }
    }
}
