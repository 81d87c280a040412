// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing

/// The cache of a networking, by the rules of HTTP.
@Suite(.supervised) struct HTTPCacheTests {
    private static func service(_ response: String, method: String = "ANY") async throws -> Service {
        try await Service([
            "all.stub.json": #"{"request": {"method": "\#(method)", "urlPath": "/x"}, "response": {\#(response)}}"#
        ])
    }

    /// A time that stands still until it is set.
    private final class Clock: Sendable {
        private let seconds = Mutex(0.0)
        func pass(_ seconds: Double) { self.seconds.withLock { $0 += seconds } }
        var now: Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds.withLock { $0 }) }
    }

    private func asked(_ service: Service, _ header: String) -> [String?] {
        service.server.journal.entries.map { $0.request.headerFields[.init(header) ?? .accept] }
    }

    @Test func oneReadersAnswerIsNotGivenToAnother() async throws {
        let service = try await Service([
            "alice.stub.json":
                #"{"request": {"urlPath": "/mail", "headers": {"Authorization": {"equalTo": "alice"}}}, "response": {"body": "alice's mail"}}"#,
            "bob.stub.json":
                #"{"request": {"urlPath": "/mail", "headers": {"Authorization": {"equalTo": "bob"}}}, "response": {"body": "bob's mail"}}"#,
        ])
        final class Credentials: NetworkingDelegate {
            let name = Mutex("alice")
            func headers(for networking: any Networking) -> [String: String] { ["Authorization": name.withLock { $0 }] }
        }
        let networker = Networker()
        let credentials = Credentials()
        networker.delegate = credentials
        let request = PlainRequest(url: service.url("/mail"))
        for name in ["alice", "bob", "alice"] {
            credentials.name.withLock { $0 = name }
            #expect(try await networker.cachedValue(for: request) == Data("\(name)'s mail".utf8))
        }
        #expect(asked(service, "Authorization") == ["alice", "bob"])
        await service.stop()
    }

    @Test func tokensOfAMiddlewareAreTheKeyToo() async throws {
        let service = try await Self.service(#""body": "ok""#)
        let token = Mutex("1")
        let networker = Networker(middlewares: [
            Intercept { request, next in
                var request = request
                request.setValue(token.withLock { $0 }, forHTTPHeaderField: "X-Token")
                return try await next(request)
            }
        ])
        let request = PlainRequest(url: service.url("/x"))
        _ = try await networker.cachedValue(for: request)
        token.withLock { $0 = "2" }
        _ = try await networker.cachedValue(for: request)
        _ = try await networker.cachedValue(for: request)
        #expect(asked(service, "X-Token") == ["1", "2"])
        await service.stop()
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch])
    func onlyGetAndHeadAreKept(_ method: HTTPMethod) async throws {
        let service = try await Self.service(#""body": "paid""#)
        let networker = Networker()
        let request = PlainRequest(url: service.url("/x"), method: method, body: Data("1".utf8))
        for _ in 0..<3 { _ = try await networker.cachedValue(for: request) }
        #expect(service.targets.count == 3)
        await service.stop()
    }

    @Test(arguments: [
        (#""body": "x", "headers": {"Cache-Control": "private, no-store"}"#, 2),
        (#""body": "x", "headers": {"Vary": "*"}"#, 2), (#""body": "x", "headers": {"Cache-Control": "no-cache"}"#, 2),
        (#""body": "x", "headers": {"Expires": "0"}"#, 2), (#""body": "x", "headers": {"Vary": "Accept"}"#, 1),
        (#""body": "x", "headers": {"Cache-Control": "max-age=60"}"#, 1), (#""body": "x""#, 1),
        (#""body": "x", "headers": {"Expires": "Fri, 01 Jan 2100 00:00:00 GMT"}"#, 1),
    ])
    func whatAnAnswerSaysOfItselfIsHeld(_ response: String, _ requests: Int) async throws {
        let service = try await Self.service(response)
        let networker = Networker()
        let request = PlainRequest(url: service.url("/x"))
        for _ in 0..<2 { #expect(try await networker.cachedValue(for: request) == Data("x".utf8)) }
        #expect(service.targets.count == requests)
        await service.stop()
    }

    @Test func whatARequestSaysIsHeldToo() async throws {
        let service = try await Self.service(#""body": "x""#)
        let networker = Networker()
        for control in ["no-store", "no-store", "no-cache", "no-cache"] {
            let request = PlainRequest(url: service.url("/x"), headers: ["Cache-Control": control])
            _ = try await networker.cachedValue(for: request)
        }
        #expect(service.targets.count == 4)
        await service.stop()
    }

    @Test func `a response that varies by the session's cookies is not kept`() async throws {
        let service = try await Self.service(#""body": "x", "headers": {"Vary": "Accept, Cookie"}"#)
        let networker = Networker()
        for _ in 0..<2 { _ = try await networker.cachedValue(for: PlainRequest(url: service.url("/x"))) }
        #expect(service.targets.count == 2)
        // A cookie of the request's own is part of the key.
        let known = PlainRequest(url: service.url("/x"), headers: ["Cookie": "a=1"])
        for _ in 0..<2 { _ = try await networker.cachedValue(for: known) }
        #expect(service.targets.count == 3)
        await service.stop()
    }

    @Test func `a request says how old a response may be`() async throws {
        let service = try await Self.service(#""body": "x""#)
        let clock = Clock()
        let networker = Networker(cache: RequestCache(now: { clock.now }))
        let request = PlainRequest(url: service.url("/x"), headers: ["Cache-Control": "max-age=10"])
        for pause in [0.0, 9, 2] {
            clock.pass(pause)
            _ = try await networker.cachedValue(for: request)
        }
        #expect(service.targets.count == 2)
        await service.stop()
    }

    @Test func anAnswerThatHasExpiredIsAskedForAgainByItsValidator() async throws {
        let service = try await Service([
            "first.stub.json":
                #"{"priority": 2, "request": {"urlPath": "/x"}, "response": {"body": "x", "headers": {"Cache-Control": "max-age=60", "ETag": "\"1\""}}}"#,
            "same.stub.json":
                #"{"priority": 1, "request": {"urlPath": "/x", "headers": {"If-None-Match": {"equalTo": "\"1\""}}}, "response": {"status": 304, "headers": {"Cache-Control": "max-age=60", "ETag": "\"1\""}}}"#,
        ])
        let clock = Clock()
        let networker = Networker(cache: RequestCache(now: { clock.now }))
        let request = PlainRequest(url: service.url("/x"))
        for pause in [0.0, 59, 2, 59, 2] {
            clock.pass(pause)
            #expect(try await networker.cachedValue(for: request) == Data("x".utf8))
        }
        #expect(service.server.journal.entries.map(\.status) == [200, 304, 304])
        await service.stop()
    }

    @Test func anAnswerCanBeForgotten() async throws {
        let service = try await Self.service(#""body": "x""#)
        let networker = Networker()
        let delegate = HeaderDelegate(["Accept": "text/plain"])
        let request = PlainRequest(url: service.url("/x"))
        _ = try await networker.cachedValue(for: request)
        networker.cache?.remove(for: request)
        _ = try await networker.cachedValue(for: request)
        #expect(service.targets.count == 2)
        // With what a delegate adds, too.
        networker.delegate = delegate
        _ = try await networker.cachedValue(for: request)
        networker.cache?.remove(for: request)
        networker.delegate = nil
        _ = try await networker.cachedValue(for: request)
        #expect(service.targets.count == 4)
        withExtendedLifetime(delegate) {}
        await service.stop()
    }

    @Test func whatARequestHasChangedIsForgotten() async throws {
        let service = try await Self.service(#""body": "x""#)
        let networker = Networker()
        let request = PlainRequest(url: service.url("/x"))
        _ = try await networker.cachedValue(for: request)
        _ = try await networker.data(for: PlainRequest(url: service.url("/x"), method: .put, body: Data("y".utf8)))
        _ = try await networker.cachedValue(for: request)
        #expect(service.targets == ["GET /x", "PUT /x", "GET /x"])
        await service.stop()
    }

    @Test func dataCostItsBytesWhereNothingElseIsSaid() throws {
        let cache = RequestCache<Data>(costLimit: 10)
        let url = try #require(URL(string: "http://host.example/x"))
        cache.saveResponse(Data(count: 11), for: PlainRequest(url: url))
        #expect(cache.response(for: PlainRequest(url: url)) == nil)
    }

    @Test func theCacheOfADoubleIsItsOwn() async throws {
        struct Double: Networking {
            var delegate: (any NetworkingDelegate)? {
                get { nil }
                set {}
            }

            func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
                Fail(error: URLError(.badURL)).eraseToAnyPublisher()
            }

            func fetchWithCache<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
                TaskPublisher { Data("own".utf8) }.tryMap(request.decode).eraseToAnyPublisher()
            }
        }
        let networking: any Networking = Double()
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        #expect(try await networking.fetchWithCache(request).firstValue() == Data("own".utf8))
        #expect(try await networking.cachedValue(for: request) == Data("own".utf8))
    }
}
