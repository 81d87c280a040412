// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// What takes part in every fetch of a networking; all of it has defaults.
///
/// It is called on whatever thread the fetch is on.
public protocol NetworkingDelegate: AnyObject, Sendable {
    /// Field lines for a request that is about to be sent; those the request has itself win.
    ///
    /// Asked anew for each request. The fields that frame a message are the transport's: Connection, Content-Length, Host, Keep-Alive,
    /// Proxy-Connection, TE, Trailer, Transfer-Encoding and Upgrade are left out.
    func headers(for networking: any Networking) -> [String: String]

    /// Makes another publisher of that of a fetch, to retry or to replace errors for instance; called once for each fetch.
    func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError>

    /// The same for the fetches that are awaited: calls what sends the request, and may call it again.
    ///
    /// Where it is not implemented, `networking(_:transformPublisher:)` transforms these too.
    func networking(
        _ networking: any Networking, transformFetch fetch: @escaping @Sendable () async throws -> Data
    ) async throws -> Data

    /// The answer to a request has come, whatever its status.
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
///     private let reference = DelegateReference()
///     var delegate: (any NetworkingDelegate)? {
///         get { reference.delegate }
///         set { reference.delegate = newValue }
///     }
public final class DelegateReference: Sendable {
    private struct Weak {
        weak var delegate: (any NetworkingDelegate)?
    }

    private let reference: Mutex<Weak>

    public init(_ delegate: (any NetworkingDelegate)? = nil) {
        reference = Mutex(Weak(delegate: delegate))
    }

    public var delegate: (any NetworkingDelegate)? {
        get { reference.withLock { $0.delegate } }
        set { reference.withLock { $0.delegate = newValue } }
    }
}
