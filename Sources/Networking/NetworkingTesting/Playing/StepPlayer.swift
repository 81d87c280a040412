// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

/// Plays a requirement that any client can be put to through a networking.
struct StepPlayer {
    /// How much longer than a step's time-out a fetch may take before it is a hang. 5 s.
    static let margin = Duration.seconds(5)
    /// How long the server may take to see that a client has given up. 10 s: a client on a machine that is busy with much else takes seconds
    /// to close the connections that it has given up.
    static let notice = Duration.seconds(10)
    /// When another reason is looked for, if it does not see that. 2 s.
    static let soon = Duration.seconds(2)

    let requirement: Requirement

    private var step: Step { requirement.step }

    func verdict(_ stage: ContractStage) async throws -> Verdict {
        let witness = ResponseSpy()
        var stage = stage
        stage.networking.delegate = witness
        if let control = stage.control {
            _ = try? await stage.networking.data(for: ContractRequest(control))
        }
        if let target = step.warmUp {
            let request = try ContractRequest(stage.url(target))
            _ = try? await stage.networking.data(for: request)
        }
        let sockets = HeldSockets()
        let outcomes = try await outcomes(stage, sockets)
        if step.cancellation != nil, stage.hasConnections { _ = await stage.seesEnd(of: step.target(0), sockets) }
        let told = outcomes.map { Self.completed($0, witness, times: step.times) }
        var evidence = StepEvidence(
            step, outcomes: told, journal: stage.journal, base: stage.base.absoluteString, tellsKinds: true)
        evidence.isClosedByClient = sockets.isClosed(evidence.run, step.target(0))
        return withExtendedLifetime((stage, witness)) { requirement.verdict(evidence) }
    }

    private func outcomes(_ stage: ContractStage, _ sockets: HeldSockets) async throws -> [StepOutcome] {
        let requests = try (0..<step.times).map { try ContractRequest(step, $0, stage) }
        return await withTaskGroup(of: StepOutcome.self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    let isCancelled = step.cancellation != nil && index == 0
                    var outcome = await outcome(request, stage, cancelling: isCancelled ? sockets : nil)
                    outcome.index = index
                    return outcome
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func outcome(
        _ request: ContractRequest<Data>, _ stage: ContractStage, cancelling sockets: HeldSockets?
    ) async -> StepOutcome {
        let networking = stage.networking
        let limit = Duration.seconds(step.timeout) + Self.margin
        let task = Task { () async throws -> Data in try await networking.data(for: request) }
        if let sockets {
            let targets = Set((0..<step.times).map(step.target))
            _ = await stage.journal(within: Self.margin) { targets.isSubset(of: $0.map(\.target)) }
            sockets.note(stage.journal, step.target(0))
            task.cancel()
        }
        switch await task.result(within: sockets == nil ? limit : Self.margin) {
        case .success(let data): return StepOutcome(status: nil, body: Array(data))
        case .failure(let error): return StepOutcome(error)
        case nil: return StepOutcome(.hang, "no end after \(limit.components.seconds) s")
        }
    }

    /// An outcome with the status and the fields that only the delegate is reported.
    ///
    /// Data that was given for a status of an error stays a success, as the fetch reported it.
    private static func completed(_ outcome: StepOutcome, _ witness: ResponseSpy, times: Int) -> StepOutcome {
        guard outcome.failure == nil, outcome.status == nil, times == 1, let response = witness.responses.last,
            (200..<300).contains(response.statusCode)
        else { return outcome }
        var completed = outcome
        completed.status = response.statusCode
        completed.headers = response.allHeaderFields.map { (name: "\($0)", value: "\($1)") }
        return completed
    }
}
