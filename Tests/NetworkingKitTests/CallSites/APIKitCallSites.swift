// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// The forms in which requests with a response and those who send them are published.
@Suite(.supervised) struct APIKitCallSites {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "rate_limit.json": #"{"rate": {"limit": 60, "remaining": 58}}"#,
            "search.stub.json": #"""
            {"request": {"method": "GET", "urlPath": "/search/repositories", "otherQueryParameters": "refuse",
                         "queryParameters": {"q": {"equalTo": "mock & server"}, "order": {"equalTo": "asc"}}},
             "response": {"status": 200, "jsonBody": {"items": [{"name": "mockapi"}, {"name": "other"}]}}}
            """#,
            "forbidden.stub.json": #"""
            {"request": {"method": "GET", "urlPath": "/forbidden"},
             "response": {"status": 403, "jsonBody": {"message": "Not for you"}}}
            """#,
        ])
    }

    // MARK: A request with a base URL, a path and a response made of an object

    struct RateLimit {
        let limit: Int
        let remaining: Int

        init(object: Any) throws {
            guard let rate = (object as? [String: Any])?["rate"] as? [String: Int],
                let limit = rate["limit"], let remaining = rate["remaining"]
            else { throw ResponseError.unexpectedObject(object) }
            self.limit = limit
            self.remaining = remaining
        }
    }

    struct RateLimitRequest: APIRequest {
        typealias Response = RateLimit

        let server: URL
        var baseURL: URL { return server }
        var method: HTTPMethod { return .get }
        var path: String { return "/rate_limit" }

        func response(from object: Any, urlResponse: HTTPURLResponse) throws -> RateLimit {
            return try RateLimit(object: object)
        }
    }

    @Test func aRequestIsSentWithASwitchOverItsResult() async throws {
        let fixtures = try Self.fixtures()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let (limits, continuation) = AsyncStream<Int>.makeStream()
        let session = Client()
        session.send(RateLimitRequest(server: server.baseURL)) { result in
            switch result {
            case .success(let response):
                continuation.yield(response.limit)
                continuation.yield(response.remaining)
            case .failure(let error):
                Issue.record(error)
            }
            continuation.finish()
        }
        #expect(await limits.reduce(into: []) { $0.append($1) } == [60, 58])
        await server.stop()
    }

    // MARK: A protocol of one's own for all requests of a service

    protocol GitHubRequest: APIRequest {
        var server: URL { get }
    }

    struct Repositories: Decodable {
        struct Repository: Decodable {
            let name: String
        }
        let items: [Repository]
    }

    struct SearchRepositoriesRequest: GitHubRequest {
        enum Order: String {
            case asc
            case desc
        }

        let server: URL
        let query: String
        let order: Order

        typealias Response = Repositories
        var method: HTTPMethod { .get }
        var path: String { "/search/repositories" }
        var parameters: Any? { ["q": query, "order": order.rawValue] }
    }

    @Test func parametersOfGetAreItsQuery() async throws {
        let fixtures = try Self.fixtures()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let request = SearchRepositoriesRequest(server: server.baseURL, query: "mock & server", order: .asc)
        let response = try await Client().send(request)
        #expect(response.items.map(\.name) == ["mockapi", "other"])
        #expect(server.requestLines == ["GET /search/repositories?order=asc&q=mock%20%26%20server"])
        await server.stop()
    }

    // MARK: Errors of the service, and errors by phase

    struct ServiceError: Error {
        let message: String

        init(object: Any) {
            message = (object as? [String: Any])?["message"] as? String ?? "unknown"
        }
    }

    struct ForbiddenRequest: GitHubRequest {
        let server: URL
        typealias Response = RateLimit
        var method: HTTPMethod { .get }
        var path: String { "/forbidden" }

        func response(from object: Any, urlResponse: HTTPURLResponse) throws -> RateLimit {
            try RateLimit(object: object)
        }
    }

    @Test func anErrorIsToldByItsPhase() async throws {
        let fixtures = try Self.fixtures()
        let server = try await MockServer.start(fixtures: fixtures.path)
        do {
            _ = try await Client().send(ForbiddenRequest(server: server.baseURL))
            Issue.record("403 is not a success")
        } catch {
            switch error {
            case .responseError(let error as ServiceError):
                #expect(error.message == "Not for you")
            case .connectionError, .requestError, .responseError:
                Issue.record(error)
            }
        }
        await server.stop()
    }
}

extension APIKitCallSites.GitHubRequest {
    var baseURL: URL { server }

    func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any {
        guard 200..<300 ~= urlResponse.statusCode else { throw APIKitCallSites.ServiceError(object: object) }
        return object
    }
}
