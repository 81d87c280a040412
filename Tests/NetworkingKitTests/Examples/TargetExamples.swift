// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

enum NewsService {
    case page(Int)
    case article(id: String)
    case rename(id: String, to: String)
}

extension NewsService: TargetType {
    var baseURL: URL { service }

    var path: String {
        switch self {
        case .page: "contents"
        case .article(let id), .rename(let id, _): "contents/\(id)"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .page, .article: .get
        case .rename: .patch
        }
    }

    var task: Endpoint.Task {
        switch self {
        case .page(let number):
            .requestParameters(
                parameters: ["filter": ["content_types": ["article"]], "page": ["number": number]],
                encoding: .queryString)
        case .article: .requestPlain
        case .rename(_, let name): .requestJSONEncodable(["name": name])
        }
    }

    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["Accept": "application/json"] }

    var sampleData: Data {
        get throws { try .fixture("api/contents/article.json", in: fixtures) }
    }
}

extension NewsService: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { .bearer }
}

private struct ArticleSummary: Decodable {
    let id: String
}

extension NewsService {
    @TaskLocal fileprivate static var server = AnyTarget.unsent.baseURL
}

private var service: URL { NewsService.server.appendingPathComponent("api") }
private let fixtures = URL(fileURLWithPath: Sample.fixtures)

/// The examples of `docs/networking/targets.md`.
@Suite(.supervised) struct TargetExamples {
    private func withService(_ body: () async throws -> Void) async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        try await NewsService.$server.withValue(server.baseURL) { () async throws in try await body() }
        await server.stop()
    }

    @Test func aPageIsRequestedAndRead() async throws {
        try await withService { () async throws in
            let provider = Provider<NewsService>()
            let response = try await provider.request(.page(2))
            let articles = try response.map([ArticleSummary].self, atKeyPath: "data")
            #expect(articles.count == 20)
        }
    }

    @Test func threeFormsGiveTheSame() async throws {
        try await withService { () async throws in
            let provider = Provider<NewsService>()
            let seen = Collected<Int>()
            await withCheckedContinuation { continuation in
                let call = provider.request(.page(1), callbackQueue: .global()) { result in
                    switch result {
                    case .success(let response): seen.append(response.statusCode)
                    case .failure(let error): print(error)
                    }
                    continuation.resume()
                }
                #expect(!call.isCancelled)
            }
            #expect(seen.elements == [200])
            let names = provider.requestPublisher(.page(1))
                .map([ArticleSummary].self, atKeyPath: "data")
                .map { $0.map(\.id) }
            #expect(try await names.firstValue().count == 20)
        }
    }

    @Test func aStubAnswersWithAFixture() async throws {
        let provider = Provider<NewsService>(stubClosure: Provider.immediatelyStub)
        let response = try await provider.request(.article(id: "7102220"))
        #expect(try response.map(String.self, atKeyPath: "data.id") == "7102220")
    }

    @Test func anEndpointAnswersWhatATestNeeds() async throws {
        let provider = Provider<NewsService>(
            endpointClosure: { target in
                let endpoint = Provider.defaultEndpointMapping(for: target)
                return Endpoint(
                    url: endpoint.url, sampleResponseClosure: { .networkResponse(503, Data("closed".utf8)) },
                    method: endpoint.method, task: endpoint.task, httpHeaderFields: endpoint.httpHeaderFields)
            }, stubClosure: Provider.delayedStub(0.01))
        do {
            _ = try await provider.request(.page(1))
            Issue.record("503 is a success")
        } catch {
            guard case .underlying(let cause, _) = error else { throw error }
            guard case .statusCode(let response) = cause as? ProviderError else { throw error }
            #expect(response.statusCode == 503)
        }
    }

    @Test func aTokenIsFetchedBeforeARequest() async throws {
        let echo = try await EchoServer.start()
        let log = Collected<String>()
        @Sendable func freshToken() async -> String { "fresh" }
        let provider = Provider<NewsService>(
            requestClosure: { endpoint, done in
                Task {
                    let token = await freshToken()
                    done(
                        Result { () throws(ProviderError) in
                            try endpoint.adding(newHTTPHeaderFields: ["X-Token": token]).urlRequest()
                        })
                }
            }, plugins: [AccessTokenPlugin { _ in "sample" }, LoggerPlugin(detail: .verbose, output: log.append)])
        try await NewsService.$server.withValue(echo.url) { () async throws in
            _ = try await provider.request(.rename(id: "7", to: "A"))
        }
        #expect(echo.field("X-Token") == "fresh")
        #expect(echo.field("Authorization") == "Bearer sample")
        #expect(
            log.elements.first == """
                --> PATCH \(echo.url.absoluteString)/api/contents/7
                Accept: application/json
                Authorization: <redacted>
                Content-Type: application/json
                X-Token: fresh

                {"name":"A"}
                """)
        await echo.stop()
    }

    @Test func aFormAndADownloadSayWhereTheirFilesAre() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory(["wave.gif": "GIF89a"])
        let folder = URL(fileURLWithPath: files.path)
        var target = AnyTarget(baseURL: echo.url, method: .post)

        let image = MultipartFormBodyPart(provider: .file(folder.appendingPathComponent("wave.gif")), name: "image")
        let title = MultipartFormBodyPart(provider: .data(Data("A wave".utf8)), name: "title")
        let upload = Endpoint.Task.uploadMultipartFormData([title, image])

        let place = folder.appendingPathComponent("downloads/answer.json")
        let download = Endpoint.Task.downloadDestination { _, _ in
            (place, [.createIntermediateDirectories, .removePreviousFile])
        }

        target.task = upload
        _ = try await Provider<AnyTarget>().request(target)
        target.method = .get
        target.task = download
        _ = try await Provider<AnyTarget>().request(target)
        #expect(echo.messages.first?.body.contains(#"name="image"; filename="wave.gif""#) == true)
        #expect(files.text("downloads/answer.json") == #"{"ok":true}"#)
        await echo.stop()
    }
}
