// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import NetworkingKit
import Synchronization
import TestSupport
import Testing
import WireSupport

/// The examples of `docs/networking/core.md`.
@Suite(.supervised) struct CoreExample {
    struct Domain: Decodable, Sendable {
        struct Attributes: Decodable, Sendable { let name: String }
        let id: String
        let attributes: Attributes
    }

    struct DomainsRequest: Request {
        let api: URL
        var url: URL { api.appendingPathComponent("domains") }
        var method: HTTPMethod { .get }

        func decode(_ data: Data) throws -> [Domain] {
            struct Page: Decodable { let data: [Domain] }
            return try JSONDecoder().decode(Page.self, from: data).data
        }
    }

    final class Credentials: NetworkingDelegate {
        func headers(for networking: any Networking) -> [String: String] {
            ["Authorization": "Token token=sample-token"]
        }

        func networking(
            _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
        ) -> AnyPublisher<Data, URLError> {
            publisher.retry(1).eraseToAnyPublisher()
        }
    }

    @Test func aRequestIsAwaited() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let api = server.baseURL.appendingPathComponent("api")

        let networker = Networker()
        let domains = try await networker.fetch(DomainsRequest(api: api))
        print(domains.map(\.attributes.name))

        #expect(domains.count == 6)
        await server.stop()
    }

    @Test func aRequestIsPublished() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let request = DomainsRequest(api: server.baseURL.appendingPathComponent("api"))
        let names = Mutex<[String]>([])
        var cancellables: Set<AnyCancellable> = []

        networker.fetch(request)
            .map { $0.map(\.attributes.name) }
            .replaceError(with: [])
            .sink { found in names.withLock { $0 = found } }
            .store(in: &cancellables)

        #expect(try await until({ names.withLock { $0.count } }, is: 6))
        await server.stop()
    }

    @Test func aDelegateAddsHeaders() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let bookmarks = PlainRequest(url: server.baseURL.appendingPathComponent("api/bookmarks"))

        let networker = Networker()
        let credentials = Credentials()
        networker.delegate = credentials
        let data: Data = try await networker.fetch(bookmarks)

        #expect(!data.isEmpty)
        await server.stop()
    }

    @Test func anErrorSaysWhatCame() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let recommendations = PlainRequest(url: server.baseURL.appendingPathComponent("api/recommendations"))
        do {
            _ = try await networker.fetch(recommendations) as Data
            Issue.record("500 is no success")
        } catch let error as HTTPStatusError {
            print(error.status, error.headers, error.body.count)
            #expect(error.status == 500)
        } catch let error as URLError {
            print("no answer:", error.localizedDescription)
            Issue.record(error)
        }
        await server.stop()
    }

    @Test func theBookIsLenient() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let recommendations = PlainRequest(url: server.baseURL.appendingPathComponent("api/recommendations"))

        let networker = Networker(acceptedStatuses: .any)
        let data: Data = try await networker.fetch(recommendations)

        #expect(!data.isEmpty)
        await server.stop()
    }
}
