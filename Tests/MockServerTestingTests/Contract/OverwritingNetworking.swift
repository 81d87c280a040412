// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization
import UpstreamNetworking

/// A networking that lets its delegate's headers win, be they the request's own or those of a bare URLRequest's framing.
final class OverwritingNetworking: WireNetworking {
    let acceptedStatuses = AcceptedStatuses.successful
    private let proxy = DelegateProxy(keepsDelegate: false)
    private let given = GivenHeaders()
    private let networker = Networker()

    init() {
        let given = given
        proxy.setHeaders { delegate, networking in
            let headers = delegate.headers(for: networking)
            given.headers.withLock { $0 = headers }
            return headers
        }
    }

    var delegate: (any NetworkingDelegate)? {
        get { proxy.target == nil ? nil : proxy }
        set {
            given.headers.withLock { $0 = [:] }
            proxy.target = newValue
        }
    }

    var middlewares: [any Middleware] {
        [
            Intercept { [given, proxy] request, next in
                guard proxy.target != nil else { return try await next(request) }
                var request = request
                for (name, value) in given.headers.withLock({ $0 }) {
                    request.setValue(value, forHTTPHeaderField: name)
                }
                return try await next(request)
            }
        ]
    }

    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        try await networker.send(request, file: file, options: options)
    }
}

/// What the delegate gave last.
private final class GivenHeaders: Sendable {
    let headers = Mutex<[String: String]>([:])
}
