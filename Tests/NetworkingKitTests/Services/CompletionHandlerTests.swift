// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing

@Suite(.supervised) struct CompletionHandlerTests {
    /// All four, each written with a completion handler.
    private struct Callbacks: CallbackGettable, CallbackCreatable, CallbackUpdatable, CallbackDeletable {
        func get(completionHandler: @escaping @Sendable (Result<[Int], any Error>) -> Void) {
            completionHandler(.success([1]))
            completionHandler(.failure(URLError(.timedOut)))
        }

        func create(_ draft: String, completionHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
            completionHandler(.success(draft.count))
        }

        func update(_ change: Bool, completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void) {
            completionHandler(.success(!change))
        }

        func delete(_ id: Int, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
            completionHandler(.failure(URLError(.noPermissionsToReadFile)))
        }
    }

    /// A service that never answers, and says when it was asked.
    private struct Silent: CallbackGettable {
        let asked: @Sendable () -> Void

        func get(completionHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
            asked()
        }
    }

    /// All four, each written as an asynchronous function.
    private struct Functions: Gettable, Creatable, Updatable, Deletable {
        func get() async throws -> Int { 7 }
        func create(_ draft: String) async throws -> Int { draft.count }
        func update(_ change: Bool) async throws -> Bool { !change }
        func delete(_ id: Int) async throws { throw URLError(.fileDoesNotExist) }
    }

    @MainActor private final class Screen {
        var shown: Int?

        func show<S: Gettable>(_ service: S) async where S.Value == Int {
            await service.get { [weak self] result in
                MainActor.assertIsolated()
                self?.shown = try? result.get()
            }.value
        }
    }

    private static func code(_ result: Result<some Any, any Error>) -> URLError.Code? {
        guard case .failure(let error as URLError) = result else { return nil }
        return error.code
    }

    @Test func aServiceOfHandlersCanBeAwaited() async throws {
        #expect(try await Callbacks().get() == [1])
        #expect(try await Callbacks().create("four") == 4)
        #expect(try await Callbacks().update(true) == false)
        let error = try await #require(throws: URLError.self) { try await Callbacks().delete(1) }
        #expect(error.code == .noPermissionsToReadFile)
    }

    @Test func aServiceOfFunctionsTakesHandlers() async {
        let results = Mutex<[String]>([])
        await Functions().get { result in results.withLock { $0.append("\(result)") } }.value
        await Functions().create("four") { result in results.withLock { $0.append("\(result)") } }.value
        await Functions().update(true) { result in results.withLock { $0.append("\(result)") } }.value
        await Functions().delete(1) { result in
            results.withLock { $0.append("\(Self.code(result) == .fileDoesNotExist)") }
        }.value
        #expect(results.withLock { $0 } == ["success(7)", "success(4)", "success(false)", "true"])
    }

    @Test @MainActor func aHandlerIsCalledOnTheActorItWasWrittenOn() async {
        let screen = Screen()
        await screen.show(Functions())
        #expect(screen.shown == 7)
    }

    @Test func aCancelledRequestOfAServiceThatNeverAnswersEnds() async {
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        let failure = Mutex<URLError.Code?>(nil)
        let service: some Gettable = Silent { continuation.finish() }
        let work = service.get { result in failure.withLock { $0 = Self.code(result) } }
        for await _ in asked {}
        work.cancel()
        await work.value
        #expect(failure.withLock { $0 } == .cancelled)
    }
}
