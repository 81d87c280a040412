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

    struct NewBookmark: Request {
        let api: URL
        let body: JSON<[String: String]>
        var url: URL { api.appendingPathComponent("bookmarks") }
        var method: HTTPMethod { .post }
    }

    final class CountingNetworking: Networking {
        private let reference = DelegateReference()
        private let count = Mutex(0)

        weak var delegate: (any NetworkingDelegate)? {
            get { reference.delegate }
            set { reference.delegate = newValue }
        }

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            count.withLock { $0 += 1 }
            return Just(Data()).setFailureType(to: URLError.self).eraseToAnyPublisher()
        }
    }

    @MainActor
    final class DomainsModel: NetworkingDelegate {
        private(set) var names: [String] = []

        nonisolated func headers(for networking: any Networking) -> [String: String] {
            ["Accept": "application/vnd.api+json"]
        }

        func load(by networking: any Networking, _ request: DomainsRequest) async throws {
            names = try await networking.value(for: request).map(\.attributes.name)
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
        let domains = try await networker.value(for: DomainsRequest(api: api))
        print(domains.map(\.attributes.name))

        #expect(domains.count == 6)
        await server.stop()
    }

    @Test func aBodyIsJSON() throws {
        let api = try #require(URL(string: "http://127.0.0.1:8080/api"))
        let request = try NewBookmark(api: api, body: JSON(["article": "1"])).urlRequest()
        #expect(request.httpBody == Data(#"{"article":"1"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func aDoubleIsAClosureOrAClass() async throws {
        let api = try #require(URL(string: "http://127.0.0.1:8080/api"))

        let networker = Networker { request in
            request is DomainsRequest ? Data(#"{"data": []}"#.utf8) : nil
        }

        #expect(try await networker.value(for: DomainsRequest(api: api)).isEmpty)
        #expect(try await CountingNetworking().data(for: DomainsRequest(api: api)).isEmpty)
    }

    @Test @MainActor func aViewModelIsADelegate() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let model = DomainsModel()
        networker.delegate = model
        try await model.load(by: networker, DomainsRequest(api: server.baseURL.appendingPathComponent("api")))
        #expect(model.names.count == 6)
        let accept = server.journal.entries.first?.request.headerFields[.accept]
        #expect(accept == "application/vnd.api+json")
        await server.stop()
    }

    @Test func datesAndSnakeCaseAreTheNetworkers() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let networker = Networker(coders: Coders(decoder: decoder))
        #expect(networker.coders.decoder === decoder)
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
        let data = try await networker.data(for: bookmarks)

        #expect(!data.isEmpty)
        await server.stop()
    }

    @Test func anErrorSaysWhatCame() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let recommendations = PlainRequest(url: server.baseURL.appendingPathComponent("api/recommendations"))
        do {
            _ = try await networker.data(for: recommendations)
            Issue.record("500 is not a success")
        } catch let error as ResponseError {
            print(error.status, error.headers, error.body.count)
            #expect(error.status == 500)
        } catch let error as URLError {
            print("no response:", error.localizedDescription)
            Issue.record(error)
        }
        await server.stop()
    }

    @Test func theBookIsLenient() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let recommendations = PlainRequest(url: server.baseURL.appendingPathComponent("api/recommendations"))

        let networker = Networker(acceptedStatuses: .any)
        let data = try await networker.data(for: recommendations)

        #expect(!data.isEmpty)
        await server.stop()
    }
}
