// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import Testing

@testable import MockapiContract

/// The requirements themselves.
@Suite(.supervised) struct RequirementTests {
    @Test func everyRequirementHasAnIdOfItsOwn() {
        let ids = ContractRequirements.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z0-9.-]+/) != nil })
    }

    @Test func noPathOfAStepIsAboveAnother() {
        let paths = ContractRequirements.all.map(\.step.path)
        for path in paths { #expect(!paths.contains { $0.hasPrefix("\(path)/") }) }
    }

    /// A requirement that nobody can fail is none.
    @Test(arguments: ContractRequirements.all.map(\.id))
    func aClientThatDoesNothingMeetsNothing(_ id: String) throws {
        let requirement = try #require(ContractRequirements.all.first { $0.id == id })
        let verdict = requirement.verdict(StepEvidence(requirement.step, outcomes: [], journal: []))
        #expect(verdict.result == .fail)
        #expect(!verdict.seen.isEmpty)
    }

    @Test func everyImageIsOfItsFormat() {
        let starts: [String: [UInt8]] = [
            "png": [0x89, 0x50, 0x4E, 0x47], "jpeg": [0xFF, 0xD8, 0xFF], "gif": Array("GIF8".utf8),
            "webp": Array("RIFF".utf8),
            "svg": Array("<svg".utf8),
        ]
        #expect(Set(ContractImages.all.map(\.name)) == Set(starts.keys))
        for image in ContractImages.all { #expect(image.bytes.starts(with: starts[image.name] ?? [0])) }
    }
}
