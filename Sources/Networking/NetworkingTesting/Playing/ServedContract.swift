// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

/// The servers that a run meets: with the stubs of every requirement that shares one, or of one requirement.
struct ServedContract {
    private let servers: ContractServers

    /// The requirements that need nothing of their own and share one server.
    private static let shared = ContractPart.all.compactMap { part -> Requirement? in
        guard case .ofAnyClient(let requirement) = part, !part.hasOwnServer else { return nil }
        return requirement
    }
    private static let ofNetworkings = NetworkingRequirements.all.flatMap { $0.stubs }

    /// - Parameter requirements: nil for all that share a server.
    init(_ options: NetworkingContract.Options, playing requirements: [Requirement]? = nil) async throws {
        var configuration = ContractServers.Options()
        configuration.isSecure = options.isSecure
        configuration.tls = options.isSecure ? options.tls : options.tls.ifSpoken
        if requirements == nil { configuration.stubs = Self.ofNetworkings }
        servers = try await ContractServers(requirements ?? Self.shared, configuration)
    }

    /// - Parameter requirements: those that have the servers for themselves; the last is played, an earlier one shows whether requests work at all.
    func stage(_ make: () throws -> any Networking, for requirements: [Requirement] = []) throws -> ContractStage {
        let base = try url(requirements.last.map(servers.base) ?? servers.base)
        let control = try requirements.dropLast().last.map { try url(servers.base(of: $0) + $0.step.target) }
        return ContractStage(
            networking: try make(), base: base, journals: servers.journals, hasConnections: true, control: control)
    }

    private func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }

    func stop() async {
        await servers.stop()
    }
}
