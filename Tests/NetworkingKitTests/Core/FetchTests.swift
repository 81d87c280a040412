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

/// The core: what a fetch gives.
@Suite(.supervised) struct FetchTests {
    @Test func aRequestGivesItsOutput() async throws {
        let service = try await Service()
        let articles = try await Networker().value(for: ArticleRequest(base: service.api))
        #expect(articles.count == 20)
        #expect(articles.first?.name == "A Mock Server You Can Review")
        await service.stop()
    }

    @Test func theSameRequestGivesItsDataWhereThatIsAskedFor() async throws {
        let service = try await Service()
        let data: Data = try await Networker().data(for: ArticleRequest(base: service.api))
        #expect(try [Article](from: data).count == 20)
        await service.stop()
    }

    @Test func publishersGiveTheSame() async throws {
        let service = try await Service()
        let networker = Networker()
        let request = ArticleRequest(base: service.api)
        let typed: AnyPublisher<[Article], any Error> = networker.fetch(request)
        let plain: AnyPublisher<Data, URLError> = networker.fetch(request)
        #expect(try await typed.firstValue().count == 20)
        #expect(try await plain.tryMap([Article].init(from:)).firstValue().count == 20)
        await service.stop()
    }

    @Test func jsonIsFetchedByItsURL() async throws {
        struct Domains: Decodable, Sendable {
            struct Domain: Decodable, Sendable { let id: String }
            let data: [Domain]
        }
        let service = try await Service()
        let domains: Domains = try await Networker().value(from: service.url("/api/domains"))
        let published: AnyPublisher<Domains, any Error> = Networker().fetch(url: service.url("/api/domains"))
        #expect(domains.data.count == 6)
        #expect(try await published.firstValue().data.map(\.id) == domains.data.map(\.id))
        await service.stop()
    }

    @Test func anImageArrivesByteForByte() async throws {
        let service = try await Service()
        let data = try await Networker().value(for: ImageRequest(url: service.url("/uploads/2026/aurora.png")))
        let file = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/2026/aurora.png")
        #expect(data == (try Data(contentsOf: file)))
        await service.stop()
    }

    @Test func anHTTPErrorCarriesStatusHeadersAndBody() async throws {
        let service = try await Service()
        let request = PlainRequest(url: service.url("/api/recommendations"))
        let error = await #expect(throws: ResponseError.self) { try await Networker().data(for: request) }
        #expect(error?.status == 500)
        #expect(error?.headers["Content-Type"]?.hasPrefix("application/vnd.api+json") == true)
        #expect(error?.body.isEmpty == false)
        #expect("\(try #require(error))".hasPrefix("GET \(service.url("/api/recommendations")): 500\n{\"errors\":"))
        await service.stop()
    }

    @Test func aPublisherFailsWithAURLErrorThatCarriesTheResponse() async throws {
        let service = try await Service()
        let publisher: AnyPublisher<Data, URLError> = Networker().fetch(PlainRequest(url: service.url("/api/nothing")))
        let error = await #expect(throws: URLError.self) { try await publisher.firstValue() }
        #expect(error?.code == .badServerResponse)
        #expect(error?.statusError?.status == 404)
        #expect(error?.localizedDescription.contains("nothing answers GET /api/nothing") == true)
        await service.stop()
    }

    @Test func withoutStatusChecksTheDataOfAnErrorIsData() async throws {
        let service = try await Service()
        let request = PlainRequest(url: service.url("/api/recommendations"))
        let data: Data = try await Networker(acceptedStatuses: .any).data(for: request)
        #expect(data.starts(with: Data(#"{"errors":"#.utf8)))
        await service.stop()
    }

    @Test func aChallengeWithoutCredentialIsAnAnswer() async throws {
        let service = try await Service()
        let error = await #expect(throws: ResponseError.self) {
            try await Networker().data(for: PlainRequest(url: service.url("/api/statistics")))
        }
        #expect(error?.status == 401)
        #expect(
            error?.response.http.value(forHTTPHeaderField: "WWW-Authenticate")
                == #"Basic realm="Statistics", charset="UTF-8""#)
        #expect(error?.body.isEmpty == false)
        await service.stop()
    }

    @Test func aServerThatIsAwayIsAConnectionError() async throws {
        // No server listens on a port that only the system may have.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await #expect(throws: URLError.self) { try await Networker().data(for: PlainRequest(url: url)) }
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test func redirectsAreFollowed() async throws {
        let service = try await Service()
        let response = try await Networker().response(for: PlainRequest(url: service.url("/api/contents/7102220")))
        #expect(response.status == 200)
        #expect(service.targets.count == 2)
        await service.stop()
    }

    @Test func aCancelledFetchEndsAtOnce() async throws {
        let service = try await Service([
            "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#
        ])
        let networker = Networker()
        let task = Task { try await networker.data(for: PlainRequest(url: service.url("/late"))) }
        #expect(try await until({ service.targets }, { !$0.isEmpty }))
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await service.stop()
    }

    @Test func aFetchOfACancelledTaskSendsNothing() async throws {
        let service = try await Service()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Networker().data(for: PlainRequest(url: service.url("/api/domains")))
        }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await service.stop()
        #expect(service.targets.isEmpty)
    }

    @Test func aDownloadGoesToAFile() async throws {
        let service = try await Service()
        let seen = Mutex<[TransferProgress]>([])
        let options = TransferOptions(isDownload: true) { progress in seen.withLock { $0.append(progress) } }
        let response = try await Networker().response(
            for: ImageRequest(url: service.url("/uploads/2026/aurora.png")), options)
        let file = try #require(response.file)
        #expect(try Data(contentsOf: file).count == 1_094_038)
        #expect(response.data.isEmpty)
        try FileManager.default.removeItem(at: file)
        #expect(seen.withLock { $0.last } == TransferProgress(completed: 1_094_038, total: 1_094_038))
        #expect(seen.withLock { $0.map(\.completed) == $0.map(\.completed).sorted() })
        await service.stop()
    }

    @Test func aResponseIsMappedAsThoseOfProvidersAre() async throws {
        struct Item: Decodable { let id: Int }
        let networker = Networker { _ in Data(#"{"data": [{"id": 7}], "title": "T"}"#.utf8) }
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        let response = try await networker.response(for: request).filterSuccessfulStatusCodes()
        #expect(try response.map([Item].self, atKeyPath: "data").map(\.id) == [7])
        #expect(try response.mapString(atKeyPath: "title") == "T")
        #expect(try response.mapJSON() is [String: Any])
        #expect(throws: ProviderError.self) { _ = try response.filter(statusCodes: 400..<500) }
    }
}
