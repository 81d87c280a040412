// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `FixtureNetworker`: why a fixture finds what a double that encodes the type under test cannot.
@Suite(.supervised) struct DriftTests {
    /// The API before and after it renamed a member.
    private static func page(artwork: String) -> String {
        """
        {"data": [{"attributes": {
          "name": "Dunes", "description": "Sand.", "\(artwork)": "https://images.example.com/dunes.jpg",
          "released_at": "2026-05-20T18:01:43.000Z"
        }}]}
        """
    }

    private static func names(_ networking: any Networking) async throws -> [String] {
        let api = try #require(URL(string: "https://api.example.com/api"))
        let articles: [Article] = try await networking.value(for: ArticleRequest(base: api))
        return articles.map(\.name)
    }

    @Test func aFixtureThatHasMovedAwayFromTheTypesFailsTheirTests() async throws {
        let before = try TemporaryDirectory(["api/contents.json": Self.page(artwork: "card_artwork_url")])
        #expect(try await Self.names(FixtureNetworker(fixtures: before.path)) == ["Dunes"])

        let after = try TemporaryDirectory(["api/contents.json": Self.page(artwork: "artwork_url")])
        let networker = try FixtureNetworker(fixtures: after.path)
        let error = await #expect(throws: ResponseError.self) { try await Self.names(networker) }
        guard case .keyNotFound(let key, let context) = try #require(error?.cause as? DecodingError) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "card_artwork_url")
        #expect(context.codingPath.map(\.stringValue) == ["data", "Index 0", "attributes"])
    }

    @Test func aDoubleThatEncodesTheTypesPassesWhateverTheServiceSends() async throws {
        #expect(try await Self.names(EncodingDouble()) == ["Dunes"])
    }

    /// Knows of the service only what the types under test say: it cannot disagree with them.
    private struct EncodingDouble: Networking {
        weak var delegate: (any NetworkingDelegate)?

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            let article = Article(name: "Dunes", description: "Sand.", image: request.url, id: "1")
            let data = (try? JSONEncoder().encode(Articles(data: [ArticleData(article: article)]))) ?? Data()
            return Just(data).setFailureType(to: URLError.self).eraseToAnyPublisher()
        }
    }
}
