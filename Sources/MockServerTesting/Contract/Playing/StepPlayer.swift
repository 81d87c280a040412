// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Contract
import Foundation
import MockServer
import NetworkingKit

/// Plays a requirement that any client can be put to through a networking.
struct StepPlayer {
    /// How much longer than a step's time-out a fetch may take before it is a hang. 5 s.
    static let margin = Duration.seconds(5)
    /// How long the server may take to see that a client has given up. 10 s: a client on a machine that is busy with much else takes seconds
    /// to close what it has given up.
    static let notice = Duration.seconds(10)

    let requirement: Requirement

    private var step: Step { requirement.step }

    func verdict(_ stage: ContractStage) async throws -> Verdict {
        let witness = AnswerWitness()
        var stage = stage
        stage.networking.delegate = witness
        let outcomes = try await outcomes(stage)
        if step.cancellation != nil, stage.hasConnections {
            let path = step.path
            _ = await stage.journal(within: Self.notice) { journal in
                journal.entries.contains { $0.target == path && $0.abandonment != nil }
            }
        }
        let told = outcomes.map { Self.completed($0, witness, times: step.times) }
        let evidence = StepEvidence(step, outcomes: told, journal: stage.journal.entries)
        return withExtendedLifetime((stage, witness)) { requirement.verdict(evidence) }
    }

    private func outcomes(_ stage: ContractStage) async throws -> [StepOutcome] {
        let request = try ContractRequest(step, stage)
        return await withTaskGroup(of: StepOutcome.self) { group in
            for _ in 0..<step.times {
                group.addTask { await outcome(request, stage) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func outcome(_ request: ContractRequest<Data>, _ stage: ContractStage) async -> StepOutcome {
        let networking = stage.networking
        let limit = Duration.seconds(step.timeout) + Self.margin
        let task = Task { () async throws -> Data in try await networking.fetch(request as any Request) }
        if step.cancellation != nil {
            let path = step.path
            _ = await stage.journal(within: Self.margin) { $0.entries.contains { $0.target == path } }
            task.cancel()
        }
        switch await task.result(within: step.cancellation == nil ? limit : Self.margin) {
        case .success(let data): return StepOutcome(status: 200, body: Array(data))
        case .failure(let error): return StepOutcome(error)
        case nil: return StepOutcome(.hang, "no end after \(limit.components.seconds) s")
        }
    }

    /// An outcome with the status and the fields that only the delegate is told.
    ///
    /// Data that was given for a status of an error stays what the fetch made of it, a success.
    private static func completed(_ outcome: StepOutcome, _ witness: AnswerWitness, times: Int) -> StepOutcome {
        guard outcome.failure == nil, outcome.status == 200, outcome.headers.isEmpty, times == 1,
            let answer = witness.answers.last, (200..<300).contains(answer.statusCode)
        else { return outcome }
        return StepOutcome(
            status: answer.statusCode, headers: answer.allHeaderFields.map { (name: "\($0)", value: "\($1)") },
            body: outcome.body)
    }
}
