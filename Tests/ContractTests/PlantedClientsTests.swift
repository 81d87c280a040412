// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Clients of another language that are wrong in one way, each found by the requirements it breaks and by no other.
///
/// Each is asked what it breaks, the groups of that and a few others; with `MOCKAPI_THOROUGH` all that there is. With `MOCKAPI_SAMPLE` few of
/// them are played. `Judgements` has the judgements on what else a client may do.
@Suite("the contract and planted clients", .serialized, .supervised) struct PlantedClientsTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Drivers/planted").path
    /// How many clients one process plays. 10.
    private static let batch = 10
    private static let played = PlantedClient.all.enumerated()
        .filter { !Thoroughness.isSample || $0.offset % (PlantedClient.all.count / batch + 1) == 0 }.map(\.element)
    /// What every client is asked: one of each of the groups that most clients do right.
    private static let neighbours: Set = [
        "method.get", "query.brackets", "header.value", "body.json", "answer.json", "status.404", "redirect.302",
        "coding.gzip",
    ]

    private func requirements(_ client: PlantedClient) -> [Requirement] {
        if Thoroughness.isThorough { return ContractRequirements.all }
        let groups = Set((Array(client.breaks) + Array(client.among)).map { $0.prefix { $0 != "." } })
        return ContractRequirements.all.filter { requirement in
            Self.neighbours.contains(requirement.id) || groups.contains(requirement.id.prefix { $0 != "." })
        }
    }

    private func job(_ client: PlantedClient, _ conversation: ContractConversation) -> JSONNode {
        var job: [String: JSONNode] = [
            "url": .string(conversation.server.address), "client": .string(client.wire.rawValue),
            "defects": .array(client.defect.isEmpty ? [] : [.string(client.defect)]),
        ]
        job["proxy"] = .string(conversation.server.address)
        if let file = conversation.credentialsFile { job["netrc"] = .string(file) }
        return JSONNode(.object(JSONObject(job.map { .init(name: $0.key, value: $0.value) })))
    }

    @Test(arguments: Array(stride(from: 0, to: played.count, by: batch)))
    func aDefectIsFoundByTheRequirementsItBreaksAndByNoOther(_ start: Int) async throws {
        var clients = Array(Self.played[start..<min(start + Self.batch, Self.played.count)])
        // What has to end before a client asks again may end too late on a busy machine, and the defect has no chance.
        for isLast in [false, false, true] where !clients.isEmpty {
            clients = try await unseen(among: clients, isLast: isLast)
        }
    }

    /// Puts clients to the contract, and returns those whose defects were not all seen, though none was seen that they do not have.
    ///
    /// - Parameter isLast: whether that is an issue.
    private func unseen(among clients: [PlantedClient], isLast: Bool) async throws -> [PlantedClient] {
        var conversations: [(PlantedClient, ContractConversation)] = []
        let directory = try TemporaryDirectory()
        for client in clients {
            let conversation = try await ContractConversation(
                requirements(client), authorityDirectory: directory.path, notice: .seconds(2))
            conversations.append((client, conversation))
        }
        let jobs = JSONWriter.compact(.array(conversations.map(job)))
        let end = try await Command(
            line: ["/usr/bin/python3", "-B", Self.folder + "/planted.py"], content: jobs
        ).end()
        #expect(end.errors == "")
        var unseen: [PlantedClient] = []
        for (client, conversation) in conversations {
            let table = conversation.verdicts(on: client.defect)
            let seen = "\(client.defect), \(client.wire.rawValue): \(table.failures.map { "\($0.id): \($0.seen)" })"
            let broken = Set(table.failures.map(\.id)).union(client.meetsLate)
            let breaks = client.breaks.union(client.meetsLate)
            if client.breaks == ["*"] {
                #expect(Set(table.verdicts.filter { $0.result == .pass }.map(\.id)) == client.meets, "\(seen)")
            } else if !isLast, broken.isStrictSubset(of: breaks) {
                unseen.append(client)
            } else {
                #expect(broken == breaks, "\(seen)")
            }
            if client.breaks.isEmpty { #expect(table.verdicts.contains { $0.result == .pass }) }
            await conversation.stop()
        }
        withExtendedLifetime(directory) {}
        return unseen
    }

    @Test func noClientIsThereTwice() {
        let names = PlantedClient.all.map { "\($0.wire.rawValue) \($0.defect)" }
        #expect(Set(names).count == names.count)
        #expect(PlantedClient.all.count { !$0.breaks.isEmpty } >= 80)
    }
}
