// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiContract
import NetworkingCore
import Synchronization

extension NetworkingRequirements {
    static let delegate = [
        NetworkingRequirement(
            "delegate.headers", "the delegate's headers are on every request",
            expected: "X-Contract-Delegate: delegate, 4 times"
        ) { trial in
            let delegate = NumberingDelegate(["X-Contract-Delegate": "delegate"])
            try await fetchFourTimes(trial, delegate)
            let values = trial.values("X-Contract-Delegate")
            return values == Array(repeating: "delegate", count: 4) ? .pass : .fail(Self.text(values))
        },
        NetworkingRequirement(
            "delegate.anew", "the delegate is asked again for each request", expected: "1, 2, 3, 4"
        ) { trial in
            let delegate = NumberingDelegate()
            try await fetchFourTimes(trial, delegate)
            let values = trial.values(NumberingDelegate.field)
            if values.allSatisfy({ $0 == nil }) { return withoutHeaders }
            return values == ["1", "2", "3", "4"] ? .pass : .fail(Self.text(values))
        },
        NetworkingRequirement(
            "delegate.subscription", "the delegate is asked again for each subscription", expected: "1, 2"
        ) { trial in
            let delegate = NumberingDelegate()
            let publisher: AnyPublisher<Data, URLError> = trial.networking(delegate).fetch(try trial.request())
            _ = try await publisher.firstValue()
            _ = try await publisher.firstValue()
            let values = withExtendedLifetime(delegate) { trial.values(NumberingDelegate.field) }
            if values.allSatisfy({ $0 == nil }) { return withoutHeaders }
            return values == ["1", "2"] ? .pass : .fail(Self.text(values))
        },
        NetworkingRequirement(
            "delegate.own", "a request's own header wins over the delegate's", expected: "X-Contract-Delegate: request"
        ) { trial in
            let delegate = NumberingDelegate(["x-contract-delegate": "delegate"])
            var request = try trial.request()
            request.headers = ["X-Contract-Delegate": "request"]
            _ = try await trial.fetch(request, trial.networking(delegate))
            let values = withExtendedLifetime(delegate) { trial.values("X-Contract-Delegate") }
            return values == ["request"] ? .pass : .fail(Self.text(values))
        },
        reserved,
        NetworkingRequirement(
            "delegate.weak", "the networking does not keep its delegate", expected: "the delegate is released"
        ) { trial in
            let isReleased = await released(trial)
            guard !trial.entries.isEmpty else { return .fail("no request came") }
            return isReleased ? .pass : .fail("the delegate lives as long as the networking")
        },
        NetworkingRequirement(
            "delegate.gone", "a fetch goes on without headers when its delegate is gone",
            expected: "200, no header of the delegate"
        ) { trial in
            guard await released(trial) else { return .notApplicable("the networking keeps its delegate") }
            let data = try await trial.fetch(try trial.request())
            guard data == Data("ok".utf8) else { return .fail("\(data.count) bytes") }
            let value = trial.values("X-Contract-Delegate").last ?? nil
            return value == nil ? .pass : .fail("X-Contract-Delegate: \(value ?? "")")
        },
        NetworkingRequirement(
            "delegate.receives", "the delegate gets each response, whatever its status", expected: "200, 404",
            stubs: { path in
                [RequestMatch.any(path).respond(inTurn: [MockResponse(200), MockResponse(404)])]
            }
        ) { trial in
            let witness = ResponseSpy()
            let networking = trial.networking(witness)
            _ = try await trial.fetch(try trial.request(), networking)
            _ = try? await trial.fetch(try trial.request(), networking)
            return Judging.equal(witness.responses.map { "\($0.statusCode)" }.joined(separator: ", "), "200, 404")
        },
    ]

    private static let reserved = NetworkingRequirement(
        "delegate.reserved", "the delegate overwrites no field that frames the message",
        expected: "one request, framed as ever"
    ) { trial in
        let fields = [
            "Host", "Content-Length", "Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        ]
        var others = Dictionary(uniqueKeysWithValues: fields.map { ($0, "contract") })
        others["Content-Length"] = "1"
        others["Transfer-Encoding"] = "chunked"
        let delegate = NumberingDelegate(others)
        var request = try trial.request()
        request.method = .post
        request.headers = ["Content-Type": "text/plain"]
        request.body = Data("content".utf8)
        _ = try await trial.fetch(request, trial.networking(delegate))
        let entries = withExtendedLifetime(delegate) { trial.entries }
        return Judging.one(entries) { entry in
            let ours = entry.fields.filter { field in
                others.contains { $0.key.lowercased() == field.name.lowercased() && $0.value == field.value }
            }
            if let field = ours.first { return .fail("\(field.name): \(field.value)") }
            if entry.request.authority == "contract" { return .fail("authority contract") }
            return Judging.bytes(entry.body, Array("content".utf8))
        }
    }

    /// Both forms, twice each.
    private static func fetchFourTimes(_ trial: NetworkingTrial, _ delegate: NumberingDelegate) async throws {
        let networking = trial.networking(delegate)
        for _ in 0..<2 {
            _ = try await trial.fetch(try trial.request(), networking)
            _ = try await trial.published(try trial.request(), networking)
        }
        withExtendedLifetime(delegate) {}
    }

    /// Fetches with a delegate that nobody else keeps.
    ///
    /// - Returns: whether the delegate goes, which is waited for: a fetch that has ended may still have some of it.
    private static func released(_ trial: NetworkingTrial) async -> Bool {
        weak var seen: NumberingDelegate?
        do {
            let delegate = NumberingDelegate(["X-Contract-Delegate": "delegate"])
            seen = delegate
            _ = try? await trial.fetch(trial.request(), trial.networking(delegate))
            withExtendedLifetime(delegate) {}
        }
        let deadline = ContinuousClock.now + StepPlayer.notice
        while seen != nil, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(5)) }
        return seen == nil
    }

    private static let withoutHeaders = Judgement.notApplicable("no header of the delegate comes at all")

    private static func text(_ values: [String?]) -> String {
        values.isEmpty ? "no request" : values.map { $0 ?? "none" }.joined(separator: ", ")
    }
}
