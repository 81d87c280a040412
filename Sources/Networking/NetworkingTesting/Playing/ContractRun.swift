// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

/// All requirements played with one kind of networking.
struct ContractRun: Sendable {
    /// How many requirements are played side by side. 12.
    private static let width = 12

    let client: String?
    let options: NetworkingContract.Options
    /// Makes a networking for the requirement with these stubs.
    let makeStage: @Sendable ([MockStub]) throws -> ContractStage
    /// Plays a part on a server of its own; nil if there are no servers.
    let playApart: (@Sendable (ContractPart) async throws -> Verdict)?

    func verdicts() async throws -> ContractVerdicts {
        let startedAt = Date().timeIntervalSince1970
        let name = try client ?? "\(type(of: makeStage([]).networking))"
        let all = ContractPart.all.filter { part in
            (options.only.isEmpty || options.only.contains { Requirement.is(part.id, $0) })
                && !options.except.contains { Requirement.is(part.id, $0) }
        }
        // Requirements that send many requests at once are played when nothing else asks for the processor.
        let together = all.indices.filter { !all[$0].runsAlone }
        var verdicts = try await play(together.map { (index: $0, part: all[$0]) })
        for index in all.indices where all[index].runsAlone {
            verdicts[index] = try await verdict(all[index])
        }
        let whole = Requirement.whole(all.indices.compactMap { verdicts[$0] }, of: ContractRequirements.all)
        let table = VerdictTable(
            client: name,
            verdicts: whole.map { verdict in
                var verdict = verdict
                if verdict.result == .fail { verdict.note = options.known[verdict.id] ?? "" }
                return verdict
            })
        return ContractVerdicts(table, startedAt: startedAt)
    }

    private func play(_ parts: [(index: Int, part: ContractPart)]) async throws -> [Int: Verdict] {
        try await withThrowingTaskGroup(of: (Int, Verdict).self) { group in
            var waiting = parts.makeIterator()
            func begin() {
                guard let (index, part) = waiting.next() else { return }
                group.addTask { (index, try await verdict(part)) }
            }
            for _ in 0..<Self.width { begin() }
            var verdicts: [Int: Verdict] = [:]
            while let (index, verdict) = try await group.next() {
                verdicts[index] = verdict
                begin()
            }
            return verdicts
        }
    }

    private func verdict(_ part: ContractPart) async throws -> Verdict {
        let start = ContinuousClock.now
        var verdict: Verdict
        if part.hasOwnServer, let playApart {
            verdict = try await playApart(part)
        } else {
            verdict = try await part.verdict(try makeStage(part.stubs))
        }
        verdict.duration = start.duration(to: .now) / .seconds(1)
        return verdict
    }
}
