// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContract

/// A requirement of either kind: for any client, or only for a networking.
enum ContractPart: Sendable {
    case ofAnyClient(Requirement)
    case ofNetworking(NetworkingRequirement)

    static let all =
        ContractRequirements.all.filter { !$0.isOfOtherProcesses }.map(ContractPart.ofAnyClient)
        + NetworkingRequirements.all.map(ContractPart.ofNetworking)

    /// Where redirections to other origins lead when there are no servers.
    private static let origins = OtherOrigins(
        host: "http://elsewhere.example", port: "http://elsewhere.example:81", plain: "http://elsewhere.example")

    var id: String {
        switch self {
        case .ofAnyClient(let requirement): requirement.id
        case .ofNetworking(let requirement): requirement.id
        }
    }

    /// The stubs of a networking without servers.
    var stubs: [MockStub] {
        switch self {
        case .ofAnyClient(let requirement):
            requirement.stubs + (requirement.redirecting?(Self.origins) ?? [])
        case .ofNetworking(let requirement): requirement.stubs
        }
    }

    var runsAlone: Bool {
        switch self {
        case .ofAnyClient(let requirement): requirement.step.times > 2
        case .ofNetworking: false
        }
    }

    /// Whether it is played on a server that nothing else asks, so that networkings which share their connections share none with others.
    var hasOwnServer: Bool {
        switch self {
        case .ofAnyClient(let requirement):
            if case .main = requirement.place {
                requirement.step.warmUp != nil || requirement.redirecting != nil
            } else {
                true
            }
        case .ofNetworking: false
        }
    }

    /// The requirements that its servers play: this one, and the one that it rests on.
    var playedApart: [Requirement] {
        guard case .ofAnyClient(let requirement) = self else { return [] }
        guard let other = requirement.restsOn else { return [requirement] }
        return ContractRequirements.all.filter { $0.id == other } + [requirement]
    }

    func verdict(_ stage: ContractStage) async throws -> Verdict {
        switch self {
        case .ofAnyClient(let requirement):
            let expected = requirement.expectedOfNetworking
            if requirement.isOfTheWire, !stage.hasConnections {
                return Self.withoutConnections(requirement.id, requirement.title, expected)
            }
            var verdict = try await StepPlayer(requirement: requirement).verdict(stage)
            verdict.expected = expected
            return verdict
        case .ofNetworking(let requirement):
            if requirement.isOfTheWire, !stage.hasConnections {
                return Self.withoutConnections(requirement.id, requirement.title, requirement.expected)
            }
            return await requirement.verdict(stage)
        }
    }

    private static func withoutConnections(_ id: String, _ title: String, _ expected: String) -> Verdict {
        Verdict(id, title, .notApplicable, expected: expected, seen: "answers in the process, without a connection")
    }
}

extension Requirement {
    /// The expectation, with the codes of the errors that meet it.
    fileprivate var expectedOfNetworking: String {
        guard !failures.isEmpty else { return expected }
        let codes = StepOutcome.Failure.allCases.filter(failures.contains).flatMap(\.codes).map(\.name)
        let error = "URLError: \(codes.joined(separator: " or "))"
        return isErrorAlone ? error : "\(expected); \(error)"
    }
}
