// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What sends requests.
///
/// `Networker` does so by URLSession; a double in a test needs no more than `delegate` and the first `fetch`.
public protocol Networking: Sendable {
    /// Who adds headers and sees what comes; held weakly.
    var delegate: (any NetworkingDelegate)? { get set }

    /// The data of the answer to a request.
    ///
    /// Each subscription sends the request anew and asks the delegate for its headers anew. To cancel the subscription cancels the request.
    @_disfavoredOverload
    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError>

    /// The data of the answer to a request.
    ///
    /// To cancel the task cancels the request.
    /// - Throws: `HTTPStatusError` where the status is not accepted, `RequestError` where there is nothing to send, else `URLError`.
    @_disfavoredOverload
    func fetch(_ request: any Request) async throws -> Data

    /// The whole answer, whatever its status; the delegate adds its headers but transforms nothing.
    func response(to request: any Request, _ options: TransferOptions) async throws -> DataResponse

    /// Where `fetchWithCache` keeps data; nil where nothing is kept.
    var cache: RequestCache<Data>? { get }
}

extension Networking {
    @_disfavoredOverload
    public func fetch(_ request: any Request) async throws -> Data {
        do {
            return try await fetch(request).firstValue()
        } catch let error as URLError {
            throw error.mostSpecific
        }
    }

    /// What `fetch` gives, with the status of its error or 200.
    public func response(to request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        do {
            let data: Data = try await fetch(request)
            let response = DataResponse(data: data, http: try .plain(request.url, status: 200))
            return options.isDownload ? try response.inFile() : response
        } catch let error as HTTPStatusError {
            return error.response
        }
    }

    /// The whole answer, whatever its status.
    public func response(to request: any Request) async throws -> DataResponse {
        try await response(to: request, TransferOptions())
    }

    public var cache: RequestCache<Data>? { nil }
}
