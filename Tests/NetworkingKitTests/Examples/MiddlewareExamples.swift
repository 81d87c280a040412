// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The examples of `docs/networking/middlewares.md`.
@Suite(.supervised) struct MiddlewareExamples {
    struct Tracing: Middleware {
        let number: String

        func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
            var request = request
            request.setValue(number, forHTTPHeaderField: "X-Request-Id")
            return try await next(request)
        }
    }

    @Test func aChainIsOfANetworker() async throws {
        let service = try await Service.answering("/x")

        let networker = Networker(middlewares: [
            LoggingMiddleware(detail: [.requestHeaders]),
            RetryMiddleware(),
            TokenMiddleware { "sample-token" },
        ])

        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.request.headerFields[.authorization] == "Bearer sample-token")
        await service.stop()
    }

    @Test func oneOfOnesOwnChangesTheRequest() async throws {
        let service = try await Service.answering("/x")
        let networker = Networker(middlewares: [Tracing(number: "7")])
        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.request.headerFields[.init("X-Request-Id") ?? .accept] == "7")
        await service.stop()
    }

    @Test func `plugins take part in what is sent without a provider`() async throws {
        let service = try await Service.answering("/x")
        let log = Collected<String>()

        let networker = Networker(middlewares: [PluginMiddleware([LoggerPlugin(output: log.append)])])

        _ = try await networker.data(for: PlainRequest(url: service.url("/x")))
        let url = service.url("/x").absoluteString
        #expect(log.elements == ["--> GET \(url)", "<-- 200 \(url), 2 bytes"])
        await service.stop()
    }
}
