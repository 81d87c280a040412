// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The coders of a networking for what its providers answer, and what an error of a provider tells.
@Suite(.supervised) struct ProviderCodersTests {
    private struct Story: Decodable, Equatable {
        let storyTitle: String
        let sentAt: Date
    }

    private static let json = #"{"story_title": "One", "sent_at": "2001-01-01T00:00:00Z"}"#
    private static let story = Story(storyTitle: "One", sentAt: Date(timeIntervalSinceReferenceDate: 0))

    private static var networker: Networker {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return Networker(coders: Coders(decoder: decoder))
    }

    private static func service() async throws -> Service {
        let text = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
        return try await Service(["x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"body": \#(text)}}"#])
    }

    @Test func `a response is mapped by the decoder of its networking`() async throws {
        let service = try await Self.service()
        let target = AnyTarget(baseURL: service.server.baseURL, path: "x")
        let provider = Provider<AnyTarget>(networking: Self.networker)
        #expect(try await provider.request(target).map(Story.self) == Self.story)
        #expect(try await provider.requestPublisher(target).map(Story.self).firstValue() == Self.story)
        let whole = try await Self.networker.response(for: PlainRequest(url: service.url("/x")))
        #expect(try whole.map(Story.self) == Self.story)
        let title = try await provider.request(target).map(String.self, atKeyPath: "story_title")
        #expect(title == "One")
        // The one that is named goes before.
        let response = try await provider.request(target)
        #expect(throws: ProviderError.self) { try response.map(Story.self, using: JSONDecoder()) }
        await service.stop()
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0)])
    func `a stub's response is mapped by it as well`(_ behavior: StubBehavior) async throws {
        var target = AnyTarget.unsent
        target.sample = Data(Self.json.utf8)
        let provider = Provider<AnyTarget>(networking: Self.networker, stubClosure: { _ in behavior })
        let story = try await withCheckedThrowingContinuation { continuation in
            provider.request(target, callbackQueue: .global()) { result in
                continuation.resume(with: Result { try result.get().map(Story.self) })
            }
        }
        #expect(story == Self.story)
    }

    @Test func `an error tells request, status, URL, place, cause and body`() async throws {
        let service = try await Self.service()
        let url = service.url("/x").absoluteString
        func text(_ read: (Endpoint.Response) throws -> Any) async throws -> String {
            let response = try await Provider<AnyTarget>().request(
                AnyTarget(baseURL: service.server.baseURL, path: "x"))
            let error = #expect(throws: ProviderError.self) { _ = try read(response) }
            return error?.description ?? ""
        }
        let decoding = try await text { try $0.map(Story.self) }
        #expect(
            decoding == """
                the content cannot be decoded: GET \(url): 200: storyTitle: there is no "storyTitle"
                \(Self.json)
                """)
        #expect(
            try await text { try $0.filter(statusCode: 201) } == """
                the status is not accepted: GET \(url): 200
                \(Self.json)
                """)
        #expect(
            try await text { try $0.mapString(atKeyPath: "none") } == """
                the content is not the text that was requested: GET \(url): 200
                \(Self.json)
                """)
        await service.stop()
    }
}
