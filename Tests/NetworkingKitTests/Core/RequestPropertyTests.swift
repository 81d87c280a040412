// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// A property that looks like a part of a request is one, whatever its type: all of it seen on the wire.
@Suite(.supervised) struct RequestPropertyTests {
    private struct DataBody: Request {
        let url: URL
        let method = HTTPMethod.post
        let body: Data
    }

    private struct ThrowingBody: Request {
        struct Unready: Error {}
        let url: URL
        let method = HTTPMethod.post
        var text: String?
        var body: Data? {
            get throws {
                guard let text else { throw Unready() }
                return Data(text.utf8)
            }
        }
    }

    private struct OptionalParts: Request {
        let url: URL
        let method = HTTPMethod.get
        let headers: [String: String]?
        let query: [URLQueryItem]?
    }

    private struct PlainParts: Request {
        let url: URL
        let method = HTTPMethod.get
        let query: [String: String]
        var headers: [String: String] { get throws { ["X-Thrown": "no"] } }
    }

    private struct Body<Content: RequestBody>: Request {
        let url: URL
        var method = HTTPMethod.post
        let body: Content
    }

    private struct Draft: Codable {
        let title: String
        let sentAt: Date
    }

    private struct FileRequest: Request {
        let url: URL
        let method = HTTPMethod.put
        let bodyFile: URL
    }

    private func entry(_ request: some Request, on service: Service) async throws -> JournalEntry {
        _ = try await Networker().data(for: request)
        return try #require(service.server.journal.entries.last)
    }

    private func text(_ entry: JournalEntry) -> String {
        let type = entry.request.headerFields[.contentType] ?? "no type"
        return "\(type): \(String(decoding: entry.body, as: UTF8.self))"
    }

    @Test func dataThatIsNoOptionalIsSent() async throws {
        let service = try await Service.answering("/x")
        let entry = try await entry(DataBody(url: service.url("/x"), body: Data("sent".utf8)), on: service)
        #expect(text(entry) == "application/octet-stream: sent")
        await service.stop()
    }

    @Test func aBodyThatThrowsIsSentOrItsErrorThrown() async throws {
        let service = try await Service.answering("/x")
        let url = service.url("/x")
        let entry = try await entry(ThrowingBody(url: url, text: "sent"), on: service)
        #expect(text(entry) == "application/octet-stream: sent")
        await #expect(throws: ThrowingBody.Unready.self) { try await Networker().data(for: ThrowingBody(url: url)) }
        await #expect(throws: ThrowingBody.Unready.self) { try await Networker().value(for: ThrowingBody(url: url)) }
        #expect(service.targets == ["POST /x"])
        await service.stop()
    }

    @Test func headersAndQueryMayBeOptional() async throws {
        let service = try await Service.answering("/x")
        let query = [URLQueryItem(name: "page", value: "2")]
        let request = OptionalParts(url: service.url("/x"), headers: ["X-Client": "tests"], query: query)
        let entry = try await entry(request, on: service)
        #expect(entry.request.headerFields[.init("X-Client") ?? .accept] == "tests")
        #expect(service.targets == ["GET /x?page=2"])
        _ = try await self.entry(OptionalParts(url: service.url("/x"), headers: nil, query: nil), on: service)
        #expect(service.targets.last == "GET /x")
        await service.stop()
    }

    @Test func aDictionaryIsAQueryAndHeadersMayThrow() async throws {
        let service = try await Service.answering("/x")
        let entry = try await entry(PlainParts(url: service.url("/x"), query: ["b": "2", "a": "1 1"]), on: service)
        #expect(service.targets == ["GET /x?a=1%201&b=2"])
        #expect(entry.request.headerFields[.init("X-Thrown") ?? .accept] == "no")
        await service.stop()
    }

    @Test func bodiesSayWhatTheyAre() async throws {
        let service = try await Service.answering("/x")
        let url = service.url("/x")
        let json = try await entry(Body(url: url, body: JSON(["b": 1, "a": 2])), on: service)
        #expect(text(json) == #"application/json: {"a":2,"b":1}"#)
        let form: Form = ["b": [1, 2], "a": "1 + 1"]
        let sentForm = try await entry(Body(url: url, body: form), on: service)
        #expect(text(sentForm) == "application/x-www-form-urlencoded: a=1%20%2B%201&b=1&b=2")
        let plain = try await entry(Body(url: url, body: "text"), on: service)
        #expect(text(plain) == "text/plain; charset=utf-8: text")
        let none = try await entry(Body(url: url, body: JSON<Draft>?.none), on: service)
        #expect(none.body.isEmpty)
        await service.stop()
    }

    @Test func filesFormsOfPartsAndStreamsAreBodies() async throws {
        let service = try await Service.answering("/x")
        let url = service.url("/x")
        let files = try TemporaryDirectory(["note.txt": "from a file"])
        let file = URL(fileURLWithPath: "\(files.path)/note.txt")
        let sentFile = try await entry(Body(url: url, body: FileBody(file)), on: service)
        #expect(text(sentFile) == "text/plain: from a file")
        let named = try await entry(FileRequest(url: url, bodyFile: file), on: service)
        #expect(text(named) == "application/octet-stream: from a file")
        let form = MultipartFormData(
            boundary: "edge", parts: [MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")])
        let sentForm = try await entry(Body(url: url, body: form), on: service)
        #expect(sentForm.request.headerFields[.contentType] == "multipart/form-data; boundary=edge")
        #expect(String(decoding: sentForm.body, as: UTF8.self).hasSuffix("\r\n\r\n1\r\n--edge--\r\n"))
        let stream = StreamBody(contentType: "text/csv") {
            AsyncThrowingStream { continuation in
                for line in ["a,b\n", "1,2\n"] { continuation.yield(Data(line.utf8)) }
                continuation.finish()
            }
        }
        let sentStream = try await entry(Body(url: url, body: stream), on: service)
        #expect(text(sentStream) == "text/csv: a,b\n1,2\n")
        #expect(sentStream.request.headerFields[.contentLength] == "8")
        await service.stop()
    }

    @Test func codeThatHasAnyRequestReadsWhatIsSent() throws {
        let url = try #require(URL(string: "http://host.example/x"))
        let request: any Request = Body(url: url, body: JSON(["a": 1]))
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.body == Data(#"{"a":1}"#.utf8))
    }

    private struct Search: APIRequest {
        typealias Response = Data
        let baseURL: URL?
        var method = HTTPMethod.get
        let path = "/x"
        let parameters: [String: String]
        let headerFields: [String: String]?
        let dataParser = DecodableDataParser(contentType: "text/plain")
    }

    private struct Unsendable: APIRequest {
        typealias Response = Data
        let baseURL: URL
        let method = HTTPMethod.get
        let path = "/x"
        let headerFields: [Int]
    }

    private struct Create: APIRequest {
        typealias Response = Data
        let baseURL: URL
        let method = HTTPMethod.post
        let path = "/x"
        let parameters: Draft
    }

    @Test func partsOfAnAPIRequestMayBeOfOtherTypes() async throws {
        let service = try await Service.answering("/x")
        let base = service.server.baseURL
        let search = Search(baseURL: base, parameters: ["q": "swift"], headerFields: ["X-Client": "tests"])
        _ = try await Client().send(search)
        let entry = try #require(service.server.journal.entries.last)
        #expect(service.targets == ["GET /x?q=swift"])
        #expect(entry.request.headerFields[.init("X-Client") ?? .accept] == "tests")
        #expect(entry.request.headerFields[.accept] == "text/plain")
        let draft = Draft(title: "T", sentAt: Date(timeIntervalSinceReferenceDate: 0))
        _ = try await Client().send(Create(baseURL: base, parameters: draft))
        let body = try #require(service.server.journal.entries.last?.body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"sentAt":0,"title":"T"}"#)
        await service.stop()
    }

    @Test func aPartThatCannotBeSentIsNamed() async throws {
        let base = try #require(URL(string: "http://127.0.0.1:1"))
        let error = await #expect(throws: ClientError.self) {
            _ = try await Client().send(Unsendable(baseURL: base, headerFields: [1]))
        }
        #expect(
            error?.description
                == "there is nothing to send: `headerFields` of Unsendable is Array<Int>, which is not sent: make it a dictionary of strings"
        )
    }
}
