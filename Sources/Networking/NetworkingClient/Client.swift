// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Dispatch
public import Foundation
public import NetworkingCore
import Synchronization

/// Sends requests that know their response, over any networking.
///
///     let client = Client(networking: Networker(), baseURL: api)
///     let user = try await client.send(UserRequest(name: "ada"))
///
/// Statuses are judged by the request, not by the networking.
public final class Client: Sendable {
    /// The sender of the requests.
    public let networking: any Networking
    /// Where requests go that have no base URL themselves.
    public let baseURL: URL?
    /// Where handlers are called that are given with `callbackQueue: nil`.
    public let callbackQueue: CallbackQueue

    /// The requests that are under way, and how each is cancelled.
    private let calls = Mutex<[ObjectIdentifier: (request: any APIRequest, call: CancellableRequest)]>([:])

    /// Makes a client.
    public init(
        networking: any Networking = Networker(), baseURL: URL? = nil, callbackQueue: CallbackQueue = .main
    ) {
        self.networking = networking
        self.baseURL = baseURL
        self.callbackQueue = callbackQueue
    }

    /// The response to a request.
    ///
    /// To cancel the task cancels the request: `connectionError`, with `URLError.cancelled` in it.
    public func send<R: APIRequest>(_ request: R) async throws(ClientError) -> R.Response {
        try await result(of: start(request)).get()
    }

    /// A publisher of the response; each subscription sends the request again.
    public func publisher<R: APIRequest>(for request: R) -> AnyPublisher<R.Response, ClientError> {
        TaskPublisher { try await self.send(request) }
            .mapError { $0 as? ClientError ?? .connectionError($0) }
            .eraseToAnyPublisher()
    }

    /// Cancels the requests of a type that are under way.
    ///
    /// - Parameter test: whether one is meant.
    public func cancelRequests<R: APIRequest>(
        with type: R.Type, passingTest test: (R) -> Bool = { _ in true }
    ) {
        // The test is the caller's, and may ask this client for something: it is called outside of the lock.
        let calls = calls.withLock { Array($0.values) }
        for (request, call) in calls where (request as? R).map(test) ?? false { call.cancel() }
    }

    /// Begins an exchange; `cancelRequests` knows of it from here on.
    func start<R: APIRequest>(_ request: R) -> Task<Result<R.Response, ClientError>, Never> {
        let call = CancellableRequest()
        calls.withLock { $0[ObjectIdentifier(call)] = (request, call) }
        let task = Task {
            defer { calls.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(call)) } }
            return await exchange(request)
        }
        call.run(task.cancel)
        return task
    }

    func result<Value>(of task: Task<Result<Value, ClientError>, Never>) async -> Result<Value, ClientError> {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func exchange<R: APIRequest>(_ request: R) async -> Result<R.Response, ClientError> {
        let response: DataResponse
        do {
            response = try await networking.response(for: based(request))
        } catch let error as ClientError {
            return .failure(error)
        } catch let error as RequestError {
            return .failure(.requestError(error))
        } catch is CancellationError {
            return .failure(.connectionError(URLError(.cancelled)))
        } catch {
            return .failure(.connectionError(error))
        }
        do {
            return .success(try networking.coders.use { try request.parse(response) })
        } catch let error where error is DecodingError || error is UnexpectedObject {
            return .failure(.responseError(ResponseError(request, response, cause: error)))
        } catch {
            return .failure(.responseError(error))
        }
    }

    private func based<R: APIRequest>(_ request: R) -> any Request {
        guard let baseURL, !request.hasBaseURL else { return request }
        return ChangedRequest(original: request, url: request.url(below: baseURL)) {
            try request.urlRequest(baseURL: baseURL)
        }
    }
}

/// Why a client has no response, by the phase that failed.
public enum ClientError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The exchange failed: mostly a `URLError`.
    case connectionError(any Error)
    /// There is no request to send: `RequestError`, or the error of `intercept(urlRequest:)`.
    case requestError(any Error)
    /// The HTTP response makes no `Response`: `ResponseError`, or the error of the parser or the request.
    case responseError(any Error)

    /// The error that was met.
    public var underlying: any Error {
        switch self {
        case .connectionError(let error), .requestError(let error), .responseError(let error): error
        }
    }

    public var description: String {
        switch self {
        case .connectionError(let error): "the exchange failed: \(error)"
        case .requestError(let error): "there is nothing to send: \(error)"
        case .responseError(let error): "the response cannot be used: \(error)"
        }
    }

    public var errorDescription: String? { description }

    /// A request that could not be made.
    public typealias RequestFailure = RequestError

    /// `ResponseError.unexpectedObject`, for requests that are written with this name.
    public static func UnexpectedObject(_ object: Any) -> any Error { ResponseError.unexpectedObject(object) }
}

extension Client {
    /// Sends a request, and calls a handler with the result, once, on the actor it was written on.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets `URLError.cancelled` in a `connectionError` then.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (Result<R.Response, ClientError>) -> Void
    ) -> Task<Void, Never> {
        let exchange = start(request)
        return Task { await handler(await result(of: exchange)) }
    }

    /// Sends a request, and calls a handler with the response, nil if there is none.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, @_inheritActorContext handler: @escaping @Sendable @isolated(any) (R.Response?) -> Void
    ) -> Task<Void, Never> {
        let exchange = start(request)
        return Task { await handler(try? await result(of: exchange).get()) }
    }

    /// Sends a request, and calls a handler with the result, once, on a queue.
    ///
    /// - Parameter queue: nil for that of the client.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, callbackQueue queue: CallbackQueue?,
        handler: @escaping @Sendable (Result<R.Response, ClientError>) -> Void
    ) -> Task<Void, Never> {
        let exchange = start(request)
        return Task {
            let result = await result(of: exchange)
            (queue ?? callbackQueue).execute { handler(result) }
        }
    }
}

extension Client {
    /// Where a handler is called.
    public enum CallbackQueue: Sendable {
        /// The main queue.
        case main
        /// Wherever the response comes.
        case sessionQueue
        /// An operation queue.
        case operationQueue(OperationQueue)
        /// A dispatch queue.
        case dispatchQueue(DispatchQueue)

        func execute(_ closure: @escaping @Sendable () -> Void) {
            switch self {
            case .main: DispatchQueue.main.async(execute: closure)
            case .sessionQueue: closure()
            case .operationQueue(let queue): queue.addOperation(closure)
            case .dispatchQueue(let queue): queue.async(execute: closure)
            }
        }
    }
}

extension Client: CustomReflectable {
    /// Shows nothing, as that of `Networker`.
    public var customMirror: Mirror { .opaque(self) }
}
