// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import NetworkingTesting
import TestSupport
import Testing

/// Networkings that are wrong in one way, each found by the requirements it breaks and by no other.
@Suite("the contract and planted defects", .supervised)
struct PlantedDefectsTests {
    @Test(arguments: PlantedDefect.messages + PlantedDefect.delegates + PlantedDefect.wire)
    func aDefectIsFoundByTheRequirementsItBreaksAndByNoOther(_ defect: PlantedDefect) async throws {
        let found = try await NetworkingContract.verdicts(on: defect.name, defect.make)
        let failures = found.failures.map { "\($0.id): \($0.seen)" }
        // What the right one does not meet either says nothing of the defect.
        let ids = Set(found.failures.map(\.id)).subtracting(defect.base.known.keys)
        #expect(ids == defect.breaks, "\(failures)")
    }
}
