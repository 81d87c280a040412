// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// A closure that is called with a result, wherever that comes.
public typealias ResultHandler<Value> = @Sendable (Result<Value, any Error>) -> Void
/// A closure that is called with a result on the actor it was written on: on the main actor if a view controller
/// passes it.
public typealias IsolatedResultHandler<Value> = @Sendable @isolated(any) (Result<Value, any Error>) -> Void

/// A service that gets something.
///
///     func getFood<S: Gettable>(from service: S) async throws where S.Value == [Food]
///
/// Either function is enough, here and for the others: the other follows from it. A fake that responds by a handler, or without waiting,
/// responds at once.
public protocol Gettable<Value>: Sendable {
    /// The value that the service gets.
    associatedtype Value: Sendable

    /// Reads the value.
    func get() async throws -> Value

    /// The same with a handler, whose first call counts. A task that waits for it and is cancelled stops waiting; the work goes on, unheard.
    @_disfavoredOverload
    func get(completionHandler: @escaping ResultHandler<Value>)
}

extension Gettable {
    /// Reads the value by its request.
    public func get() async throws -> Value {
        try await CompletionHandling.value(of: Self.self, begin)
    }

    @_disfavoredOverload
    public func get(completionHandler: @escaping ResultHandler<Value>) {
        CompletionHandling.start(of: Self.self, { try await get() }, completionHandler)
    }

    /// Gets, and calls a handler with the result, once.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func get(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler: @escaping IsolatedResultHandler<Value>
    ) -> Task<Void, Never> {
        CompletionHandling.run(isolation: isolation, begin, completionHandler)
    }

    private var begin: (@escaping ResultHandler<Value>) -> Void { self.get(completionHandler:) }
}

/// A service that creates something from a draft of it.
public protocol Creatable<Draft, Created>: Sendable {
    /// The value that is sent.
    associatedtype Draft: Sendable
    /// The value that the service makes of it.
    associatedtype Created: Sendable

    /// Creates a value from a draft.
    func create(_ draft: Draft) async throws -> Created

    /// Creates a value from a draft, and calls back.
    @_disfavoredOverload
    func create(_ draft: Draft, completionHandler: @escaping ResultHandler<Created>)
}

extension Creatable {
    /// Creates a value by its request.
    public func create(_ draft: Draft) async throws -> Created {
        try await CompletionHandling.value(of: Self.self) { begin(draft, $0) }
    }

    /// Creates a value in a task, and calls back.
    @_disfavoredOverload
    public func create(_ draft: Draft, completionHandler: @escaping ResultHandler<Created>) {
        CompletionHandling.start(of: Self.self, { try await create(draft) }, completionHandler)
    }

    /// Creates, and calls a handler with the result, once.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func create(
        _ draft: Draft, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler: @escaping IsolatedResultHandler<Created>
    ) -> Task<Void, Never> {
        CompletionHandling.run(isolation: isolation, { begin(draft, $0) }, completionHandler)
    }

    private var begin: (Draft, @escaping ResultHandler<Created>) -> Void { create(_:completionHandler:) }
}

/// A service that changes something that is there.
public protocol Updatable<Change, Updated>: Sendable {
    /// The change: the whole value with its id, or a part of it.
    associatedtype Change: Sendable
    /// The value after the change.
    associatedtype Updated: Sendable

    /// Updates the value.
    func update(_ change: Change) async throws -> Updated

    /// Updates the value, and calls back.
    @_disfavoredOverload
    func update(_ change: Change, completionHandler: @escaping ResultHandler<Updated>)
}

extension Updatable {
    /// Updates the value by its request.
    public func update(_ change: Change) async throws -> Updated {
        try await CompletionHandling.value(of: Self.self) { begin(change, $0) }
    }

    /// Updates the value in a task, and calls back.
    @_disfavoredOverload
    public func update(_ change: Change, completionHandler: @escaping ResultHandler<Updated>) {
        CompletionHandling.start(of: Self.self, { try await update(change) }, completionHandler)
    }

    /// Updates, and calls a handler with the result, once.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func update(
        _ change: Change, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler: @escaping IsolatedResultHandler<Updated>
    ) -> Task<Void, Never> {
        CompletionHandling.run(isolation: isolation, { begin(change, $0) }, completionHandler)
    }

    private var begin: (Change, @escaping ResultHandler<Updated>) -> Void { update(_:completionHandler:) }
}

/// A service that deletes something by its identifier.
public protocol Deletable<Identifier>: Sendable {
    /// The identifier of the value.
    associatedtype Identifier: Sendable

    /// Deletes a value.
    func delete(_ id: Identifier) async throws

    /// Deletes a value, and calls back.
    @_disfavoredOverload
    func delete(_ id: Identifier, completionHandler: @escaping ResultHandler<Void>)
}

extension Deletable {
    /// Deletes a value by its request.
    public func delete(_ id: Identifier) async throws {
        try await CompletionHandling.value(of: Self.self) { begin(id, $0) }
    }

    /// Deletes a value in a task, and calls back.
    @_disfavoredOverload
    public func delete(_ id: Identifier, completionHandler: @escaping ResultHandler<Void>) {
        CompletionHandling.start(of: Self.self, { try await delete(id) }, completionHandler)
    }

    /// Deletes, and calls a handler with the result, once.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func delete(
        _ id: Identifier, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler: @escaping IsolatedResultHandler<Void>
    ) -> Task<Void, Never> {
        CompletionHandling.run(isolation: isolation, { begin(id, $0) }, completionHandler)
    }

    private var begin: (Identifier, @escaping ResultHandler<Void>) -> Void { delete(_:completionHandler:) }
}

/// The names that services written with a handler had.
public typealias CallbackGettable = Gettable
/// A service that creates; the same as `Creatable`.
public typealias CallbackCreatable = Creatable
/// A service that updates; the same as `Updatable`.
public typealias CallbackUpdatable = Updatable
/// A service that deletes; the same as `Deletable`.
public typealias CallbackDeletable = Deletable

/// The way from asynchronous functions to completion handlers and back.
enum CompletionHandling {
    /// The type whose form with a handler is being asked by the default of its asynchronous form, so that one more default is one too many.
    @TaskLocal private static var awaited: ObjectIdentifier?
    /// How the work of the default form with a handler is cancelled.
    @TaskLocal private static var work: CancellableRequest?

    /// Runs the form with a handler, then calls a handler once, where the handler belongs: before this returns, if the result comes by then.
    ///
    /// - Parameter isolation: the caller's isolation.
    static func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ start: (@escaping ResultHandler<Value>) -> Void,
        _ handler: @escaping IsolatedResultHandler<Value>
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
                // Work that nobody knows how to cancel goes on, unheard.
                if !work.cancelled() { first.finish(.failure(URLError(.cancelled))) }
            }
            await handler(result)
        }
    }

    /// The form with a handler, by the asynchronous one; a function that does not wait calls the handler at once.
    static func start<Value: Sendable>(
        of type: Any.Type, _ operation: @escaping @Sendable () async throws -> Value,
        _ handler: @escaping ResultHandler<Value>
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

    /// The value of a function that takes a handler.
    ///
    /// The first call of the handler counts. If it is never called this waits until the task is cancelled, and throws
    /// `URLError.cancelled` then.
    static func value<Value: Sendable>(
        of type: Any.Type, _ start: (@escaping ResultHandler<Value>) -> Void
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
