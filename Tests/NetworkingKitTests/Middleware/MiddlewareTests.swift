// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing

/// One chain for all that sends: fetch, stream, client, provider, cache and paging.
@Suite(.supervised) struct MiddlewareTests {
    enum Way: CaseIterable {
        case published, awaited, cached, whole, streamed, client, provider, resource, paged
    }

    private struct Call: APIRequest {
        typealias Response = Data
        let baseURL: URL
        let method = HTTPMethod.get
        let path = "/x"
    }

    private struct Numbers: Request {
        let url: URL
        let method = HTTPMethod.get
        func decode(_ data: Data) throws -> [Int] { [data.count] }
    }

    static func send(_ way: Way, _ networker: Networker, _ service: Service) async throws {
        let request = PlainRequest(url: service.url("/x"))
        let base = service.server.baseURL
        switch way {
        case .published: _ = try await networker.fetch(request).firstValue()
        case .awaited: _ = try await networker.data(for: request)
        case .cached: _ = try await networker.cachedValue(for: request)
        case .whole:
            let response = try await networker.response(for: request)
            #expect(response.status == 200)
        case .streamed: for try await _ in networker.bytes(for: request) {}
        case .client: _ = try await Client(networking: networker).send(Call(baseURL: base))
        case .provider:
            let target = AnyTarget(baseURL: base, path: "x")
            let response = try await Provider<AnyTarget>(networking: networker).request(target)
            #expect(response.statusCode == 200)
        case .resource: let _: [Int] = try await JSONResource(service.url("/x"), networking: networker).get()
        case .paged:
            let list = PagedList(
                Numbers(url: service.url("/x")), networking: networker, next: NextLink { (_: Data) in nil })
            try await list.loadNext()
        }
    }

    private static let busyOnce = #"""
        {"request": {"urlPath": "/x"}, "responses": [{"status": 503, "headers": {"Retry-After": "1"}}, {"body": "[1]"}]}
        """#

    @Test(arguments: Way.allCases)
    func aRequestThatMayWorkLaterIsSentAgainWhoeverSendsIt(_ way: Way) async throws {
        let service = try await Service(["x.stub.json": Self.busyOnce])
        let waits = Collected<Duration>()
        let networker = Networker(middlewares: [RetryMiddleware(sleep: { waits.append($0) })])
        try await Self.send(way, networker, service)
        #expect(service.server.journal.entries.map(\.status) == [503, 200])
        #expect(waits.elements == [.seconds(1)])
        await service.stop()
    }

    @Test(arguments: Way.allCases.filter { $0 != .streamed })
    func aDelegateThatSubscribesAgainSendsAgainWhoeverSends(_ way: Way) async throws {
        final class Retrying: NetworkingDelegate {
            func networking(
                _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
            ) -> AnyPublisher<Data, URLError> {
                publisher.retry(1).eraseToAnyPublisher()
            }
        }
        let service = try await Service(["x.stub.json": Self.busyOnce])
        let delegate = Retrying()
        let networker = Networker()
        networker.delegate = delegate
        try await Self.send(way, networker, service)
        #expect(service.server.journal.entries.map(\.status) == [503, 200])
        withExtendedLifetime(delegate) {}
        await service.stop()
    }

    @Test func whatMustNotBeSentTwiceIsNot() async throws {
        let service = try await Service(["x.stub.json": Self.busyOnce])
        let networker = Networker(middlewares: [RetryMiddleware(sleep: { _ in Issue.record("no wait is due") })])
        let error = await #expect(throws: ResponseError.self) {
            try await networker.data(for: PlainRequest(url: service.url("/x"), method: .post))
        }
        #expect(error?.status == 503)
        #expect(service.targets.count == 1)
        await service.stop()
    }

    @Test func waitsDoubleAndEnd() async throws {
        let service = try await Service(["x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"status": 500}}"#]
        )
        let waits = Collected<Duration>()
        let networker = Networker(
            middlewares: [RetryMiddleware(limit: 3, backOff: .seconds(1), sleep: { waits.append($0) })])
        let response = try await networker.response(for: PlainRequest(url: service.url("/x")))
        #expect(response.status == 500)
        #expect(service.targets.count == 4)
        let bounds: [ClosedRange<Duration>] = [
            .milliseconds(500) ... .seconds(1), .seconds(1) ... .seconds(2), .seconds(2) ... .seconds(4),
        ]
        #expect(zip(bounds, waits.elements).map { $0.contains($1) } == [true, true, true])
        await service.stop()
    }

    @Test(arguments: ["3600", "Fri, 01 Jan 2100 00:00:00 GMT"])
    func anAnswerThatAsksForTooLongAWaitIsTheResult(_ after: String) async throws {
        let service = try await Service([
            "x.stub.json":
                #"{"request": {"urlPath": "/x"}, "response": {"status": 429, "headers": {"Retry-After": "\#(after)"}}}"#
        ])
        let networker = Networker(middlewares: [RetryMiddleware()])
        #expect(try await networker.response(for: PlainRequest(url: service.url("/x"))).status == 429)
        #expect(service.targets.count == 1)
        await service.stop()
    }

    @Test func aRefusedTokenIsRenewedOnceForAll() async throws {
        let service = try await Service([
            "new.stub.json":
                #"{"priority": 1, "request": {"urlPath": "/x", "headers": {"Authorization": {"equalTo": "Bearer new"}}}, "response": {"body": "in"}}"#,
            "old.stub.json":
                #"{"priority": 2, "request": {"urlPath": "/x"}, "response": {"status": 401, "headers": {"WWW-Authenticate": "Bearer"}}}"#,
        ])
        let refreshes = Mutex(0)
        let networker = Networker(middlewares: [
            TokenMiddleware(token: "old") {
                refreshes.withLock { $0 += 1 }
                return "new\n"
            }
        ])
        let request = PlainRequest(url: service.url("/x"))
        let results = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 { group.addTask { try await networker.data(for: request) } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(results == [Data("in".utf8)])
        #expect(refreshes.withLock { $0 } == 1)
        await service.stop()
    }

    @Test func aTokenGoesToItsHostsAlone() async throws {
        let service = try await Service.answering("/x")
        let networker = Networker(middlewares: [TokenMiddleware(token: "1", hosts: ["api.example.com"]) { "2" }])
        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        #expect(service.server.journal.entries.first?.request.headerFields[.authorization] == nil)
        await service.stop()
    }

    @Test func requestsAreWrittenDownWithoutTheirSecrets() async throws {
        let service = try await Service([
            "x.stub.json":
                #"{"request": {"urlPath": "/x"}, "response": {"status": 201, "jsonBody": {"id": 7, "session": {"token": "s3cret"}}}}"#
        ])
        let lines = Collected<String>()
        let networker = Networker(middlewares: [
            LoggingMiddleware(detail: [.requestHeaders, .requestBody, .responseBody], output: { lines.append($0) })
        ])
        let request = PlainRequest(
            url: service.url("/x?page=2&API_KEY=s3cret"), method: .post,
            headers: ["Authorization": "Bearer s3cret", "Content-Type": "application/json"],
            body: Data(#"{"user": "ada", "Password": "s3cret"}"#.utf8))
        let count = try await networker.data(for: request).count
        let url = service.url("/x?page=2&API_KEY=").absoluteString
        #expect(
            lines.elements == [
                """
                --> POST \(url)<redacted>
                Authorization: <redacted>
                Content-Type: application/json

                {"Password":"<redacted>","user":"ada"}
                """,
                """
                <-- 201 \(url)<redacted>, \(count) bytes

                {"id":7,"session":{"token":"<redacted>"}}
                """,
            ])
        await service.stop()
    }

    @Test func eachExchangeIsMeasured() async throws {
        let service = try await Service.answering("/x")
        let all = Collected<ExchangeMetrics>()
        let networker = Networker(middlewares: [MetricsMiddleware { all.append($0) }])
        _ = try await networker.data(for: PlainRequest(url: service.url("/x"), method: .put, body: Data("abc".utf8)))
        await service.stop()
        _ = try? await networker.data(for: PlainRequest(url: service.url("/x")))
        #expect(all.elements.map(\.method) == ["PUT", "GET"])
        #expect(all.elements.map(\.status) == [200, nil])
        #expect(all.elements.map { $0.error == nil } == [true, false])
        #expect(all.elements.first.map { [$0.sentBytes, $0.receivedBytes] } == [3, 2])
    }

    @Test func theFirstIsOutermost() async throws {
        let service = try await Service.answering("/x")
        let order = Collected<String>()
        func noting(_ name: String) -> Intercept {
            Intercept { request, next in
                order.append("\(name) request")
                let response = try await next(request)
                order.append("\(name) answer")
                return response
            }
        }
        let networker = Networker(middlewares: [noting("outer"), noting("inner")])
        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        #expect(order.elements == ["outer request", "inner request", "inner answer", "outer answer"])
        await service.stop()
    }

    @Test func anAnswerMayBeMadeWithoutAsking() async throws {
        let networker = Networker(middlewares: [
            Intercept { request, _ in
                let asked = PlainRequest(url: try #require(request.url))
                return try DataResponse(to: asked, status: 418, data: Data("made\nhere".utf8))
            }
        ])
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        #expect(try await networker.response(for: request).status == 418)
        let error = await #expect(throws: ResponseError.self) { for try await _ in networker.lines(for: request) {} }
        #expect(error?.body == Data("made\nhere".utf8))
    }
}
