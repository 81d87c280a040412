// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Contract
import Foundation
import MockServer
import NetworkingKit

/// The server that a run meets, with the stubs of every requirement, or of one.
struct ServedContract {
    private let server: MockServer
    let base: URL

    static let allStubs = ContractRequirements.stubs + NetworkingRequirements.all.flatMap { $0.stubs }

    init(_ options: NetworkingContract.Options, stubs: [MockStub] = allStubs) async throws {
        var configuration = ContractRequirements.configuration
        configuration.tls = options.tls
        let server = try await MockServer.start(stubs: stubs, configuration: configuration)
        self.server = server
        guard options.isSecure else {
            base = server.baseURL
            return
        }
        guard let port = server.baseURL.port, let url = URL(string: "https://localhost:\(port)") else {
            throw URLError(.badURL)
        }
        base = url
    }

    var journal: Journal { server.journal }

    func stage(_ make: () throws -> any Networking) throws -> ContractStage {
        ContractStage(networking: try make(), base: base, journal: journal, hasConnections: true)
    }

    func stop() async {
        await server.stop()
    }
}
