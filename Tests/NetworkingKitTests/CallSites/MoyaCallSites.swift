// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

private struct Document: Decodable {
    struct Attributes: Decodable {
        let name: String
    }

    let id: String
    let attributes: Attributes
}

private struct Failure: Decodable {
    let status: String
}

/// A plugin in the published form.
private final class RequestCounter: PluginType {
    let count = Atomic(0)

    func willSend(_ request: any RequestType, target: any TargetType) {
        count.add(1, ordering: .relaxed)
    }
}

/// A service is requested, stubbed and changed on its way in the forms that Moya publishes.
@Suite(.supervised) struct MoyaCallSites {
    private func withService(_ body: () async throws -> Void) async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        try await MoyaService.$base.withValue(server.baseURL) { try await body() }
        await server.stop()
    }

    @Test func aRequestWithACompletionIsSwitchedOver() async throws {
        try await withService { () async throws in
            let provider = Provider<MoyaService>()
            let status: Int = await withCheckedContinuation { continuation in
                provider.request(.articles(page: 1)) { result in
                    switch result {
                    case let .success(response):
                        let data = response.data
                        let statusCode = response.statusCode
                        continuation.resume(returning: data.isEmpty ? 0 : statusCode)
                    case let .failure(error):
                        Issue.record(error)
                        continuation.resume(returning: 0)
                    }
                }
            }
            #expect(status == 200)
        }
    }

    @Test func aResponseIsFilteredThenMapped() async throws {
        try await withService { () async throws in
            let provider = Provider<MoyaService>()
            let response = try await provider.request(.articles(page: 3))
            do {
                let filtered = try response.filterSuccessfulStatusCodes()
                let documents = try filtered.map([Document].self, atKeyPath: "data")
                let json = try filtered.mapJSON() as? [String: Any]
                #expect(documents.count == 20)
                #expect(json?.keys.contains("links") == true)
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test func aStatusThatIsFilteredIsCaughtByItsCase() async throws {
        try await withService { () async throws in
            let response = try await Provider<MoyaService>().request(.showArticle(slug: "none"))
            do {
                _ = try response.filterSuccessfulStatusCodes()
                Issue.record("404 is a success")
            } catch ProviderError.statusCode(let response) {
                #expect(response.statusCode == 404)
                #expect(try response.map([Failure].self, atKeyPath: "errors").map(\.status) == ["404"])
            }
        }
    }

    @Test func stubsAnswerWithTheSampleInTheCall() throws {
        let provider = Provider<MoyaService>(stubClosure: Provider.immediatelyStub)
        let name = Mutex("")
        provider.request(.showArticle(slug: "a-sample")) { result in
            if case let .success(response) = result {
                let article = try? response.map(Document.self, atKeyPath: "data")
                name.withLock { $0 = article?.attributes.name ?? "" }
            }
        }
        #expect(name.withLock { $0 } == "a-sample")
    }

    @Test func anEndpointClosureAddsAField() async throws {
        let echo = try await EchoServer.start()
        let endpointClosure: Provider<MoyaService>.EndpointClosure = { (target: MoyaService) -> Endpoint in
            let defaultEndpoint = Provider.defaultEndpointMapping(for: target)
            return defaultEndpoint.adding(newHTTPHeaderFields: ["APP_NAME": "MY_AWESOME_APP"])
        }
        let provider = Provider<MoyaService>(endpointClosure: endpointClosure)
        try await MoyaService.$base.withValue(echo.url) { () async throws in
            _ = try await provider.request(.remove(id: 7))
        }
        #expect(echo.field("APP_NAME") == "MY_AWESOME_APP")
        #expect(echo.field("Accept") == "application/json")
        await echo.stop()
    }

    @Test func anEndpointClosureAnswersAnotherSample() async throws {
        let failureEndpointClosure = { @Sendable (target: MoyaService) -> Endpoint in
            let sampleResponseClosure = { @Sendable () -> Endpoint.SampleResponse in
                if case .remove = target {
                    return .networkResponse(401, Data())
                } else {
                    return .networkResponse(200, target.sampleData)
                }
            }
            return Endpoint(
                url: URL(target: target).absoluteString, sampleResponseClosure: sampleResponseClosure,
                method: target.method, task: target.task, httpHeaderFields: target.headers)
        }
        let provider = Provider<MoyaService>(
            endpointClosure: failureEndpointClosure, stubClosure: Provider<MoyaService>.immediatelyStub)
        try await MoyaService.$base.withValue(AnyTarget.unsent.baseURL) { () async throws in
            #expect(try await provider.request(.remove(id: 1)).statusCode == 401)
            #expect(try await provider.request(.articles(page: 1)).statusCode == 200)
        }
    }

    @Test func aRequestClosureChangesTheRequest() async throws {
        let echo = try await EchoServer.start()
        let requestClosure = {
            @Sendable (endpoint: Endpoint, done: @escaping Provider<MoyaService>.RequestResultClosure) in
            do {
                var request = try endpoint.urlRequest()
                request.setValue("en", forHTTPHeaderField: "Accept-Language")
                done(.success(request))
            } catch ProviderError.requestMapping(let url) {
                done(.failure(.requestMapping(url)))
            } catch {
                done(.failure(.underlying(error, nil)))
            }
        }
        let provider = Provider<MoyaService>(requestClosure: requestClosure)
        try await MoyaService.$base.withValue(echo.url) { () async throws in
            _ = try await provider.request(.articles(page: 2))
        }
        #expect(echo.field("Accept-Language") == "en")
        #expect(
            echo.messages.map(\.target)
                == ["/api/contents?filter%5Bcontent_types%5D%5B%5D=article&page%5Bnumber%5D=2"])
        await echo.stop()
    }

    @Test func contentsAreSentByTheirTasks() async throws {
        let echo = try await EchoServer.start()
        let provider = Provider<MoyaService>()
        try await MoyaService.$base.withValue(echo.url) { () async throws in
            _ = try await provider.request(.createArticle(name: "A/B", kind: "article"))
            _ = try await provider.request(.rename(id: 7, name: "C"))
            _ = try await provider.request(.uploadGif(Data("GIF89a".utf8), description: "A wave"))
        }
        let messages = echo.messages
        #expect(messages.map(\.method) == ["POST", "PATCH", "POST"])
        #expect(messages.prefix(2).map(\.body) == [#"{"kind":"article","name":"A/B"}"#, #"{"name":"C"}"#])
        #expect(messages.last?.contentType?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(messages.last?.body.contains("\r\nContent-Type: image/gif\r\n\r\nGIF89a\r\n--") == true)
        await echo.stop()
    }

    @Test func pluginsTakePart() async throws {
        let echo = try await EchoServer.start()
        let token = "eyeAm.AJsoN.weBTOKen"
        let authPlugin = AccessTokenPlugin { _ in token }
        let counter = RequestCounter()
        let provider = Provider<MoyaService>(plugins: [authPlugin, counter, LoggerPlugin(output: { _ in })])
        try await MoyaService.$base.withValue(echo.url) { () async throws in
            _ = try await provider.request(.remove(id: 1))
            _ = try await provider.request(.articles(page: 1))
        }
        #expect(echo.field("Authorization") == "Bearer eyeAm.AJsoN.weBTOKen")
        #expect(counter.count.load(ordering: .relaxed) == 2)
        await echo.stop()
    }

    @Test func oneProviderTakesTargetsOfManyKinds() async throws {
        try await withService { () async throws in
            let provider = Provider<MultiTarget>()
            let response = try await provider.request(MultiTarget(MoyaService.articles(page: 1)))
            #expect(response.statusCode == 200)
            let other = AnyTarget(baseURL: MoyaService.base, path: "api/domains")
            #expect(try await provider.request(.target(other)).statusCode == 200)
        }
    }

    @Test func progressIsToldUntilItIsCompleted() async throws {
        try await withService { () async throws in
            let seen = Collected<Double>()
            let isOver = await withCheckedContinuation { continuation in
                Provider<MoyaService>().request(
                    .articles(page: 1),
                    progress: { progress in
                        seen.append(progress.progress)
                        if progress.completed { continuation.resume(returning: true) }
                    }, completion: { _ in })
            }
            #expect(isOver)
            #expect(seen.elements.last == 1)
        }
    }

    @Test func aCallIsCancelled() async throws {
        let provider = Provider<MoyaService>(stubClosure: Provider.delayedStub(3_600))
        let isCancelled: Bool = await withCheckedContinuation { continuation in
            let cancellable: any Cancellable = provider.request(.articles(page: 1)) { result in
                if case let .failure(.underlying(error, _)) = result {
                    continuation.resume(returning: (error as? URLError)?.code == .cancelled)
                } else {
                    continuation.resume(returning: false)
                }
            }
            cancellable.cancel()
        }
        #expect(isCancelled)
    }

    @Test func aPublisherIsMapped() async throws {
        try await withService { () async throws in
            let provider = Provider<MoyaService>()
            let publisher = provider.requestPublisher(.articles(page: 1))
                .filterSuccessfulStatusCodes()
                .map([Document].self, atKeyPath: "data")
            #expect(try await publisher.firstValue().count == 20)
        }
    }
}
