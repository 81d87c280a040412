// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization
import UpstreamNetworking

/// A networking whose delegate is heard by way of another.
final class ProxiedNetworking: Networking {
    private let networker = ContractClient.upstream(.http1)
    private let proxy: DelegateProxy

    init(keepsDelegate: Bool, _ change: (DelegateProxy) -> Void) {
        proxy = DelegateProxy(keepsDelegate: keepsDelegate)
        networker.delegate = proxy
        change(proxy)
    }

    var delegate: (any NetworkingDelegate)? {
        get { proxy.target }
        set { proxy.target = newValue }
    }

    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        networker.fetch(request)
    }

    func data(for request: any Request) async throws -> Data {
        try await networker.data(for: request)
    }

    func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        try await networker.response(for: request, options)
    }
}

/// A delegate that hands on what it is asked, each in a way that may be changed.
final class DelegateProxy: NetworkingDelegate {
    typealias Headers = @Sendable (any NetworkingDelegate, any Networking) -> [String: String]
    typealias Transformation =
        @Sendable (any NetworkingDelegate, any Networking, AnyPublisher<Data, URLError>) -> AnyPublisher<Data, URLError>

    private struct Ways {
        var headers: Headers = { $0.headers(for: $1) }
        var transformation: Transformation = { $0.networking($1, transformPublisher: $2) }
        var tellsOfAnswers = true
        var kept: (any NetworkingDelegate)?
    }

    private let keepsDelegate: Bool
    private let reference = DelegateReference()
    private let ways = Mutex(Ways())

    init(keepsDelegate: Bool) {
        self.keepsDelegate = keepsDelegate
    }

    var target: (any NetworkingDelegate)? {
        get { reference.delegate }
        set {
            reference.delegate = newValue
            if keepsDelegate { ways.withLock { $0.kept = newValue } }
        }
    }

    func setHeaders(_ headers: @escaping Headers) { ways.withLock { $0.headers = headers } }
    func setTransformation(_ transformation: @escaping Transformation) {
        ways.withLock { $0.transformation = transformation }
    }
    func tellNoAnswers() { ways.withLock { $0.tellsOfAnswers = false } }

    func headers(for networking: any Networking) -> [String: String] {
        let headers = ways.withLock { $0.headers }
        return target.map { headers($0, networking) } ?? [:]
    }

    func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError> {
        let transformation = ways.withLock { $0.transformation }
        return target.map { transformation($0, networking, publisher) } ?? publisher
    }

    func networking(_ networking: any Networking, didReceive response: URLResponse) {
        guard ways.withLock({ $0.tellsOfAnswers }) else { return }
        target?.networking(networking, didReceive: response)
    }
}
