// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// An error that tells, and the coders of a networking.
@Suite(.supervised) struct ResponseErrorTests {
    struct Story: Codable, Equatable {
        let storyTitle: String
        let sentAt: Date
    }

    private struct Stories: Request {
        typealias Output = [Story]
        let url: URL
        let method = HTTPMethod.get
    }

    private struct APIStories: APIRequest {
        typealias Response = [Story]
        let baseURL: URL
        let method = HTTPMethod.get
        let path = "/x"
    }

    private struct NewStory: Request {
        typealias Output = Story
        let url: URL
        let method = HTTPMethod.post
        let body: JSON<Story>
    }

    private struct Strict: Request {
        typealias Output = [Story]
        let url: URL
        let method = HTTPMethod.get
        let decoder = JSONDecoder()
    }

    private static var coders: Coders {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        return Coders(decoder: decoder, encoder: encoder)
    }

    private static let json = #"[{"story_title": "One", "sent_at": "2001-01-01T00:00:00Z"}]"#
    private static let story = Story(storyTitle: "One", sentAt: Date(timeIntervalSinceReferenceDate: 0))

    private static func service(_ json: String) async throws -> Service {
        let text = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
        return try await Service(["x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"body": \#(text)}}"#])
    }

    @Test func whatCannotBeDecodedIsToldWithAllThatIsKnown() async throws {
        let service = try await Self.service(#"[{"storyTitle": "One", "sentAt": "now"}]"#)
        let url = service.url("/x")
        let awaited = await #expect(throws: ResponseError.self) {
            try await Networker().value(for: Stories(url: url))
        }
        #expect(awaited?.status == 200)
        #expect(awaited?.url == url)
        #expect(awaited?.codingPath.map(\.stringValue) == ["Index 0", "sentAt"])
        #expect(awaited?.cause is DecodingError)
        let text = awaited?.description ?? ""
        #expect(text.hasPrefix("GET \(url.absoluteString): 200: 0.sentAt: "))
        #expect(text.hasSuffix("\n" + #"[{"storyTitle": "One", "sentAt": "now"}]"#))
        let published = await #expect(throws: ResponseError.self) {
            try await Networker().fetch(Stories(url: url)).firstValue()
        }
        #expect(published?.description == text)
        let cached = await #expect(throws: ResponseError.self) {
            try await Networker().cachedValue(for: Stories(url: url))
        }
        #expect(cached?.description == text)
        let client = await #expect(throws: ClientError.self) {
            _ = try await Client().send(APIStories(baseURL: service.server.baseURL))
        }
        #expect((client?.underlying as? ResponseError)?.description == text)
        let resource = await #expect(throws: ResponseError.self) {
            let _: [Story] = try await JSONResource(url, networking: Networker()).get()
        }
        #expect(resource?.description == text)
        await service.stop()
    }

    @Test func theCodersOfANetworkingReadAndWrite() async throws {
        let service = try await Service([
            "x.stub.json":
                #"{"request": {"method": "GET", "urlPath": "/x"}, "response": {"body": \#(String(decoding: try JSONEncoder().encode(Self.json), as: UTF8.self))}}"#,
            "y.stub.json":
                #"{"request": {"method": "POST", "urlPath": "/x"}, "response": {"status": 201, "jsonBody": {"story_title": "One", "sent_at": "2001-01-01T00:00:00Z"}}}"#,
        ])
        let url = service.url("/x")
        let networker = Networker(coders: Self.coders)
        #expect(try await networker.value(for: Stories(url: url)) == [Self.story])
        #expect(try await networker.fetch(Stories(url: url)).firstValue() == [Self.story])
        #expect(try await networker.cachedValue(for: Stories(url: url)) == [Self.story])
        #expect(try await networker.value(from: url) == [Self.story])
        let client = Client(networking: networker, baseURL: service.server.baseURL)
        #expect(try await client.send(APIStories(baseURL: service.server.baseURL)) == [Self.story])
        let stories: [Story] = try await JSONResource(url, networking: networker).get()
        #expect(stories == [Self.story])
        #expect(try await networker.value(for: NewStory(url: url, body: JSON(Self.story))) == Self.story)
        let body = try #require(service.server.journal.entries.last?.body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"sent_at":"2001-01-01T00:00:00Z","story_title":"One"}"#)
        // A request that has its own goes by that.
        await #expect(throws: ResponseError.self) { try await networker.value(for: Strict(url: url)) }
        await service.stop()
    }

    @Test func anErrorOfARequestsOwnStaysWhatItIs() async throws {
        struct Odd: Error {}
        struct Picky: Request {
            let url: URL
            let method = HTTPMethod.get
            func decode(_ data: Data) throws -> Int { throw Odd() }
        }
        let networker = Networker { _ in Data() }
        let request = Picky(url: try #require(URL(string: "http://host.example/x")))
        await #expect(throws: Odd.self) { try await networker.value(for: request) }
        await #expect(throws: Odd.self) { try await networker.fetch(request).firstValue() }
    }

    @Test func aLongBodyIsShownByItsBeginning() throws {
        let url = try #require(URL(string: "http://host.example/x"))
        let data = Data(String(repeating: "é", count: 10_000).utf8)
        let response = DataResponse(data: data, http: try HTTPURLResponse.net.plain(url, status: 500))
        let error = ResponseError(method: .get, url: url, response: response)
        #expect(error.description == "GET \(url): 500\n" + String(repeating: "é", count: 2_000))
    }
}
