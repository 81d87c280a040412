// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

struct Domains: Decodable {
    struct Domain: Decodable {
        let id: String
    }
    let data: [Domain]
}

struct DomainsRequest: APIRequest {
    typealias Response = Domains
    var method: HTTPMethod { .get }
    var path: String { "/api/domains" }
}

struct ContentsRequest: APIRequest {
    typealias Response = [Article]
    let topic: Int

    var method: HTTPMethod { .get }
    var path: String { "/api/contents" }
    var parameters: Any? { ["filter[content_types][]": "article", "filter[domain_ids][]": topic] }
}

/// A response that is made of an object, by code.
struct TotalRequest: APIRequest {
    var method: HTTPMethod { .get }
    var path: String { "/api/contents" }
    var parameters: Any? { ["filter[content_types][]": "article"] }
    var dataParser: any DataParser { JSONDataParser() }

    func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Int {
        let meta = (object as? [String: Any])?["meta"] as? [String: Any]
        guard let total = meta?["total_result_count"] as? Int else { throw ResponseError.unexpectedObject(object) }
        return total
    }
}

struct NewArticleRequest: APIRequest {
    typealias Response = Data
    let name: String

    var method: HTTPMethod { .post }
    var path: String { "/api/contents" }
    var parameters: Any? {
        ["data": ["type": "contents", "attributes": ["name": name, "content_type": "article"]] as [String: Any]]
    }
}

/// The examples of `docs/networking/client-and-paging.md`.
@Suite(.supervised) struct ClientExamples {
    @Test func requestsAreSent() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)

        let client = Client(networking: Networker(), baseURL: server.baseURL)
        let domains = try await client.send(DomainsRequest())
        let articles = try await client.send(ContentsRequest(topic: 5))

        #expect(domains.data.count == 6)
        #expect(articles.count == 4)
        #expect(try await client.send(TotalRequest()) == 60)
        #expect(try await !client.send(NewArticleRequest(name: "Fixtures for People")).isEmpty)
        await server.stop()
    }

    @Test func errorsAreToldApart() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let client = Client(baseURL: server.baseURL)
        var told = ""

        do {
            _ = try await client.send(NewArticleRequest(name: ""))
        } catch .responseError(let error as ResponseError) {
            told = "refused: \(error.status)"
        } catch .connectionError(let error) {
            told = "not reached: \(error)"
        } catch {
            told = "\(error)"
        }

        #expect(told == "refused: 422")
        await server.stop()
    }

    @Test func pagesAreLoaded() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let api = server.baseURL.appendingPathComponent("api")

        let articles = PagedList(ArticleRequest(base: api), networking: Networker())
        try await articles.loadNext()
        for try await page in articles.remainingPages {
            print("\(page.count) more, \(articles.state.elements.count) in all")
        }

        #expect(articles.state.elements.count == 60)
        await server.stop()
    }

    @MainActor final class ArticleList {
        private(set) var shown: [String] = []

        func follow(_ articles: PagedList<Article>) async {
            for await state in articles.states {
                shown = state.elements.map(\.name)
                if !state.hasNext { break }
            }
        }
    }

    @Test @MainActor func aListFollowsItsPages() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let api = server.baseURL.appendingPathComponent("api")
        let articles = PagedList(ArticleRequest(base: api), networking: Networker())
        let list = ArticleList()
        async let end: Void = list.follow(articles)
        for try await _ in articles.remainingPages {}
        await end
        #expect(list.shown.count == 60)
        await server.stop()
    }

    @Test @MainActor func aListLoadsByHandlers() {
        let numbers = NumberList()
        numbers.loadNext(view: numbers.table)
        numbers.loadNext(view: numbers.table)
        #expect(numbers.data == [1, 2, 3, 4])
        #expect(numbers.table.reloads == 2)
    }
}

@MainActor final class NumberList {
    var data: [Int] = []
    var nextPageState = NextPageState<Int>()
    let table = NumberTable()
}

@MainActor final class NumberTable {
    private(set) var reloads = 0

    func reloadData() { reloads += 1 }
}

extension NumberTable: @MainActor ReloadableType {}

extension NumberList: @MainActor NextPageLoadable {
    func performLoad(
        successHandler: @escaping (_ rows: [Int], _ hasNext: Bool, _ lastId: Int?) -> Void,
        failHandler: @escaping () -> Void
    ) {
        let last = nextPageState.lastId ?? 0
        successHandler([last + 1, last + 2], last < 8, last + 2)
    }
}
