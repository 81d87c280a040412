// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// An object that takes part in every fetch of a networking; all of it has defaults.
///
/// It is asked for its headers, then for its transformation, and gets each response; each time that the
/// transformation sends again, it is asked for its headers again. It is called on whatever thread the fetch is on.
public protocol NetworkingDelegate: AnyObject, Sendable {
    /// Field lines for a request that is about to be sent; those the request has itself win.
    ///
    /// Asked again for each request, and for each subscription to a publisher but the first. The fields that frame a message are the transport's: Connection, Content-Length, Host, Keep-Alive,
    /// Proxy-Connection, TE, Trailer, Transfer-Encoding and Upgrade are left out.
    func headers(for networking: any Networking) -> [String: String]

    /// Makes another publisher of that of a fetch, to retry or to replace errors for instance; called once for each fetch.
    func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError>

    /// The same for the awaited fetches: calls the function that sends the request, and may call it again.
    ///
    /// If it is not implemented, `networking(_:transformPublisher:)` transforms these too.
    func networking(
        _ networking: any Networking, transformFetch fetch: @escaping @Sendable () async throws -> Data
    ) async throws -> Data

    /// The response to a request has come, whatever its status.
    func networking(_ networking: any Networking, didReceive response: URLResponse)
}

extension NetworkingDelegate {
    public func headers(for networking: any Networking) -> [String: String] { [:] }

    public func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError> {
        publisher
    }

    public func networking(
        _ networking: any Networking, transformFetch fetch: @escaping @Sendable () async throws -> Data
    ) async throws -> Data {
        let publisher = TaskPublisher(fetch).mapError { URLError(fetching: $0, url: nil) }.eraseToAnyPublisher()
        do {
            return try await self.networking(networking, transformPublisher: publisher).firstValue()
        } catch let error as URLError {
            throw error.mostSpecific
        }
    }

    public func networking(_ networking: any Networking, didReceive response: URLResponse) {}
}

/// A weak reference to a delegate that any thread may read and write.
///
/// A property of it is `weak`, too, though it stores nothing: so the compiler warns of a delegate that nobody else keeps.
///
///     private let reference = DelegateReference()
///     weak var delegate: (any NetworkingDelegate)? {
///         get { reference.delegate }
///         set { reference.delegate = newValue }
///     }
public final class DelegateReference: Sendable {
    private struct Weak {
        weak var delegate: (any NetworkingDelegate)?
    }

    private let reference: Mutex<Weak>

    /// Refers to a delegate, weakly.
    public init(_ delegate: (any NetworkingDelegate)? = nil) {
        reference = Mutex(Weak(delegate: delegate))
    }

    /// The delegate; nil if there is none, or it is gone.
    public weak var delegate: (any NetworkingDelegate)? {
        get { reference.withLock { $0.delegate } }
        set { reference.withLock { $0.delegate = newValue } }
    }
}

// MARK: In the chain

/// The delegate of a networking as the outermost link of its chain: adds its headers, and has its transformation around all that follows.
///
/// One is made for each exchange.
final class DelegateMiddleware: Middleware {
    private let networking: any WireNetworking
    private let request: any Request
    /// The headers for the first time that the request is sent: they are asked for before the transformation, as in the book.
    private let headers: Mutex<[String: String]?>
    private let last = Mutex<DataResponse?>(nil)

    init(_ networking: any WireNetworking, _ request: any Request) {
        self.networking = networking
        self.request = request
        headers = Mutex(networking.delegate?.headers(for: networking))
    }

    /// The response that came last, be it accepted or not.
    var lastResponse: DataResponse? { last.withLock { $0 } }

    func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        guard let delegate = networking.delegate else { return try await untransformed(request, next) }
        do {
            let data = try await delegate.networking(networking) {
                try self.accepted(try await self.untransformed(request, next)).data
            }
            guard let response = lastResponse, networking.acceptedStatuses.contains(response.status) else {
                return DataResponse(statusCode: 200, data: data, request: request)
            }
            return response.with(data: data)
        } catch let error as ResponseError where error.isStatus {
            return error.response
        }
    }

    /// The response before the delegate transforms it.
    func untransformed(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
        var request = request
        let asked = headers.withLock { $0.take() }
        try request.addHeaders(asked ?? networking.delegate?.headers(for: networking) ?? [:])
        let response = try await next(request)
        last.withLock { $0 = response }
        return response
    }

    func accepted(_ response: DataResponse) throws -> DataResponse {
        guard networking.acceptedStatuses.contains(response.status) else { throw ResponseError(request, response) }
        return response
    }

    /// The link next to the wire, which gives the delegate each response.
    var telling: Intercept {
        Intercept { [networking] request, next in
            let response = try await next(request)
            networking.delegate?.networking(networking, didReceive: response.http)
            return response
        }
    }
}

extension DelegateReference: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
