// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import UpstreamNetworking

/// A networking that lets its delegate's headers win, be they the request's own or those of a bare URLRequest's framing.
final class OverwritingNetworking: WireNetworking {
    let acceptedStatuses = AcceptedStatuses.successful
    private let reference = DelegateReference()
    private let networker = Networker()

    var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        try await networker.send(request, file: file, options: options)
    }

    func response(to request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        var urlRequest = try request.urlRequest()
        for (name, value) in delegate?.headers(for: self) ?? [:] {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let response = try await send(urlRequest, file: request.bodyFile, options: options)
        delegate?.networking(self, didReceive: response.http)
        return response
    }
}
