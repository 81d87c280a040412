// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing
import UpstreamNetworking

/// Many at once; `Tests/ThreadSanitizer/run` runs these under the thread sanitizer.
@Suite(.supervised) struct ConcurrencyTests {
    private static let crowd = 1_000
    private static let paths = [
        "api/domains", "api/contents/7102220-a-mock-server-you-can-review", "uploads/", "api/jobs/512",
    ]
    private static let name = HTTPField.Name("X-Delegate")

    /// Lends out a server of the sample fixtures.
    private func serving(_ body: (MockServer) async throws -> Void) async throws {
        try await lend(try await MockServer.start(fixtures: Sample.fixtures), body)
    }

    private func lend(_ server: MockServer, _ body: (MockServer) async throws -> Void) async throws {
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func request(_ server: MockServer, _ index: Int) -> PlainRequest {
        PlainRequest(url: server.baseURL.appendingPathComponent(Self.paths[index % Self.paths.count]))
    }

    /// Lets others go first, some number of times.
    private static func dawdle(upTo most: Int) async {
        for _ in 0..<Int.random(in: 0...most) { await Task.yield() }
    }

    /// Sets the delegate of an object whose type is not known.
    private static func setDelegate(of networker: any Networking & AnyObject, _ delegate: NamedDelegate?) {
        var networker = networker
        networker.delegate = delegate
    }

    @Test(arguments: WireKind.allCases)
    func aThousandWhoAskAtOnceShareOneRequestForEachURL(_ kind: WireKind) async throws {
        // Of responses that say nothing of how long they are fresh, each is kept as long as the cache keeps it.
        let paths = Self.paths.map { "/" + $0 }
        let server = try await MockServer.start(stubs: paths.map { RequestMatch.get($0).respond(body: .text($0)) })
        try await lend(server) { server async throws in
            let networker = kind.make()
            let answers = try await withThrowingTaskGroup(of: (path: String, data: Data).self) { group in
                for index in 0..<Self.crowd {
                    let request = request(server, index)
                    group.addTask { (paths[index % paths.count], try await networker.cachedValue(for: request)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.path, default: []].append($1.data) }
            }
            #expect(answers.count == paths.count)
            for (path, data) in answers {
                #expect(data == Array(repeating: Data(path.utf8), count: Self.crowd / paths.count))
            }
            #expect(server.journal.entries.map(\.target).sorted() == paths.sorted())
        }
    }

    @Test(arguments: WireKind.allCases, [false, true])
    func everyFetchEndsHoweverManyAreCancelled(_ kind: WireKind, _ isCached: Bool) async throws {
        try await serving { server async throws in
            let networker = kind.make()
            let ends = try await withThrowingTaskGroup(of: End.self) { group in
                for index in 0..<Self.crowd {
                    let request = request(server, index)
                    group.addTask {
                        let task = Task<Data, any Error> {
                            isCached
                                ? try await networker.cachedValue(for: request)
                                : try await networker.value(for: request)
                        }
                        if index % 3 != 0 {
                            if index % 3 == 1 { await Self.dawdle(upTo: 300) }
                            task.cancel()
                        }
                        return try End(await task.result, mayBeCancelled: index % 3 != 0)
                    }
                }
                return try await group.reduce(into: [End]()) { $0.append($1) }
            }
            #expect(ends.count == Self.crowd)
            #expect(ends.count { $0 == .data } >= Self.crowd / 3)
            #expect(isCached || ends.contains(.cancelled))
            // Nothing is left that would keep the next one waiting.
            for index in Self.paths.indices {
                #expect(try await networker.cachedValue(for: request(server, index)).isEmpty == false)
            }
        }
    }

    @Test(arguments: WireKind.allCases, [false, true])
    func subscriptionsAreCancelledAtAnyMoment(_ kind: WireKind, _ isCached: Bool) async throws {
        try await serving { server async throws in
            let networker = kind.make()
            let tokens = await withTaskGroup(of: WeakObject.self) { group in
                for index in 0..<Self.crowd {
                    let request = request(server, index)
                    group.addTask {
                        let token = SubscriptionRecord()
                        let publisher: AnyPublisher<Data, any Error> =
                            isCached ? networker.fetchWithCache(request) : networker.fetch(request)
                        let subscription = publisher.sink(
                            receiveCompletion: { _ in token.complete() }, receiveValue: { _ in token.receive() })
                        await Self.dawdle(upTo: 300)
                        if index % 3 == 0 {
                            // Waits for its end, to which the subscription is kept.
                            await token.end()
                            #expect(token.counts == [1, 1])
                        }
                        subscription.cancel()
                        #expect(token.counts.allSatisfy { $0 <= 1 })
                        return WeakObject(token)
                    }
                }
                return await group.reduce(into: [WeakObject]()) { $0.append($1) }
            }
            // A subscription that is over holds nothing of its subscriber.
            #expect(try await until({ tokens }, { $0.allSatisfy(\.isGone) }))
        }
    }

    @Test(arguments: WireKind.allCases)
    func delegatesAreReplacedWhileFetchesAreUnderWay(_ kind: WireKind) async throws {
        try await serving { server async throws in
            let networker = kind.make()
            let delegates = (0..<4).map { NamedDelegate("\($0)") }
            Self.setDelegate(of: networker, delegates.first)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, delegate) in delegates.enumerated() {
                    group.addTask {
                        for _ in 0..<Self.crowd {
                            Self.setDelegate(of: networker, delegate)
                            await Self.dawdle(upTo: 3)
                            if index == 0 { #expect(networker.delegate != nil) }
                        }
                    }
                }
                for index in 0..<Self.crowd {
                    let request = request(server, index)
                    group.addTask {
                        let data: Data = try await networker.data(for: request)
                        #expect(!data.isEmpty)
                    }
                }
                try await group.waitForAll()
            }
            let entries = server.journal.entries
            #expect(entries.count == Self.crowd)
            let names = Set(entries.map { entry in Self.name.flatMap { entry.request.headerFields[$0] } })
            #expect(names.isSubset(of: ["0", "1", "2", "3"]))
            #expect(delegates.map(\.count).reduce(0, +) == Self.crowd)
        }
    }

    @Test(arguments: WireKind.allCases)
    func networkersAndDelegatesAreReleasedWithTheirConnections(_ kind: WireKind) async throws {
        try await serving { server async throws in
            let port = try #require(server.baseURL.port)
            var objects: [WeakObject] = []
            for _ in 0..<4 { objects += try await fetchAndForget(kind, server) }
            #expect(objects.count == 12)
            #expect(try await until({ objects }, { $0.allSatisfy(\.isGone) }))
            #expect(try await until({ try descriptors(connectedTo: port) }, is: 0))
        }
    }

    /// Fetches with a networker and a delegate, some to their end and some not.
    ///
    /// - Returns: the networker, its delegate and its cache, which nobody should hold any more.
    private func fetchAndForget(_ kind: WireKind, _ server: MockServer) async throws -> [WeakObject] {
        let networker = kind.make()
        let delegate = NamedDelegate("own")
        Self.setDelegate(of: networker, delegate)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<Self.crowd / 10 {
                let request = request(server, index)
                group.addTask {
                    let task = Task { try await networker.value(for: request).count }
                    if index % 2 == 0 {
                        await Self.dawdle(upTo: 100)
                        task.cancel()
                    }
                    _ = try End(await task.result.map { _ in Data() }, mayBeCancelled: index % 2 == 0)
                }
            }
            try await group.waitForAll()
        }
        #expect(try descriptors(connectedTo: try #require(server.baseURL.port)) > 0)
        return [WeakObject(networker), WeakObject(delegate), WeakObject(try #require(networker.cache))]
    }
}

/// How a fetch ended; any other way is an error.
private enum End {
    case data, cancelled

    init(_ result: Result<Data, any Error>, mayBeCancelled: Bool) throws {
        switch result {
        case .success: self = .data
        case .failure(let error as URLError) where error.code == .cancelled && mayBeCancelled: self = .cancelled
        case .failure(is CancellationError) where mayBeCancelled: self = .cancelled
        case .failure(let error): throw error
        }
    }
}

/// Names itself in every request.
private final class NamedDelegate: NetworkingDelegate {
    private let name: String
    private let received = Atomic(0)

    init(_ name: String) {
        self.name = name
    }

    /// How many answers it has seen.
    var count: Int { received.load(ordering: .relaxed) }

    func headers(for networking: any Networking) -> [String: String] {
        ["X-Delegate": name]
    }

    func networking(_ networking: any Networking, didReceive response: URLResponse) {
        received.add(1, ordering: .relaxed)
    }
}
