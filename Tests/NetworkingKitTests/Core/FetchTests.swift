// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import NetworkingKit
import Testing

struct FetchTests {
    @Test func probe() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let articles = try await networker.fetch(ArticleRequest(base: server.baseURL.appendingPathComponent("api")))
        #expect(articles.count == 20)
        let publisher = networker.fetch(ArticleRequest(base: server.baseURL.appendingPathComponent("api"))).map(\.count)
        #expect(try await publisher.firstValue() == 20)
        do {
            _ = try await networker.fetch(ImageRequest(url: server.baseURL.appendingPathComponent("api/nothing")))
            Issue.record("no")
        } catch let error as HTTPStatusError {
            print(error)
        }
        let clock = ContinuousClock()
        print(
            await clock.measure {
                do {
                    print(
                        try await networker.fetch(
                            ImageRequest(url: server.baseURL.appendingPathComponent("api/statistics"))))
                } catch { print(error) }
            })
        await server.stop()
    }
}
