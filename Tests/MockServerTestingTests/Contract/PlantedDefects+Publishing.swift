// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization
import UpstreamNetworking

extension PlantedDefect {
    /// Those that publish badly, or take something from one request to another.
    static let publishing = [
        publishing("gives its value twice", breaks: ["publish.once"]) { publisher in
            publisher.flatMap { data in
                [data, data].publisher.setFailureType(to: URLError.self)
            }.eraseToAnyPublisher()
        },
        publishing("never completes", breaks: ["publish.once"]) { publisher in
            publisher.append(Empty(completeImmediately: false)).eraseToAnyPublisher()
        },
        publishing("gives nothing for an error", breaks: ["publish.error", "status.published"]) { publisher in
            publisher.catch { _ in Just(Data()).setFailureType(to: URLError.self) }.eraseToAnyPublisher()
        },
        PlantedDefect("mixes up answers", breaks: ["concurrent.50", "publish.own"]) {
            let last = Kept<DataResponse>()
            return AlteredNetworking { request, file, options, networker throws(URLError) in
                let response = try await networker.send(request, file: file, options: options)
                guard request.url?.query?.hasPrefix("n=") == true else { return response }
                return last.exchange(response) ?? response
            }
        },
        PlantedDefect("takes a field to the next request", breaks: ["header.own"]) {
            let last = Kept<String>()
            return AlteredNetworking { request, file, options, networker throws(URLError) in
                var request = request
                let value = request.value(forHTTPHeaderField: "X-Contract")
                if let kept = last.exchange(value), value == nil {
                    request.setValue(kept, forHTTPHeaderField: "X-Contract")
                }
                return try await networker.send(request, file: file, options: options)
            }
        },
        PlantedDefect("takes cookies to every request", breaks: ["cookie.request"]) {
            let last = Kept<String>()
            return AlteredNetworking { request, file, options, networker throws(URLError) in
                var request = request
                if let cookie = last.exchange(nil) { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
                let response = try await networker.send(request, file: file, options: options)
                let cookie = response.http.value(forHTTPHeaderField: "Set-Cookie")?.split(separator: ";").first
                _ = last.exchange(cookie.map(String.init))
                return response
            }
        },
        request("sends nothing where it expects 100", breaks: ["body.continue"]) {
            if $0.value(forHTTPHeaderField: "Expect") != nil { $0.httpBody = nil }
        },
        request("expects 100 of requests without content", breaks: ["header.expect"]) {
            if $0.httpBody == nil { $0.setValue("100-continue", forHTTPHeaderField: "Expect") }
        },
        PlantedDefect("tells the first value of a field", breaks: ["answer.header", "answer.repeats"]) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                let response = try await networker.send(request, file: file, options: options)
                var fields: [String: String] = [:]
                for (name, value) in response.headers { fields[name] = value.components(separatedBy: ", ")[0] }
                guard
                    let http = HTTPURLResponse(
                        url: response.http.url ?? URL(filePath: "/"), statusCode: response.status, httpVersion: nil,
                        headerFields: fields)
                else { return response }
                return DataResponse(data: response.data, http: http, file: response.file)
            }
        },
        PlantedDefect(
            "asks again at once for what is busy", breaks: ["status.retry-after", "status.retry-after.date"]
        ) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                let response = try await networker.send(request, file: file, options: options)
                return response.status == 503
                    ? try await networker.send(request, file: file, options: options) : response
            }
        },
    ]

    /// One that makes another publisher of each that it should give.
    private static func publishing(
        _ name: String, breaks: Set<String>,
        _ change: @escaping @Sendable (AnyPublisher<Data, URLError>) -> AnyPublisher<Data, URLError>
    ) -> PlantedDefect {
        PlantedDefect(name, breaks: breaks) { RepublishingNetworking(change) }
    }
}

/// A networking whose publishers are made anew.
private final class RepublishingNetworking: Networking {
    private let networker = ContractClient.upstream(.http1)
    private let change: @Sendable (AnyPublisher<Data, URLError>) -> AnyPublisher<Data, URLError>

    init(_ change: @escaping @Sendable (AnyPublisher<Data, URLError>) -> AnyPublisher<Data, URLError>) {
        self.change = change
    }

    var delegate: (any NetworkingDelegate)? {
        get { networker.delegate }
        set { networker.delegate = newValue }
    }

    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> { change(networker.fetch(request)) }

    func data(for request: any Request) async throws -> Data { try await networker.data(for: request) }

    func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        try await networker.response(for: request, options)
    }
}

/// What was kept last, in exchange for what is to be kept now.
private final class Kept<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func exchange(_ next: Value?) -> Value? {
        value.withLock { value in
            let last = value
            value = next
            return last
        }
    }
}
