// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import MockapiHTTPSyntax

/// The servers of a run: one for most steps, and one for each step that is in the way of others or asks for another origin.
package final class ContractServers: Sendable {
    package struct Options: Sendable {
        package var port = 0
        /// Whether all steps go by https, to `localhost`.
        package var isSecure = false
        package var tls = MockServer.Configuration().tls
        /// Stubs beside those of the requirements.
        package var stubs: [MockStub] = []
        /// The response of the main server if no stub matches.
        package var fallback: (@Sendable (_ method: String, _ target: String, _ body: [UInt8]) -> FallbackResponse?)?

        package init() {}
    }

    /// The host of the other origin; the second is for systems that have one address of their own only.
    private static let otherHosts = ["127.0.0.2", "localhost"]
    package let main: MockServer
    /// The servers of other origins: at another host, and at another port.
    private let elsewhere: [MockServer]
    /// Keyed by the ids of their steps.
    private let others: [String: (server: MockServer, base: String)]
    /// The ids of the steps that go to the server of another step.
    private let shared: Set<String>
    private let isSecure: Bool

    package init(_ requirements: [Requirement], _ options: Options = Options()) async throws(MockServerError) {
        isSecure = options.isSecure
        var started: [MockServer] = []
        do throws(MockServerError) {
            let elsewhere = try await Self.elsewhere(requirements, options)
            started += elsewhere
            let origins = Self.origins(elsewhere, isSecure: options.isSecure)
            if let origins, let host = elsewhere.first {
                for stub in requirements.flatMap({ $0.redirectingElsewhere?(origins) ?? [] }) { try host.add(stub) }
            }
            var configuration = ContractRequirements.configuration
            configuration.port = options.port
            configuration.tls = options.tls
            configuration.fallback = options.fallback
            let stubs = requirements.filter { $0.place.isOfMain }.flatMap { requirement in
                requirement.stubs + (origins.flatMap { requirement.redirecting?($0) } ?? [])
            }
            let main = try await MockServer.start(stubs: stubs + options.stubs, configuration: configuration)
            started.append(main)
            var others: [String: (server: MockServer, base: String)] = [:]
            for requirement in requirements {
                if let host = requirement.step.servedWith, let other = others[host] {
                    others[requirement.id] = other
                    continue
                }
                let own = requirement.stubs + (origins.flatMap { requirement.redirecting?($0) } ?? [])
                guard let (server, isSecure) = try await Self.server(of: requirement, own, options) else { continue }
                started.append(server)
                others[requirement.id] = (server, Self.base(server, isSecure: isSecure, secureHost: "localhost"))
            }
            self.main = main
            self.others = others
            shared = Set(requirements.filter { others[$0.step.servedWith ?? ""] != nil }.map(\.id))
            self.elsewhere = elsewhere
        } catch {
            for server in started { await server.stop() }
            throw error
        }
    }

    /// Scheme, host and port of a step's URL.
    package func base(of requirement: Requirement) -> String {
        let base =
            switch requirement.place {
            case .proxied(let host): "http://\(host)"
            case .elsewhere: elsewhere.first.map { Self.base($0, isSecure: isSecure, secureHost: nil) } ?? self.base
            case .main, .own, .wire, .secure: others[requirement.id]?.base ?? self.base
            }
        guard let userinfo = requirement.step.userinfo, let host = base.firstRange(of: "://")?.upperBound else {
            return base
        }
        return base[..<host] + userinfo + "@" + base[host...]
    }

    /// The hosts of the steps' own origin and of the second one; nil if no step leads there.
    package var hosts: (own: String, other: String?) {
        let host = { (server: MockServer) in
            String(server.address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" })
        }
        return (host(main), elsewhere.first.map(host))
    }

    /// Those of the main server.
    package var base: String { Self.base(main, isSecure: isSecure, secureHost: "localhost") }

    package var journals: [Journal] {
        let own = others.filter { id, _ in !shared.contains(id) }
        return [main.journal] + elsewhere.map(\.journal) + own.values.map(\.server.journal)
    }

    package func stop() async {
        await main.stop()
        for server in elsewhere { await server.stop() }
        for (id, other) in others where !shared.contains(id) { await other.server.stop() }
    }

    private static func elsewhere(
        _ requirements: [Requirement], _ options: Options
    ) async throws(MockServerError) -> [MockServer] {
        let redirecting = requirements.filter(\.needsOtherOrigin)
        guard !redirecting.isEmpty else { return [] }
        let stubs = redirecting.flatMap(\.stubs)
        let port = try await MockServer.start(stubs: stubs, configuration: small(options, host: nil))
        do throws(MockServerError) {
            for host in otherHosts.dropLast() {
                if let server = try? await MockServer.start(stubs: stubs, configuration: small(options, host: host)) {
                    return [server, port]
                }
            }
            let last = try await MockServer.start(stubs: stubs, configuration: small(options, host: otherHosts.last))
            return [last, port]
        } catch {
            await port.stop()
            throw error
        }
    }

    private static func origins(_ elsewhere: [MockServer], isSecure: Bool) -> OtherOrigins? {
        guard let host = elsewhere.first, let port = elsewhere.last else { return nil }
        return OtherOrigins(
            host: base(host, isSecure: isSecure, secureHost: nil),
            port: base(port, isSecure: isSecure, secureHost: "localhost"),
            plain: "http://localhost:\(port.address.split(ascii: ":").last ?? "")")
    }

    private static func server(
        of requirement: Requirement, _ stubs: [MockStub], _ options: Options
    ) async throws(MockServerError) -> (MockServer, isSecure: Bool)? {
        var configuration = small(options, host: nil)
        switch requirement.place {
        case .main, .proxied, .elsewhere: return nil
        case .own:
            if let fewer = requirement.step.fewerStreams {
                // With room for all at first: a client may send before it knows the settings.
                configuration.maxStreams = MockServer.Configuration().maxStreams
                configuration.fewerStreams = (requirement.step.times, fewer)
            }
            return (try await MockServer.start(stubs: stubs, configuration: configuration), options.isSecure)
        case .wire(let response, let there):
            let path = requirement.step.path
            if let idle = requirement.step.idle { configuration.idleTimeout = idle }
            configuration.fallback = { _, target, _ in .wire(target.contains("\(path)/") ? there ?? response : response)
            }
            return (try await MockServer.start(configuration: configuration), options.isSecure)
        case .secure(let defect):
            // A certificate in a file is as it is.
            if configuration.tls?.certificate != nil { configuration.tls = MockServer.Configuration.TLS() }
            configuration.tls?.defect = defect
            return (try await MockServer.start(stubs: stubs, configuration: configuration), true)
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
        return "https://\(secureHost):\(authority.split(ascii: ":").last ?? "")"
    }
}

/// The origins other than a step's own to which its redirections may lead (RFC 9110 §4.3.1: scheme, host and port).
package struct OtherOrigins: Sendable {
    /// Another host.
    package let host: String
    /// The same host at another port.
    package let port: String
    /// The same host by http, if the step goes by https.
    package let plain: String

    package init(host: String, port: String, plain: String) {
        self.host = host
        self.port = port
        self.plain = plain
    }
}

extension Requirement.Place {
    /// Whether it goes to the main server.
    var isOfMain: Bool {
        switch self {
        case .main, .proxied: true
        case .own, .wire, .secure, .elsewhere: false
        }
    }
}

extension Requirement {
    /// Whether a server of another origin has to be there.
    fileprivate var needsOtherOrigin: Bool {
        if case .elsewhere = place { true } else { redirecting != nil }
    }
}

extension [Journal] {
    /// The requests of all, oldest first.
    package var entries: [JournalEntry] {
        let all = flatMap(\.entries)
        return count == 1 ? all : all.sorted { $0.receivedAt < $1.receivedAt }
    }
}
