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

/// Plays a driver's part in a conversation about the requirements with these ids, or about all.
func conversing(
    notice: Duration = .seconds(10), only ids: Set<String> = [],
    _ body: (ContractConversation, WireClient) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let requirements = ContractRequirements.all.filter { ids.isEmpty || ids.contains($0.id) }
    let conversation = try await ContractConversation(
        requirements, authorityDirectory: directory.path, notice: notice)
    try await body(conversation, try WireClient(port: conversation.server.baseURL.port ?? 0))
    await conversation.stop()
    withExtendedLifetime(directory) {}
}

extension WireClient {
    func report(_ text: String) throws {
        #expect(try request("POST", "/__contract/report", body: text).status == 200)
    }
}

extension ContractConversation {
    func verdict(_ id: String) -> String? {
        verdicts(on: "test").verdicts.first { $0.id == id }.map { "\($0.result.rawValue): \($0.seen)" }
    }
}
