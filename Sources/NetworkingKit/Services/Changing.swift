// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that creates something from a draft of it.
///
/// Either function is enough: the other follows from it. A fake that answers with a handler, or without waiting, answers at once.
public protocol Creatable<Draft, Created>: Sendable {
    /// What is sent.
    associatedtype Draft: Sendable
    /// What the service makes of it.
    associatedtype Created: Sendable

    func create(_ draft: Draft) async throws -> Created

    /// The same with a handler, whose first call counts. A task that waits for it and is cancelled stops waiting; the work goes on, unheard.
    @_disfavoredOverload
    func create(_ draft: Draft, completionHandler: @escaping @Sendable (Result<Created, any Error>) -> Void)
}

extension Creatable {
    public func create(_ draft: Draft) async throws -> Created {
        try await CompletionHandling.value(of: Self.self) { handler in
            let create: (Draft, @escaping @Sendable (Result<Created, any Error>) -> Void) -> Void = self.create(
                _:completionHandler:)
            create(draft, handler)
        }
    }

    @_disfavoredOverload
    public func create(_ draft: Draft, completionHandler: @escaping @Sendable (Result<Created, any Error>) -> Void) {
        CompletionHandling.start(of: Self.self, { try await create(draft) }, completionHandler)
    }

    /// Creates, and tells a handler what came, once, on the actor it was written on: on the main actor where a view controller passes a closure.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func create(
        _ draft: Draft, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Created, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run(
            isolation: isolation,
            { handler in
                let create: (Draft, @escaping @Sendable (Result<Created, any Error>) -> Void) -> Void = self.create(
                    _:completionHandler:)
                create(draft, handler)
            }, completionHandler)
    }
}

/// The name that services written with a handler had.
public typealias CallbackCreatable = Creatable

/// A service that changes something that is there.
///
/// Either function is enough: the other follows from it. A fake that answers with a handler, or without waiting, answers at once.
public protocol Updatable<Change, Updated>: Sendable {
    /// What is to be changed, and to what: the whole value with its id, or a part of it.
    associatedtype Change: Sendable
    /// What is there then.
    associatedtype Updated: Sendable

    func update(_ change: Change) async throws -> Updated

    /// The same with a handler, whose first call counts. A task that waits for it and is cancelled stops waiting; the work goes on, unheard.
    @_disfavoredOverload
    func update(_ change: Change, completionHandler: @escaping @Sendable (Result<Updated, any Error>) -> Void)
}

extension Updatable {
    public func update(_ change: Change) async throws -> Updated {
        try await CompletionHandling.value(of: Self.self) { handler in
            let update: (Change, @escaping @Sendable (Result<Updated, any Error>) -> Void) -> Void = self.update(
                _:completionHandler:)
            update(change, handler)
        }
    }

    @_disfavoredOverload
    public func update(_ change: Change, completionHandler: @escaping @Sendable (Result<Updated, any Error>) -> Void) {
        CompletionHandling.start(of: Self.self, { try await update(change) }, completionHandler)
    }

    /// Updates, and tells a handler what came, once, on the actor it was written on: on the main actor where a view controller passes a closure.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func update(
        _ change: Change, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Updated, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run(
            isolation: isolation,
            { handler in
                let update: (Change, @escaping @Sendable (Result<Updated, any Error>) -> Void) -> Void = self.update(
                    _:completionHandler:)
                update(change, handler)
            }, completionHandler)
    }
}

/// The name that services written with a handler had.
public typealias CallbackUpdatable = Updatable

/// A service that deletes something by what identifies it.
///
/// Either function is enough: the other follows from it. A fake that answers with a handler, or without waiting, answers at once.
public protocol Deletable<Identifier>: Sendable {
    associatedtype Identifier: Sendable

    func delete(_ id: Identifier) async throws

    /// The same with a handler, whose first call counts. A task that waits for it and is cancelled stops waiting; the work goes on, unheard.
    @_disfavoredOverload
    func delete(_ id: Identifier, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension Deletable {
    public func delete(_ id: Identifier) async throws {
        try await CompletionHandling.value(of: Self.self) { handler in
            let delete: (Identifier, @escaping @Sendable (Result<Void, any Error>) -> Void) -> Void = self.delete(
                _:completionHandler:)
            delete(id, handler)
        }
    }

    @_disfavoredOverload
    public func delete(_ id: Identifier, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        CompletionHandling.start(of: Self.self, { try await delete(id) }, completionHandler)
    }

    /// Deletes, and tells a handler what came, once, on the actor it was written on: on the main actor where a view controller passes a closure.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func delete(
        _ id: Identifier, isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Void, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run(
            isolation: isolation,
            { handler in
                let delete: (Identifier, @escaping @Sendable (Result<Void, any Error>) -> Void) -> Void = self.delete(
                    _:completionHandler:)
                delete(id, handler)
            }, completionHandler)
    }
}

/// The name that services written with a handler had.
public typealias CallbackDeletable = Deletable
