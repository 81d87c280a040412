// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingTesting
import Testing

/// The tables of `docs/contract` say what a run says; `docs/contract/update` writes them.
@Suite("the verdicts in the documents", .supervised)
struct VerdictPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/contract")
    private static let isUpdate = ProcessInfo.processInfo.environment["CONTRACT_VERDICTS"] == "write"

    @Test(arguments: ContractClient.allCases)
    func aTableIsThatOfARun(_ client: ContractClient) async throws {
        let verdicts = try await client.verdicts()
        let page = Self.folder.appendingPathComponent("\(client.rawValue).md")
        if Self.isUpdate { try text(verdicts).write(to: page, atomically: true, encoding: .utf8) }
        let written = rows(of: try String(contentsOf: page, encoding: .utf8))
        #expect(written.map(\.id) == verdicts.requirements.map(\.id), "run docs/contract/update")
        // A reset that waits for the connection's next frame goes out in time where there happens to be one.
        let byChance = Set(client.known.filter { $0.value == ContractClient.late }.keys)
        for (row, requirement) in zip(written, verdicts.requirements) where !byChance.contains(requirement.id) {
            #expect(
                row.verdict == requirement.outcome.rawValue,
                "\(client.name), \(requirement.id): \(requirement.seen); is the page out of date? docs/contract/update")
        }
        #expect(Set(verdicts.failures.map(\.id)).union(byChance) == Set(client.known.keys))
        #expect(verdicts.failures.allSatisfy { !$0.note.isEmpty })
    }

    private func text(_ verdicts: ContractVerdicts) -> String {
        """
        # The verdicts on \(verdicts.client)

        What is asked, and how to ask it of a networking of one's own: [networking.md](networking.md). Written by `docs/contract/update`.

        \(verdicts.markdown)
        """
    }

    /// The first and the last cell of each row.
    private func rows(of page: String) -> [(id: String, verdict: String)] {
        page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return ((cells.first ?? "").replacing("`", with: ""), cells.last ?? "")
        }
    }
}
