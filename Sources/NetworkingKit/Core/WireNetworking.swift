// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A networking that exchanges a request for a response, and leaves to this protocol what all such have in common.
///
/// One `fetch` goes: `urlRequest()`, the headers of the delegate, `send`, `networking(_:didReceive:)`, the status; then the delegate's
/// transformation has the last word.
public protocol WireNetworking: Networking {
    var acceptedStatuses: AcceptedStatuses { get }

    /// Sends a request just as it stands.
    ///
    /// - Parameter file: what is sent as its body; nil for the body it has.
    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse
}

extension WireNetworking {
    // Disfavoured, so that a request with an output of its own is decoded where nothing says that its data is wanted.
    @_disfavoredOverload
    public func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        let publisher = TaskPublisher { try await data(for: request) }
            .mapError { URLError(fetching: $0, url: request.url) }
            .eraseToAnyPublisher()
        return delegate?.networking(self, transformPublisher: publisher) ?? publisher
    }

    @_disfavoredOverload
    public func fetch(_ request: any Request) async throws -> Data {
        guard let delegate else { return try await data(for: request) }
        return try await delegate.networking(self, transformFetch: { try await data(for: request) })
    }

    public func response(to request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        let urlRequest = try request.wireRequest(delegate: delegate?.headers(for: self) ?? [:])
        let response = try await send(urlRequest, file: request.bodyFile, options: options)
        delegate?.networking(self, didReceive: response.http)
        return response
    }

    private func data(for request: any Request) async throws -> Data {
        let response = try await response(to: request)
        guard acceptedStatuses.contains(response.status) else {
            throw HTTPStatusError(method: request.method, url: response.http.url ?? request.url, response: response)
        }
        return response.data
    }
}
