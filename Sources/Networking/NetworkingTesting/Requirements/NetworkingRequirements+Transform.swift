// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

extension NetworkingRequirements {
    static let transformation =
        [Form.awaited, .published].flatMap { form in
            [
                NetworkingRequirement(
                    "transform.once.\(form.rawValue)", "the delegate transforms a fetch that is \(form.rawValue) once",
                    expected: "1 call"
                ) { trial in
                    let delegate = TransformingDelegate { $0 }
                    _ = try await form.fetch(try trial.request(), trial, trial.networking(delegate))
                    let count = withExtendedLifetime(delegate) { delegate.timesAsked }
                    return count == 1 ? .pass : .fail("\(count) calls")
                },
                NetworkingRequirement(
                    "transform.result.\(form.rawValue)",
                    "the caller of a fetch that is \(form.rawValue) gets the delegate's result",
                    expected: "transformed: ok"
                ) { trial in
                    let delegate = TransformingDelegate { publisher in
                        publisher.map { Data("transformed: ".utf8) + $0 }.eraseToAnyPublisher()
                    }
                    let data = try await form.fetch(try trial.request(), trial, trial.networking(delegate))
                    return withExtendedLifetime(delegate) {
                        Judging.equal(String(decoding: data, as: UTF8.self), "transformed: ok")
                    }
                },
            ]
        } + [
            NetworkingRequirement(
                "transform.retry", "a delegate that subscribes again sends the request again",
                expected: "2 requests, the second response",
                stubs: { path in
                    [RequestMatch.any(path).respond(inTurn: [MockResponse(503), MockResponse(body: "second")])]
                }
            ) { trial in
                let delegate = TransformingDelegate { $0.retry(1).eraseToAnyPublisher() }
                let data = try await trial.fetch(try trial.request(), trial.networking(delegate))
                let count = withExtendedLifetime(delegate) { trial.entries.count }
                guard count == 2 else { return .fail("\(count) \(count == 1 ? "request" : "requests")") }
                return Judging.equal(String(decoding: data, as: UTF8.self), "second")
            }
        ]

    /// How a fetch is asked for.
    enum Form: String {
        case awaited
        case published

        func fetch(
            _ request: any Request, _ trial: NetworkingTrial, _ networking: any Networking
        ) async throws -> Data {
            switch self {
            case .awaited: try await trial.fetch(request, networking)
            case .published: try await trial.published(request, networking)
            }
        }
    }
}
