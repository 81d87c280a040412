import MockServerTesting
import NetworkingKit
import Testing

@Suite(.mockServer(fixtures: "Fixtures"))
struct TestingExample {
    @Test func theFirstPageIsAskedForOnce() async throws {
        let api = MockServer.current.baseURL.appendingPathComponent("api")
        let articles = try await Networker().value(for: ArticleRequest(base: api))
        #expect(articles.count == 20)
    }
}
