// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// The way from asynchronous functions to completion handlers and back.
enum CompletionHandling {
    /// A handler that knows the actor it belongs to.
    typealias Handler<Value> = @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    /// A handler that is called wherever the result comes.
    typealias PlainHandler<Value> = @Sendable (Result<Value, any Error>) -> Void

    /// The type whose form with a handler is being asked by the default of its asynchronous form, so that one more default is one too many.
    @TaskLocal private static var awaited: ObjectIdentifier?
    /// How the work of the default form with a handler is cancelled.
    @TaskLocal private static var work: CancellableRequest?

    /// Runs the form with a handler, then calls a handler once, where the handler belongs: before this returns, where the result comes by then.
    ///
    /// - Parameter isolation: where this is called.
    static func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ start: (@escaping PlainHandler<Value>) -> Void,
        _ handler: @escaping Handler<Value>
    ) -> Task<Void, Never> {
        let first = OneShot<Result<Value, any Error>>()
        let early = Mutex<Result<Value, any Error>?>(nil)
        let work = CancellableRequest()
        $work.withValue(work) {
            start { result in
                if first.finish(result) { early.withLock { $0 = result } }
            }
        }
        if let result = early.withLock({ $0 }) {
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
                return Task { await handler(result) }
            }
            return Task.immediate {
                _ = isolation
                await handler(result)
            }
        }
        return Task {
            let result = await first.value({}) {
                // What nobody knows how to cancel goes on, unheard.
                if !work.cancelled() { first.finish(.failure(URLError(.cancelled))) }
            }
            await handler(result)
        }
    }

    /// The form with a handler, by the asynchronous one; a function that does not wait calls the handler at once.
    static func start<Value: Sendable>(
        of type: Any.Type, _ operation: @escaping @Sendable () async throws -> Value,
        _ handler: @escaping PlainHandler<Value>
    ) {
        guard awaited != ObjectIdentifier(type) else {
            let text = "neither the asynchronous function nor that with a completion handler is implemented"
            handler(.failure(URLError(.unsupportedURL, userInfo: [NSLocalizedDescriptionKey: text])))
            return
        }
        let run: @Sendable () async -> Void = {
            do {
                handler(.success(try await operation()))
            } catch {
                handler(.failure(error))
            }
        }
        let task: Task<Void, Never>
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task = Task.immediate { await run() }
        } else {
            task = Task { await run() }
        }
        work?.run(task.cancel)
    }

    /// What a function that takes a handler gives.
    ///
    /// The first call of the handler counts. Where it is never called this waits until the task is cancelled, and throws
    /// `URLError.cancelled` then.
    static func value<Value: Sendable>(
        of type: Any.Type, _ start: (@escaping PlainHandler<Value>) -> Void
    ) async throws -> Value {
        let first = OneShot<Result<Value, any Error>>()
        let result = await first.value {
            $awaited.withValue(ObjectIdentifier(type)) { start { first.finish($0) } }
        } onCancel: {
            first.finish(.failure(URLError(.cancelled)))
        }
        return try result.get()
    }
}
