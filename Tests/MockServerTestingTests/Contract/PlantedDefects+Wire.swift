// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization
import UpstreamNetworking

extension PlantedDefect {
    /// Those that deal badly with connections and with what goes wrong.
    static let wire = [
        PlantedDefect(
            "follows no redirection",
            breaks: [
                "redirect.301", "redirect.302", "redirect.303", "redirect.307", "redirect.308", "redirect.absolute",
                "redirect.beside", "redirect.above", "redirect.query", "redirect.path", "redirect.fragment",
                "redirect.utf8", "redirect.several", "redirect.head", "redirect.fields", "redirect.303.put",
                "redirect.307.put", "redirect.308.put", "redirect.307.patch", "redirect.scheme", "redirect.letters",
            ]
        ) {
            var configuration = UpstreamNetworker.Configuration()
            configuration.version = .http1
            configuration.redirectLimit = 0
            return UpstreamNetworker(configuration)
        },
        PlantedDefect(
            "treats a truncated body as whole",
            breaks: ["fault.truncated", "fault.length", "fault.chunk.end", "fault.chunk.last"]
        ) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                let count = Counter()
                do throws(URLError) {
                    var seeing = options
                    seeing.progress = { count.set(Int($0.completed)) }
                    return try await networker.send(request, file: file, options: seeing)
                } catch {
                    let received = count.add(0)
                    guard error.code == .networkConnectionLost, received > 0, request.httpBody == nil,
                        let url = request.url,
                        let http = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
                    else { throw error }
                    return DataResponse(data: Data(count: received), http: http)
                }
            }
        },
        PlantedDefect("leaks on cancel", breaks: ["cancel.ends", "cancel.published"]) { leaking() },
        PlantedDefect(
            "does not notice that it is cancelled", breaks: ["cancel.ends", "cancel.error", "cancel.published"]
        ) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                try await detached { () throws(URLError) in
                    try await networker.send(request, file: file, options: options)
                }.value.get()
            }
        },
        PlantedDefect("opens a connection for each request", breaks: ["connection.reuse"]) { separate(.http1) },
        PlantedDefect(
            "opens a connection for each stream", breaks: ["connection.reuse", "h2.connection"], base: .h2c
        ) { separate(.h2c) },
        PlantedDefect("sends a lost request again, whatever its method", breaks: ["body.once", "body.once.patch"]) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                do throws(URLError) {
                    return try await networker.send(request, file: file, options: options)
                } catch {
                    guard error.code == .networkConnectionLost else { throw error }
                    return try await networker.send(request, file: file, options: options)
                }
            }
        },
        PlantedDefect("refuses more than six fetches at once", breaks: ["concurrent.50", "publish.own"]) {
            refusing(.http1, beyond: 6)
        },
        PlantedDefect(
            "refuses what has no stream at once", breaks: ["concurrent.50", "h2.streams", "h2.settings"], base: .h2c
        ) { refusing(.h2c, beyond: 10) },
        PlantedDefect(
            "calls every error unknown",
            breaks: [
                "body.once", "body.once.patch", "fault.silence", "fault.chunk.end", "fault.chunk.plus",
                "fault.chunk.prefix", "fault.chunk.digits", "fault.chunk.size", "fault.chunk.last",
                "fault.length.minus", "fault.length.two", "fault.empty", "fault.reset", "fault.truncated",
                "fault.length", "fault.chunk",
                "fault.garbage",
                "fault.stall", "redirect.circle", "cancel.error", "tls.unknown",
            ]
        ) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                do throws(URLError) {
                    return try await networker.send(request, file: file, options: options)
                } catch {
                    throw URLError(.unknown)
                }
            }
        },
    ]

    /// A fetch that is cancelled ends, its request does not.
    private static func leaking() -> AlteredNetworking {
        AlteredNetworking { request, file, options, networker throws(URLError) in
            let task = detached { () throws(URLError) in
                try await networker.send(request, file: file, options: options)
            }
            let ends = AsyncStream<Result<DataResponse, URLError>>.makeStream()
            Task { ends.continuation.yield(await task.value) }
            for await result in ends.stream { return try result.get() }
            // The stream ends by itself where the task is cancelled that reads it.
            throw URLError(.cancelled)
        }
    }

    private static func detached(
        _ send: @escaping @Sendable () async throws(URLError) -> DataResponse
    ) -> Task<Result<DataResponse, URLError>, Never> {
        Task.detached {
            do throws(URLError) {
                return .success(try await send())
            } catch {
                return .failure(error)
            }
        }
    }

    private static func refusing(
        _ version: UpstreamNetworker.Configuration.Version, beyond limit: Int
    ) -> AlteredNetworking {
        let count = Counter()
        return AlteredNetworking(ContractClient.upstream(version)) {
            request, file, options, networker throws(URLError) in
            defer { _ = count.add(-1) }
            guard count.add(1) <= limit else { throw URLError(.resourceUnavailable) }
            return try await networker.send(request, file: file, options: options)
        }
    }

    private static func separate(_ version: UpstreamNetworker.Configuration.Version) -> AlteredNetworking {
        AlteredNetworking { request, file, options, _ throws(URLError) in
            try await ContractClient.upstream(version).send(request, file: file, options: options)
        }
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func set(_ number: Int) {
        count.withLock { $0 = number }
    }

    func add(_ number: Int) -> Int {
        count.withLock { count in
            count += number
            return count
        }
    }
}
