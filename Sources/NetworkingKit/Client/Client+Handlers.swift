// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Dispatch
public import Foundation

extension Client {
    /// Sends a request, and tells a handler what came, once, on the actor it was written on.
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

    /// Sends a request, and tells a handler the response, nil where there is none.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, @_inheritActorContext handler: @escaping @Sendable @isolated(any) (R.Response?) -> Void
    ) -> Task<Void, Never> {
        let exchange = start(request)
        return Task { await handler(try? await result(of: exchange).get()) }
    }

    /// Sends a request, and tells a handler what came, once, on a queue.
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
        case main
        /// Wherever the answer comes.
        case sessionQueue
        case operationQueue(OperationQueue)
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
