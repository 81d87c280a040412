// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The core: what a request becomes.
@Suite(.supervised) struct RequestTests {
    private let url = URL(string: "http://host.example/path?a=1")

    @Test func queryItemsArriveAsTheyAreMeant() async throws {
        let service = try await Service.answering("/q")
        let query = [
            URLQueryItem(name: "filter[content_types][]", value: "article"),
            URLQueryItem(name: "q", value: "a b+c&d=e#f"), URLQueryItem(name: "é", value: "日本"),
            URLQueryItem(name: "empty", value: ""), URLQueryItem(name: "flag", value: nil),
            URLQueryItem(name: "q", value: "again"),
        ]
        _ = try await Networker().data(for: PlainRequest(url: service.url("/q?first=%20"), query: query))
        #expect(
            service.targets == [
                "GET /q?first=%20&filter%5Bcontent_types%5D%5B%5D=article&q=a%20b%2Bc%26d%3De%23f&%C3%A9=%E6%97%A5%E6%9C%AC"
                    + "&empty=&flag&q=again"
            ])
        await service.stop()
    }

    @Test func aRequestWithoutQueryItemsKeepsItsURL() throws {
        let url = try #require(url)
        #expect(try PlainRequest(url: url).urlRequest().url == url)
    }

    @Test func fieldsThatFrameAMessageAreLeftToTheTransport() throws {
        let headers = [
            "Content-Length": "1", "host": "other", "Transfer-Encoding": "chunked", "Connection": "close",
            "Upgrade": "h2c", "TE": "trailers", "Authorization": "Bearer 1",
        ]
        let request = try PlainRequest(url: #require(url), headers: headers).urlRequest()
        #expect(request.allHTTPHeaderFields == ["Authorization": "Bearer 1"])
    }

    @Test(arguments: [("X Y", "1"), ("", "1"), ("X", "a\r\nb"), ("X", "a\0")])
    func aFieldThatIsNoneIsRefused(_ name: String, _ value: String) throws {
        let request = PlainRequest(url: try #require(url), headers: [name: value])
        #expect(throws: RequestError.header(name: name, value: value)) { try request.urlRequest() }
    }

    @Test func contentArrivesByteForByte() async throws {
        let service = try await Service.answering("/b")
        let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        _ = try await Networker().data(for: PlainRequest(url: service.url("/b"), method: .post, body: body))
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.bodySize == body.count)
        #expect(entry.body == Array(body.prefix(entry.body.count)))
        #expect(entry.request.headerFields[.contentType] == "application/octet-stream")
        await service.stop()
    }

    @Test func aFileIsSentAsContent() async throws {
        let service = try await Service.answering("/b")
        let file = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/2026/dunes.jpg")
        let request = PlainRequest(
            url: service.url("/b"), method: .put, headers: ["content-type": "image/jpeg"], body: Data("not this".utf8),
            bodyFile: file)
        _ = try await Networker().data(for: request)
        let entry = try #require(service.server.journal.entries.first)
        #expect(entry.body == Array(try Data(contentsOf: file)))
        #expect(entry.request.headerFields[.contentType] == "image/jpeg")
        await service.stop()
    }

    @Test func aRequestIsAKeyByAllThatIsSent() throws {
        let url = try #require(url)
        let get = AnyRequest(PlainRequest(url: url))
        #expect(get == AnyRequest(url: url, method: .get))
        #expect(get == AnyRequest(ImageRequest(url: url)))
        #expect(get != AnyRequest(PlainRequest(url: url, method: .head)))
        #expect(get != AnyRequest(PlainRequest(url: url, headers: ["Accept": "text/plain"])))
        #expect(get != AnyRequest(PlainRequest(url: url, query: [URLQueryItem(name: "b", value: nil)])))
        #expect(get != AnyRequest(PlainRequest(url: url, body: Data("x".utf8))))
    }
}
