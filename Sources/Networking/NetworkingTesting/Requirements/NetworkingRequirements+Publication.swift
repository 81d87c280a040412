// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore
import Synchronization

extension NetworkingRequirements {
    static let publication = [
        NetworkingRequirement(
            "publish.once", "a publisher gives one value", expected: "1 value, then the end"
        ) { trial in
            let seen = await Subscription.whole(of: trial.networking.fetch(try trial.request()))
            return Judging.equal(seen, "1 value, then the end")
        },
        NetworkingRequirement(
            "publish.error", "a publisher that fails gives no value", expected: "0 values, then an error",
            stubs: { [RequestMatch.any($0).respond(fault: .emptyResponse)] }
        ) { trial in
            let seen = await Subscription.whole(of: trial.networking.fetch(try trial.request()))
            guard !trial.entries.isEmpty else { return .fail("no request came") }
            return Judging.equal(seen, "0 values, then an error")
        },
        NetworkingRequirement(
            "publish.own", "publishers at once each give the response of their own request",
            expected: "0 1 2 3 4 5 6 7",
            stubs: { path in
                (0..<8).map { index in
                    RequestMatch.any("\(path)?n=\(index)").respond(
                        body: .text("\(index)"), delay: .milliseconds((8 - index) * 5))
                }
            }
        ) { trial in
            let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for index in 0..<8 {
                    group.addTask {
                        let data = try await trial.published(try trial.request("?n=\(index)"), trial.networking)
                        return (index, String(decoding: data, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            return Judging.equal((0..<8).map { texts[$0] ?? "none" }.joined(separator: " "), "0 1 2 3 4 5 6 7")
        },
        NetworkingRequirement(
            "body.continue", "content arrives whose request expects 100 (RFC 9110 §10.1.1)",
            expected: "7 bytes as they were sent, and ok"
        ) { trial in
            var request = try trial.request()
            request.method = .post
            request.headers = ["Content-Type": "text/plain", "Expect": "100-continue"]
            request.body = Data("content".utf8)
            let data = try await trial.fetch(request)
            guard data == Data("ok".utf8) else { return .fail("\(data.count) bytes") }
            return Judging.one(trial.entries) { Judging.bytes($0.body, Array("content".utf8)) }
        },
        NetworkingRequirement(
            "cookie.request", "a cookie of one path does not go along with a request to another", expected: "no Cookie",
            stubs: { path in
                [
                    RequestMatch.any(path).respond(
                        headers: ["Set-Cookie": "contract=request; Path=\(path)/inner"], body: "ok")
                ]
            }
        ) { trial in
            _ = try await trial.fetch(try trial.request())
            _ = try await trial.fetch(try trial.request())
            return second(of: trial.entries, has: "Cookie")
        },
        NetworkingRequirement(
            "header.own", "a field of one request does not go along with another", expected: "no X-Contract"
        ) { trial in
            var first = try trial.request()
            first.headers = ["X-Contract": "own"]
            _ = try await trial.fetch(first)
            _ = try await trial.fetch(try trial.request())
            return second(of: trial.entries, has: "X-Contract")
        },
    ]

    /// Judges that the second of two requests lacks a field.
    private static func second(of entries: [JournalEntry], has name: String) -> Judgement {
        guard entries.count == 2 else { return .fail(Judging.count(entries)) }
        let values = entries[1].values(name)
        return values.isEmpty ? .pass : .fail("\(name): \(values.joined(separator: "; "))")
    }
}

/// The values and the end that a subscriber sees of a publisher.
private final class Subscription: Sendable {
    /// How long a publisher is watched that does not end, and another value is waited for after the end. 5 s, 20 ms.
    private static let limit = Duration.seconds(5)
    private static let silence = Duration.milliseconds(20)

    private struct State {
        var values = 0
        var end: String?
    }

    private let state = Mutex(State())

    /// `1 value, then the end`.
    static func whole(of publisher: AnyPublisher<Data, URLError>) async -> String {
        let subscription = Subscription()
        let cancellable = publisher.sink { completion in
            subscription.state.withLock { state in
                if case .failure = completion { state.end = "an error" } else { state.end = "the end" }
            }
        } receiveValue: { _ in
            subscription.state.withLock { $0.values += 1 }
        }
        let deadline = ContinuousClock.now + limit
        while subscription.state.withLock({ $0.end == nil }), ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(5))
        }
        try? await Task.sleep(for: silence)
        cancellable.cancel()
        return subscription.state.withLock { state in
            "\(state.values) \(state.values == 1 ? "value" : "values"), then \(state.end ?? "no end")"
        }
    }
}
