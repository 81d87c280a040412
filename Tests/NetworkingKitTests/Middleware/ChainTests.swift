// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// Plugins and delegates as links of the one chain, in the order of calls of their origins.
@Suite(.supervised) struct ChainTests {
    /// Notes each call, and adds a field to each request.
    private struct NotingPlugin: PluginType {
        let name: String
        let calls: Collected<String>

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            calls.append("\(name) prepare \(target.method) \(URL(target: target).path)")
            var request = request
            request.addValue(name, forHTTPHeaderField: "X-Plugins")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) {
            calls.append("\(name) willSend \(request.request?.value(forHTTPHeaderField: "X-Plugins") ?? "")")
        }

        func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
            calls.append("\(name) didReceive \((try? result.get().statusCode) ?? 0)")
        }

        func process(
            _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
        ) -> Result<Endpoint.Response, ProviderError> {
            calls.append("\(name) process \((try? result.get().statusCode) ?? 0)")
            return result
        }
    }

    private final class NotingDelegate: NetworkingDelegate {
        let calls: Collected<String>

        init(_ calls: Collected<String>) {
            self.calls = calls
        }

        func headers(for networking: any Networking) -> [String: String] {
            calls.append("headers")
            return ["X-Delegate": "\(calls.count)"]
        }

        func networking(
            _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
        ) -> AnyPublisher<Data, URLError> {
            calls.append("transform")
            return publisher
        }

        func networking(_ networking: any Networking, didReceive response: URLResponse) {
            calls.append("didReceive \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        }
    }

    private static func noting(_ calls: Collected<String>) -> Intercept {
        Intercept { request, next in
            calls.append("middleware request")
            let response = try await next(request)
            calls.append("middleware answer \(response.status)")
            return response
        }
    }

    @Test func `a provider's plugins are around the delegate, and that around the middlewares`() async throws {
        let service = try await Service.answering("/x")
        let calls = Collected<String>()
        let delegate = NotingDelegate(calls)
        let networker = Networker(middlewares: [Self.noting(calls)])
        networker.delegate = delegate
        let plugins = ["A", "B"].map { NotingPlugin(name: $0, calls: calls) }
        let provider = Provider<AnyTarget>(networking: networker, plugins: plugins)
        _ = try await provider.request(AnyTarget(baseURL: service.server.baseURL, path: "x"))
        let before = ["A prepare GET /x", "B prepare GET /x", "A willSend A,B", "B willSend A,B"]
        let inside = ["headers", "transform", "middleware request", "didReceive 200", "middleware answer 200"]
        let after = ["A didReceive 200", "B didReceive 200", "A process 200", "B process 200"]
        #expect(calls.elements == before + inside + after)
        await service.stop()
    }

    @Test(arguments: MiddlewareTests.Way.allCases)
    func `plugins of a networker take part whoever sends`(_ way: MiddlewareTests.Way) async throws {
        let service = try await Service([
            "x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"body": "[1]"}}"#
        ])
        let calls = Collected<String>()
        let plugins = ["A", "B"].map { NotingPlugin(name: $0, calls: calls) }
        let networker = Networker(middlewares: [PluginMiddleware(plugins)])
        try await MiddlewareTests.send(way, networker, service)
        let before = ["A prepare GET /x", "B prepare GET /x", "A willSend A,B", "B willSend A,B"]
        let after = ["A didReceive 200", "B didReceive 200", "A process 200", "B process 200"]
        #expect(calls.elements == before + after)
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.request.headerFields[.init("X-Plugins") ?? .accept] == "A,B")
        await service.stop()
    }

    @Test func `a plugin of a networker may save a request that failed, and an error that it leaves is the wire's`()
        async throws
    {
        struct Saver: PluginType {
            func process(
                _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
            ) -> Result<Endpoint.Response, ProviderError> {
                guard target.baseURL.path == "/saved" else { return result }
                return .success(Endpoint.Response(statusCode: 203, data: Data("saved".utf8)))
            }
        }
        let networker = Networker(middlewares: [PluginMiddleware([Saver()])])
        // No test's server gets a port below 1,024.
        let saved = try #require(URL(string: "http://127.0.0.1:1/saved"))
        let response = try await networker.response(for: PlainRequest(url: saved))
        #expect(response.status == 203)
        #expect(try response.mapString() == "saved")
        let lost = try #require(URL(string: "http://127.0.0.1:1/lost"))
        let error = await #expect(throws: URLError.self) { try await networker.data(for: PlainRequest(url: lost)) }
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test func `what a plugin or a middleware refuses is written down without its secrets`() async throws {
        struct Refusing: PluginType {
            func process(
                _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
            ) -> Result<Endpoint.Response, ProviderError> {
                result.flatMap { .failure(.statusCode($0)) }
            }
        }
        let refusing = Intercept { request, next in
            let response = try await next(request)
            let url = try #require(request.url)
            throw ResponseError(method: .get, url: url, response: response)
        }
        let service = try await Service.answering("/x")
        let request = PlainRequest(url: service.url("/x?token=s3cret"))
        let links: [any Middleware] = [PluginMiddleware([Refusing()]), refusing]
        for link in links {
            let lines = Collected<String>()
            let networker = Networker(middlewares: [LoggingMiddleware(output: lines.append), link])
            await #expect(throws: (any Error).self) { try await networker.data(for: request) }
            #expect(lines.elements.last?.hasSuffix("status 200, 2 bytes") == true)
            #expect(lines.elements.filter { $0.contains("s3cret") } == [])
        }
        await service.stop()
    }

    @Test func `the delegate is called in the book's order, published and awaited`() async throws {
        let service = try await Service.answering("/x")
        let request = PlainRequest(url: service.url("/x"))
        for isPublished in [true, false] {
            let calls = Collected<String>()
            let delegate = NotingDelegate(calls)
            let networker = Networker(middlewares: [Self.noting(calls)])
            networker.delegate = delegate
            if isPublished {
                let publisher: AnyPublisher<Data, URLError> = networker.fetch(request)
                // Before anybody subscribes.
                #expect(calls.elements == ["headers", "transform"])
                _ = try await publisher.firstValue()
            } else {
                _ = try await networker.data(for: request)
            }
            let order = ["headers", "transform", "middleware request", "didReceive 200", "middleware answer 200"]
            #expect(calls.elements == order)
            withExtendedLifetime(delegate) {}
        }
        await service.stop()
    }

    @Test func `a request that the delegate sends again has headers asked for again`() async throws {
        final class Again: NetworkingDelegate {
            let asked = Collected<Int>()

            func headers(for networking: any Networking) -> [String: String] {
                asked.append(asked.count + 1)
                return ["X-Number": "\(asked.count)"]
            }

            func networking(
                _ networking: any Networking, transformFetch fetch: @escaping @Sendable () async throws -> Data
            ) async throws -> Data {
                _ = try await fetch()
                return try await fetch()
            }
        }
        let service = try await Service.answering("/x")
        let delegate = Again()
        let networker = Networker()
        networker.delegate = delegate
        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        let numbers = service.server.journal.entries.map { $0.request.headerFields[.init("X-Number") ?? .accept] }
        #expect(numbers == ["1", "2"])
        await service.stop()
    }

    @Test func `a delegate's Content-Type is sent where the request names none`() async throws {
        let service = try await Service.answering("/x")
        let delegate = HeaderDelegate(["Content-Type": "text/csv"])
        let networker = Networker()
        let request = PlainRequest(url: service.url("/x"), method: .post, body: Data("a,b".utf8))
        _ = try await networker.data(for: request)
        networker.delegate = delegate
        _ = try await networker.data(for: request)
        let types = service.server.journal.entries.map { $0.request.headerFields[.contentType] }
        #expect(types == ["application/octet-stream", "text/csv"])
        withExtendedLifetime(delegate) {}
        await service.stop()
    }
}
