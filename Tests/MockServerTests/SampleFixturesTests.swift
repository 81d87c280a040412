// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The fixtures that ship with the package.
@Suite(.supervised) struct SampleFixturesTests {
    private static var path: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures").path
    }

    private func serving(_ body: (WireClient) throws -> Void) async throws {
        let server = try await MockServer.start(fixtures: Self.path)
        do {
            try body(try WireClient(port: try #require(server.baseURL.port)))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// The target of a URL at this server.
    private func target(_ url: String) -> String {
        "/" + url.split(separator: "/", maxSplits: 2).dropFirst(2).joined()
    }

    @Test func `every page is reached by its links, every image by its article`() async throws {
        try await serving { client throws in
            var next: String? = "/api/contents?filter[content_types][]=article"
            var articles = 0
            var images: Set<String> = []
            while let target = next {
                let answer = try client.request("GET", target)
                #expect(answer.status == 200, "\(target)")
                let page = try JSONParser.parse(answer.text)
                articles += page["data"]?.array?.count ?? 0
                for article in page["data"]?.array ?? [] {
                    if let url = article["attributes"]?["card_artwork_url"]?.string { images.insert(url) }
                }
                next = page["links"]?["next"]?.string.map(self.target)
            }
            #expect(articles == 60)
            #expect(!images.isEmpty)
            for image in images {
                #expect(image.hasPrefix("http://localhost/"), "\(image)")
                let answer = try client.request("GET", target(image))
                #expect(answer.status == 200, "\(image)")
                #expect(answer["Content-Type"]?.hasPrefix("image/") == true)
            }
        }
    }

    @Test(arguments: [
        ("GET", "/api/contents/7102220-a-mock-server-you-can-review", 200), ("GET", "/api/contents/7102220", 301),
        ("DELETE", "/api/contents/7102220", 204), ("GET", "/api/contents/1", 404),
        ("POST", "/api/contents/7102220/publication", 202), ("GET", "/api/exports/512", 200),
        ("GET", "/api/bookmarks", 401), ("GET", "/api/statistics", 401), ("GET", "/api/recommendations", 500),
        ("GET", "/api/domains", 200), ("GET", "/uploads/", 200), ("GET", "/uploads/2018/sunrise@2x.png", 200),
        ("POST", "/api/sessions", 401), ("GET", "/nothing", 404),
    ])
    func `each request is answered as its table says`(method: String, target: String, status: Int) async throws {
        try await serving { client throws in
            #expect(try client.request(method, target).status == status)
        }
    }
}
