// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which clients a requirement is put to, and by what servers.
@Suite(.supervised) struct RequirementKindsTests {
    private static func ids(where isMeant: (Requirement) -> Bool) -> [String] {
        ContractRequirements.all.filter(isMeant).map(\.id)
    }

    /// A networking in the test's own process has no environment and no driver, and must not be ended.
    @Test func `requirements that need a driver, or may end a process, are not put to networkings`() {
        // URLSession on Linux ends its process at most of these, or waits for ever.
        let dangerous: Set = [
            "fault.chunk.overflow", "fault.length.overflow", "fault.length.list", "fault.head", "answer.reason",
            "answer.field.blanks", "answer.trailers", "connection.trailers", "connection.http10", "redirect.userinfo",
        ]
        let others = Self.ids { requirement in
            let step = requirement.step
            let needsDriver =
                requirement.ability != nil || requirement.surroundings != .plain || step.userinfo != nil
                || step.parts.credentials != nil || !step.parts.pieces.isEmpty || !step.cancelledRounds.isEmpty
                || step.idle != nil || step.servedWith != nil
            return needsDriver || dangerous.contains(requirement.id)
        }
        #expect(Self.ids(where: \.isOfOtherProcesses) == others)
    }

    @Test func `requirements about connections and streams are known`() {
        let groups = ["connection.", "h2.", "cancel.", "proxy.", "tls."]
        let wire = Self.ids { requirement in
            switch requirement.place {
            case .wire, .own, .secure: true
            case .main, .proxied, .elsewhere: groups.contains { requirement.id.hasPrefix($0) }
            }
        }
        #expect(Self.ids(where: \.isOfTheWire) == wire)
    }

    @Test func `steps that tell their requests apart have a URL for each`() {
        #expect(Self.ids { $0.step.isNumbered } == ["concurrent.50", "h2.cancel", "cancel.pool"])
        #expect(
            Self.ids { $0.step.times > 1 } == [
                "concurrent.50", "h2.connection", "h2.streams", "h2.cancel", "h2.settings", "cancel.pool",
            ])
        #expect(Self.ids { $0.surroundings == .netrc } == Self.ids { $0.id.hasPrefix("netrc.") })
        #expect(Self.ids { $0.isOfProxy } == ["proxy.exception"])
        #expect(Self.ids { $0.ability == .cache } == Self.ids { $0.id.hasPrefix("cache.") })
    }

    @Test func `a step offers in parts each thing that a client puts together`() {
        let parts = Dictionary(
            uniqueKeysWithValues: ContractRequirements.all.map { ($0.id, $0.step.parts.names.joined(separator: " ")) })
        #expect(parts["query.plus"] == "query" && parts["url.fragment"] == "" && parts["query.flag"] == "")
        #expect(parts["url.path"] == "" && parts["body.pieces"] == "pieces" && parts["header.basic"] == "user")
        #expect(parts["query.post"] == "query" && parts["query.delimiters"] == "query")
        let step = ContractRequirements.all.first { $0.id == "query.delimiters" }?.step
        #expect(step?.parts.query.map(\.name) == ["q", "r"] && step?.parts.query.map(\.value) == ["a&b#c", "d"])
    }

    @Test func `a server with TLS is called by its certificate's name, and another host by its address`() async throws {
        guard MockServer.Configuration.TLS.isBuilt else { return }
        let directory = try TemporaryDirectory()
        let requirements = ContractRequirements.all.filter {
            ["method.get", "redirect.scheme", "netrc.userinfo", "answer.close"].contains($0.id)
        }
        for isSecure in [true, false] {
            var options = ContractServers.Options()
            options.isSecure = isSecure
            options.tls = MockServer.Configuration.TLS(authorityDirectory: directory.path)
            let servers = try await ContractServers(requirements, options)
            let port = servers.main.baseURL.port ?? 0
            let own = isSecure ? "https://localhost:" : "http://127.0.0.1:"
            #expect(servers.base == "\(own)\(port)")
            let bases = Dictionary(uniqueKeysWithValues: requirements.map { ($0.id, servers.base(of: $0)) })
            #expect(bases["method.get"] == servers.base && bases["redirect.scheme"] == servers.base)
            #expect(bases["answer.close"]?.hasPrefix(own) == true && bases["answer.close"] != servers.base)
            let scheme = isSecure ? "https" : "http"
            #expect(bases["netrc.userinfo"]?.hasPrefix("\(scheme)://127.0.0.1:@127.0.0.2:") == true)
            #expect(servers.hosts.own == "127.0.0.1" && servers.hosts.other == "127.0.0.2")
            await servers.stop()
        }
        withExtendedLifetime(directory) {}
    }
}
