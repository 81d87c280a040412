// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingTesting
import Testing

/// Networkings that are wrong in one way, each found by the requirements it breaks and by no other.
///
/// Each is asked the groups of what it breaks and a few others; with `MOCKAPI_THOROUGH` all that there is.
@Suite("the contract and planted defects", .supervised)
struct PlantedDefectsTests {
    /// What every networking is asked: one of each of the groups that most do right.
    private static let neighbours: Set = [
        "method.get", "query.brackets", "header.value", "body.json", "answer.json", "status.404", "redirect.302",
        "coding.gzip", "delegate.headers", "decode.awaited", "publish.once", "transform.once",
    ]

    @Test(arguments: PlantedDefect.messages + PlantedDefect.delegates + PlantedDefect.publishing + PlantedDefect.wire)
    func aDefectIsFoundByTheRequirementsItBreaksAndByNoOther(_ defect: PlantedDefect) async throws {
        var options = NetworkingContract.Options()
        if !Thoroughness.isThorough {
            options.only = Self.neighbours.union(defect.breaks.map { String($0.prefix { $0 != "." }) })
        }
        let found = try await NetworkingContract.verdicts(on: defect.name, options: options, defect.make)
        let failures = found.failures.map { "\($0.id): \($0.seen)" }
        // What the right one does not meet either says nothing of the defect.
        let ids = Set(found.failures.map(\.id)).subtracting(defect.base.known.keys)
        #expect(ids == defect.breaks, "\(failures)")
    }
}
