// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

/// The core: publishers and tasks.
@Suite(.supervised) struct TaskPublisherTests {
    @Test func nothingRunsBeforeThereIsASubscriber() async throws {
        let runs = Mutex(0)
        let publisher = TaskPublisher {
            runs.withLock {
                $0 += 1; return $0
            }
        }
        #expect(runs.withLock { $0 } == 0)
        #expect(try await publisher.firstValue() == 1)
        #expect(try await publisher.firstValue() == 2)
    }

    @Test func anErrorIsTheCompletion() async {
        let publisher = TaskPublisher<Int> { throw URLError(.badURL) }
        let error = await #expect(throws: URLError.self) { try await publisher.firstValue() }
        #expect(error?.code == .badURL)
    }

    @Test func aCancelledSubscriptionCancelsTheTask() async throws {
        let isCancelled = Mutex(false)
        let isRunning = Mutex(false)
        let publisher = TaskPublisher<Int> {
            isRunning.withLock { $0 = true }
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                isCancelled.withLock { $0 = true }
            }
            return 1
        }
        let received = Mutex(0)
        let subscription = publisher.sink(
            receiveCompletion: { _ in received.withLock { $0 += 1 } },
            receiveValue: { _ in received.withLock { $0 += 1 } })
        #expect(try await until({ isRunning.withLock { $0 } }, is: true))
        subscription.cancel()
        #expect(try await until({ isCancelled.withLock { $0 } }, is: true))
        #expect(received.withLock { $0 } == 0)
    }

    @Test func whoCancelsWhenTheValueComesIsToldNoMore() async throws {
        let events = Collected<String>()
        let (release, released) = AsyncStream<Void>.makeStream()
        TaskPublisher { 1 }.subscribe(Leaver(events) { released.finish() })
        // It is released when nobody has anything to tell it any more.
        for await _ in release {}
        #expect(events.elements == ["1"])
    }

    @Test func aCancelledTaskCancelsTheSubscription() async throws {
        let isCancelled = Mutex(false)
        let isSubscribed = Mutex(false)
        let task = Task {
            let publisher = PassthroughSubject<Int, Never>().handleEvents(
                receiveSubscription: { _ in isSubscribed.withLock { $0 = true } },
                receiveCancel: { isCancelled.withLock { $0 = true } })
            return try await publisher.firstValue()
        }
        #expect(try await until({ isSubscribed.withLock { $0 } }, is: true))
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(isCancelled.withLock { $0 })
    }

    @Test func aPublisherWithoutAValueIsAnError() async {
        let error = await #expect(throws: URLError.self) { try await Empty<Int, Never>().firstValue() }
        #expect(error?.localizedDescription == "the publisher finished without a value")
    }

    @Test func theFirstOfManyValuesIsTaken() async throws {
        #expect(try await [3, 4, 5].publisher.firstValue() == 3)
    }
}

/// Cancels when the first value comes.
private final class Leaver: Subscriber {
    private let events: Collected<String>
    private let release: () -> Void
    private var subscription: (any Subscription)?

    init(_ events: Collected<String>, _ release: @escaping () -> Void) {
        self.events = events
        self.release = release
    }

    deinit {
        release()
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        events.append("\(input)")
        subscription?.cancel()
        subscription = nil
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        events.append("completion")
    }
}
