// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing

/// The core: what a delegate takes part in.
@Suite(.supervised) struct DelegateTests {
    @Test func headersAreAskedForAnewForEachRequest() async throws {
        let service = try await Service()
        var networker = Networker() as any Networking
        let delegate = HeaderDelegate(["Authorization": "Token 1"])
        networker.delegate = delegate
        let request = PlainRequest(url: service.url("/api/domains"))
        _ = try await networker.data(for: request)
        let publisher: AnyPublisher<Data, URLError> = networker.fetch(request)
        _ = try await publisher.firstValue()
        _ = try await publisher.firstValue()
        let entries = service.server.journal.entries
        #expect(entries.map { $0.request.headerFields[values: .init("X-Number") ?? .accept] } == [["1"], ["2"], ["3"]])
        #expect(entries.allSatisfy { $0.request.headerFields[.authorization] == "Token 1" })
        #expect(delegate.timesAsked == 3)
        await service.stop()
    }

    @Test func aHeaderOfTheRequestWinsWhateverItsCase() async throws {
        let service = try await Service()
        let networker = Networker()
        let delegate = HeaderDelegate(["accept": "text/plain", "Host": "elsewhere", "Content-Length": "7"])
        networker.delegate = delegate
        _ =
            try await networker.data(
                for: PlainRequest(url: service.url("/api/domains"), headers: ["Accept": "application/json"]))
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.request.headerFields[values: .accept] == ["application/json"])
        #expect(entry.request.authority != "elsewhere")
        #expect(entry.request.headerFields[.contentLength] == nil)
        await service.stop()
    }

    @Test func aDelegateIsHeldWeakly() async throws {
        let service = try await Service()
        let networker = Networker()
        weak var released: HeaderDelegate?
        do {
            let delegate = HeaderDelegate()
            networker.delegate = delegate
            released = delegate
            _ = try await networker.data(for: PlainRequest(url: service.url("/api/domains")))
        }
        #expect(released == nil)
        #expect(networker.delegate == nil)
        _ = try await networker.data(for: PlainRequest(url: service.url("/api/domains")))
        #expect(service.server.journal.entries.count == 2)
        await service.stop()
    }

    @Test func aTransformedPublisherIsWhatTheCallerGets() async throws {
        let service = try await Service()
        let networker = Networker()
        let delegate = Fallback()
        networker.delegate = delegate
        let request = PlainRequest(url: service.url("/api/recommendations"))
        let publisher: AnyPublisher<Data, URLError> = networker.fetch(request)
        #expect(String(decoding: try await publisher.firstValue(), as: UTF8.self) == "instead")
        #expect(delegate.calls == 1)
        // The same holds for a fetch that is awaited, where the delegate says nothing else of it.
        let data: Data = try await networker.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "instead")
        #expect(delegate.calls == 2)
        #expect(delegate.statuses == [500, 500])
        await service.stop()
    }

    @Test func anErrorPassesThroughAPublisherThatIsNotTransformed() async throws {
        let service = try await Service()
        let networker = Networker()
        let delegate = HeaderDelegate()
        networker.delegate = delegate
        let error = await #expect(throws: ResponseError.self) {
            try await networker.data(for: PlainRequest(url: service.url("/api/nothing")))
        }
        #expect(error?.status == 404)
        await service.stop()
    }

    @Test func aTransformedFetchMaySendAgain() async throws {
        let service = try await Service([
            "token.stub.json": """
            {"request": {"urlPath": "/t"}, "responses": [{"status": 401, "body": "old"}, {"body": "new"}]}
            """
        ])
        let networker = Networker()
        let delegate = Retry()
        networker.delegate = delegate
        let data: Data = try await networker.data(for: PlainRequest(url: service.url("/t")))
        #expect(String(decoding: data, as: UTF8.self) == "new")
        #expect(service.targets == ["GET /t", "GET /t"])
        await service.stop()
    }
}

/// Gives other data in the place of an error.
private final class Fallback: NetworkingDelegate {
    private let seen = Mutex((calls: 0, statuses: [Int]()))

    var calls: Int { seen.withLock { $0.calls } }
    var statuses: [Int] { seen.withLock { $0.statuses } }

    func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError> {
        seen.withLock { $0.calls += 1 }
        return publisher.replaceError(with: Data("instead".utf8)).setFailureType(to: URLError.self)
            .eraseToAnyPublisher()
    }

    func networking(_ networking: any Networking, didReceive response: URLResponse) {
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return }
        seen.withLock { $0.statuses.append(status) }
    }
}

/// Sends once more what is answered with 401.
private final class Retry: NetworkingDelegate {
    func networking(
        _ networking: any Networking, transformFetch fetch: @escaping @Sendable () async throws -> Data
    ) async throws -> Data {
        do {
            return try await fetch()
        } catch let error as ResponseError where error.status == 401 {
            return try await fetch()
        }
    }
}
