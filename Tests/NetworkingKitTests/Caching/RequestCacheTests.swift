// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

/// The core: the cache.
@Suite(.supervised) struct RequestCacheTests {
    private let requests = (0..<5).compactMap { URL(string: "http://host.example/\($0)") }.map { PlainRequest(url: $0) }

    @Test func aValueIsKeptByItsRequest() {
        let cache = RequestCache<Int>()
        #expect(cache.response(for: requests[0]) == nil)
        cache.saveResponse(7, for: requests[0])
        #expect(cache.response(for: requests[0]) == 7)
        #expect(cache.response(for: ImageRequest(url: requests[0].url)) == 7)
        #expect(cache.response(for: requests[1]) == nil)
        cache.removeAll()
        #expect(cache.response(for: requests[0]) == nil)
    }

    @Test func whatWasAskedForLongestAgoGoesFirst() {
        let cache = RequestCache<Int>(countLimit: 3)
        for index in 0..<3 { cache.saveResponse(index, for: requests[index]) }
        _ = cache.response(for: requests[0])
        cache.saveResponse(3, for: requests[3])
        #expect(requests.map { cache.response(for: $0) } == [0, nil, 2, 3, nil])
    }

    @Test func valuesTogetherCostNoMoreThanTheLimit() {
        let cache = RequestCache<Data>.ofData(limit: 10)
        cache.saveResponse(Data(count: 6), for: requests[0])
        cache.saveResponse(Data(count: 4), for: requests[1])
        cache.saveResponse(Data(count: 5), for: requests[2])
        #expect(requests.map { cache.response(for: $0)?.count } == [nil, 4, 5, nil, nil])
        cache.saveResponse(Data(count: 11), for: requests[1])
        #expect(requests.map { cache.response(for: $0)?.count } == [nil, nil, 5, nil, nil])
    }

    @Test func manyWhoAskAtOnceShareOneDownload() async throws {
        let service = try await Service([
            "slow.stub.json":
                #"{"request": {"urlPath": "/slow"}, "response": {"body": "x", "fixedDelayMilliseconds": 100}}"#
        ])
        let networker = Networker()
        let request = PlainRequest(url: service.url("/slow"))
        let results = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<100 { group.addTask { try await networker.cachedValue(for: request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: Data("x".utf8), count: 100))
        let published: AnyPublisher<Data, any Error> = networker.fetchWithCache(request)
        #expect(try await published.firstValue() == Data("x".utf8))
        #expect(service.targets == ["GET /slow"])
        await service.stop()
    }

    @Test func aFailureIsEverybodysAndIsNotKept() async throws {
        let service = try await Service([
            "once.stub.json": """
            {"request": {"urlPath": "/f"}, "responses": [{"status": 500, "fixedDelayMilliseconds": 100}, {"body": "x"}]}
            """
        ])
        let networker = Networker()
        let request = PlainRequest(url: service.url("/f"))
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask { (try? await networker.cachedValue(for: request)) == nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 10)
        #expect(try await networker.cachedValue(for: request) == Data("x".utf8))
        await service.stop()
    }

    @Test func whoIsCancelledLeavesAndTheOthersGetTheirValue() async throws {
        let cache = RequestCache<Int>()
        let gate = Gate()
        let request = requests[0]
        let tasks = (0..<3).map { _ in
            Task { try await cache.response(for: request) { await gate.pass(7) } }
        }
        #expect(try await until({ gate.isWaitedAt }, is: true))
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        gate.open()
        #expect(try await tasks[1].value == 7)
        #expect(try await tasks[2].value == 7)
        #expect(cache.response(for: request) == 7)
    }

    @Test func theFetchIsCancelledWithTheLastWhoAsked() async throws {
        let service = try await Service([
            "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#
        ])
        let cancelled = Mutex(false)
        let cache = RequestCache<Data>()
        let request = PlainRequest(url: service.url("/late"))
        let task = Task {
            try await cache.response(for: request) {
                do {
                    return try await Networker().value(for: request)
                } catch {
                    cancelled.withLock { $0 = (error as? URLError)?.code == .cancelled }
                    throw error
                }
            }
        }
        #expect(try await until({ service.targets }, { !$0.isEmpty }))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await until({ cancelled.withLock { $0 } }, is: true))
        await service.stop()
    }

    @Test func aCancelledFetchEndsAlikeWithACacheAndWithout() async throws {
        let service = try await Service([
            "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#
        ])
        let request = PlainRequest(url: service.url("/late"))
        let networker = Networker()
        let tasks = [
            Task { try await networker.cachedValue(for: request) },
            Task { try await networker.data(for: request) },
        ]
        #expect(try await until({ service.targets.count }, is: 2))
        for task in tasks {
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        await service.stop()
    }
}

/// Holds back a value until it is opened.
private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiter: CheckedContinuation<Void, Never>?.none))

    var isWaitedAt: Bool { state.withLock { $0.waiter != nil } }

    func pass(_ value: Int) async -> Int {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiter = continuation }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return value
    }

    func open() {
        let waiter = state.withLock { state in
            state.isOpen = true
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
