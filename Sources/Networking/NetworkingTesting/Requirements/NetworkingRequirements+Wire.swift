// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

extension NetworkingRequirements {
    static let cancellation = [
        NetworkingRequirement(
            "cancel.error", "a fetch whose task is cancelled ends with URLError.cancelled",
            expected: "URLError.cancelled", stubs: late
        ) { trial in
            guard let result = await cancelled(trial, .awaited, HeldSockets()) else { return .fail("no request came") }
            return judge(result)
        },
        NetworkingRequirement(
            "cancel.published", "a subscription that is cancelled ends its connection or stream",
            expected: "the server sees it", isOfTheWire: true, stubs: late
        ) { trial in
            let sockets = HeldSockets()
            guard await cancelled(trial, .published, sockets) != nil else { return .fail("no request came") }
            let isTold = await trial.stage.seesEnd(of: trial.path, sockets)
            return withExtendedLifetime(trial) { isTold ? .pass : .fail("the server still sends") }
        },
    ]

    private static func late(_ path: String) -> [MockStub] {
        [RequestMatch.any(path).respond(body: "late", delay: .seconds(60))]
    }

    /// The result of a fetch that is cancelled when its request has come; nil if none came.
    private static func cancelled(
        _ trial: NetworkingTrial, _ form: Form, _ sockets: HeldSockets
    ) async -> Result<Data, any Error>? {
        let path = trial.path
        let task = Task {
            var request = try trial.request()
            request.timeout = 30
            return try await form.fetch(request, trial, trial.networking)
        }
        let hasCome = await trial.stage.journal(within: StepPlayer.margin) { journal in
            journal.contains { $0.target == path }
        }
        sockets.note(trial.stage.journal, path)
        task.cancel()
        guard hasCome else { return nil }
        return await task.result(within: StepPlayer.notice) ?? .failure(Hang())
    }

    private static func judge(_ result: Result<Data, any Error>) -> Judgement {
        switch result {
        case .success(let data): return .fail("a response: \(data.count) bytes")
        case .failure(is Hang): return .fail("hang (no end after \(StepPlayer.notice.components.seconds) s)")
        case .failure(let error):
            return (error as? URLError)?.code == .cancelled ? .pass : .fail(StepOutcome(error).summary)
        }
    }

    private struct Hang: Error {}
}
