// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContract
import NetworkingCore

/// Something that only a `Networking` can be asked, about delegates, publishers and decoding.
struct NetworkingRequirement: Sendable {
    /// How long a requirement may take until it is a hang. 30 s.
    private static let limit = Duration.seconds(30)

    let id: String
    let title: String
    let expected: String
    let stubs: [MockStub]
    /// Whether it is about connections, so that a networking without any is not concerned.
    var isOfTheWire = false
    private let play: @Sendable (NetworkingTrial) async throws -> Judgement

    /// - Parameter stubs: the stubs of the server at the requirement's path; 200 and `ok` if nothing is said.
    init(
        _ id: String, _ title: String, expected: String, isOfTheWire: Bool = false,
        stubs: (String) -> [MockStub] = { [RequestMatch.any($0).respond(body: "ok")] },
        play: @escaping @Sendable (NetworkingTrial) async throws -> Judgement
    ) {
        self.id = id
        self.title = title
        self.expected = expected
        self.isOfTheWire = isOfTheWire
        self.stubs = stubs(Step(id).path)
        self.play = play
    }

    func verdict(_ stage: ContractStage) async -> Verdict {
        let trial = NetworkingTrial(stage: stage, path: Step(id).path)
        let task = Task { try await play(trial) }
        switch await task.result(within: Self.limit) {
        case .success(.pass): return Verdict(id, title, .pass, expected: expected)
        case .success(.advice(let text)): return Verdict(id, title, .pass, expected: expected, note: text)
        case .success(.fail(let seen)): return Verdict(id, title, .fail, expected: expected, seen: seen)
        case .success(.notApplicable(let why)):
            return Verdict(id, title, .notApplicable, expected: expected, seen: why)
        case .failure(let error):
            return Verdict(id, title, .fail, expected: expected, seen: StepOutcome(error).summary)
        case nil:
            let seen = StepOutcome(.hang, "no end after \(Self.limit.components.seconds) s").summary
            return Verdict(id, title, .fail, expected: expected, seen: seen)
        }
    }
}
