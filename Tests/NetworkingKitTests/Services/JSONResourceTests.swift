// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct JSONResourceTests {
    private struct Document: Codable {
        struct Item: Codable {
            var id: String?
            var type: String
            var attributes: Attributes
        }
        struct Attributes: Codable {
            var name: String?
            var content_type: String?
            var progress: Int?
            var finished: Bool?
        }
        var data: Item

        init(id: String? = nil, type: String = "contents", _ attributes: Attributes) {
            data = Item(id: id, type: type, attributes: attributes)
        }
    }

    private static func api(_ server: MockServer) -> JSONResource {
        JSONResource(
            server.baseURL.appendingPathComponent("api"), networking: Networker(),
            mediaType: "application/vnd.api+json")
    }

    @Test func theSampleServiceCreatesRenamesMeasuresAndDeletes() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let contents = try Self.api(server).item("contents")

        let draft = Document(.init(name: "Fixtures for People", content_type: "article"))
        let created: Document = try await contents.post(draft)
        #expect(created.data.id == "7102301")

        let article = try contents.item(7_102_220)
        let change = Document(id: "7102220", .init(name: "A Mock Server Your Team Can Review"))
        let renamed: Document = try await article.patch(change)
        #expect(renamed.data.attributes.name == "A Mock Server Your Team Can Review")

        let progression = try Self.api(server).item("progressions").item(88_120)
        let progress: Document = try await progression.put(Document(type: "progressions", .init(progress: 720)))
        #expect(progress.data.attributes.finished == true)

        try await article.delete()
        #expect(server.journal.entries.map(\.status) == [201, 200, 200, 204])
        await server.stop()
    }

    @Test func aRefusedDraftIsAnErrorThatHasTheReasons() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let contents = try Self.api(server).item("contents")
        let error = try await #require(throws: ResponseError.self) {
            let _: Document = try await contents.post(Document(.init(name: "")))
        }
        #expect(error.status == 422)
        #expect(String(decoding: error.body, as: UTF8.self).contains("An article needs a name."))
        await server.stop()
    }

    @Test func aQueryIsSentWithGet() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let articles: Articles = try await Self.api(server).item("contents").get(query: [
            URLQueryItem(name: "filter[content_types][]", value: "article"),
            URLQueryItem(name: "filter[domain_ids][]", value: "5"),
        ])
        #expect(articles.data.count == 4)
        await server.stop()
    }

    @Test func whateverIsInAnIdStaysInItsSegment() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let foods = JSONResource(server.baseURL.appendingPathComponent("foods"), networking: Networker())
        try await foods.item("a/b?c d").delete()
        #expect(server.requestLines == ["DELETE /foods/a%2Fb%3Fc%20d"])
        await server.stop()
    }

    @Test(arguments: ["", ".", ".."])
    func anIdThatNamesAnotherResourceIsRefused(_ id: String) throws {
        let url = try #require(URL(string: "http://127.0.0.1/foods"))
        let error = #expect(throws: RequestError.self) {
            try JSONResource(url, networking: Networker()).item(id)
        }
        let text =
            "\"\(id)\" is not an id of a resource below http://127.0.0.1/foods: an id is not empty, \".\" or \"..\""
        #expect(error?.description == text)
    }

    @Test func anAnswerThatIsNoJSONIsADecodingFailure() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let broken = try JSONResource(server.baseURL.appendingPathComponent("foods"), networking: Networker())
            .item("broken")
        await #expect(throws: ResponseError.self) {
            let _: Food = try await broken.get()
        }
        await server.stop()
    }

    @Test func anAnswerWithoutContentIsLeftAsItIs() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let foods = JSONResource(server.baseURL.appendingPathComponent("foods"), networking: Networker())
        #expect(try await foods.item(1).send(.delete, [String: String]()).isEmpty)
        #expect(server.journal.entries.map(\.body) == [Array("{}".utf8)])
        await server.stop()
    }
}
