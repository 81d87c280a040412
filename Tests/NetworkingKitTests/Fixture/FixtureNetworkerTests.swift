// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `FixtureNetworker`, against the server and by itself.
@Suite(.supervised) struct FixtureNetworkerTests {
    private let api = URL(string: "https://api.example.com/api")

    private func networker(_ files: KeyValuePairs<String, String>) throws -> FixtureNetworker {
        let directory = try TemporaryDirectory(files)
        return try withExtendedLifetime(directory) { try FixtureNetworker(fixtures: directory.path) }
    }

    @Test func fixturesAnswerWhateverOriginIsAsked() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        for origin in ["https://api.example.com/api", "http://127.0.0.1:9/api", "http://[::1]/api"] {
            let articles = try await networker.value(for: ArticleRequest(base: #require(URL(string: origin))))
            #expect(articles.count == 20)
            #expect(articles[0].image.absoluteString.hasPrefix(origin.dropLast(4)))
        }
        let entry = try #require(networker.journal.entries.first)
        #expect(entry.request.path == "/api/contents?filter%5Bcontent_types%5D%5B%5D=article")
        #expect(entry.request.authority == "api.example.com")
    }

    @Test func itGivesWhatAServerOfTheSameFixturesGives() async throws {
        let service = try await Service()
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let paths = [
            "/api/contents?filter[content_types][]=article&page[number]=2",
            "/api/contents/7102220-a-mock-server-you-can-review",
            "/api/contents/7102220", "/api/contents/1", "/api/recommendations", "/api/statistics", "/api/domains",
            "/api/nothing",
            "/uploads/2026/aurora.png", "/uploads/2026/waves.webp", "/uploads/2018/sunrise@2x.png",
        ]
        for path in paths {
            let request = PlainRequest(url: service.url(path))
            let wire = try await Networker().response(for: request)
            let direct = try await networker.response(for: request)
            #expect(wire.status == direct.status)
            #expect(wire.data == direct.data)
            for name in ["Content-Type", "ETag", "Location", "WWW-Authenticate"] {
                #expect(
                    wire.http.value(forHTTPHeaderField: name) == direct.http.value(forHTTPHeaderField: name),
                    "\(path) \(name)")
            }
        }
        await service.stop()
    }

    @Test func methodsHeadersAndBodiesAreMatched() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let bookmarks = try #require(api).appendingPathComponent("bookmarks")
        let refused = try await networker.response(for: PlainRequest(url: bookmarks))
        #expect(refused.status == 401)
        let delegate = HeaderDelegate(["Authorization": "Token token=sample-token"])
        networker.delegate = delegate
        #expect(try await networker.response(for: PlainRequest(url: bookmarks)).status == 200)
        let sessions = try #require(api).appendingPathComponent("sessions")
        let response = try await networker.response(
            for: PlainRequest(
                url: sessions, method: .post, headers: ["Content-Type": "application/json"],
                body: Data(#"{"email": "reader@example.com", "password": "open sesame"}"#.utf8)))
        #expect(response.status == 201)
    }

    @Test func sequencesGoOn() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let job = PlainRequest(url: try #require(api).appendingPathComponent("jobs/512"))
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await networker.response(for: job).status) }
        #expect(statuses == [202, 202, 200, 200])
    }

    @Test func aMissSaysWhatWasClosest() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let url = try #require(URL(string: "https://api.example.com/api/contents?filter[content_types][]=articles"))
        let error = await #expect(throws: ResponseError.self) {
            try await networker.data(for: PlainRequest(url: url))
        }
        let text = "\(try #require(error))"
        #expect(
            text.hasPrefix(
                """
                GET \(url.absoluteString): 404
                404: nothing answers GET /api/contents?filter%5Bcontent_types%5D%5B%5D=articles

                Nearest of 31 stubs, 16 files:

                1. api/contents/page-1.stub.json ("articles, first page")
                     queryParameters.filter[content_types][]: expected equalTo "article", found "articles"
                """))
        #expect(networker.journal.unmatched.count == 1)
    }

    @Test func fixturesThatCannotBeUsedAreRefused() throws {
        #expect(throws: MockServerError.self) { try FixtureNetworker(fixtures: "/nowhere/at/all") }
        #expect(throws: MockServerError.self) { try networker(["a.stub.json": #"{"request": {"metod": "GET"}}"#]) }
    }

    @Test(arguments: [
        (#""fault": "EMPTY_RESPONSE""#, URLError.Code.networkConnectionLost),
        (#""fault": "CONNECTION_RESET_BY_PEER""#, .networkConnectionLost),
        (#""fault": "TRUNCATE_BODY", "afterBytes": 2"#, .networkConnectionLost),
        (#""fault": "WRONG_CONTENT_LENGTH""#, .networkConnectionLost),
        (#""fault": "MALFORMED_RESPONSE_CHUNK""#, .cannotParseResponse),
        (#""fault": "RANDOM_DATA_THEN_CLOSE""#, .cannotParseResponse),
        (#""fault": "BAD_GZIP""#, .cannotDecodeContentData),
    ])
    func aFaultIsTheErrorItWouldBeOnTheWire(_ fault: String, _ code: URLError.Code) async throws {
        let networker = try networker([
            "f.stub.json": #"{"request": {"urlPath": "/f"}, "response": {"body": "0123456789", \#(fault)}}"#
        ])
        let request = PlainRequest(url: try #require(URL(string: "http://service.example/f")))
        let error = await #expect(throws: URLError.self) { try await networker.data(for: request) }
        #expect(error?.code == code)
    }

    @Test func anAnswerThatComesTooLateTimesOut() async throws {
        let networker = try networker([
            "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#,
            "never.stub.json": #"{"request": {"urlPath": "/never"}, "response": {"fault": "STALL"}}"#,
        ])
        for path in ["late", "never"] {
            let request = ImpatientRequest(url: try #require(URL(string: "http://service.example/\(path)")))
            let error = await #expect(throws: URLError.self) { try await networker.data(for: request) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func aDelayCanBeCancelled() async throws {
        let networker = try networker([
            "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#
        ])
        let request = PlainRequest(url: try #require(URL(string: "http://service.example/late")))
        let task = Task { try await networker.data(for: request) }
        #expect(try await until({ networker.journal.entries }, { !$0.isEmpty }))
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func aCircleOfRedirectionsEnds() async throws {
        let networker = try networker([
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"status": 302, "headers": ["Location: /c"]}}"#
        ])
        let request = PlainRequest(url: try #require(URL(string: "http://service.example/c")))
        let error = await #expect(throws: URLError.self) { try await networker.data(for: request) }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(networker.journal.entries.count == 21)
    }

    @Test(arguments: [1, 1e12, .infinity])
    func anyTimeoutOfARequestIsTaken(_ interval: TimeInterval) async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let url = try #require(URL(string: "http://service.example/api/domains"))
        let request = URLRequest(url: url, timeoutInterval: interval)
        #expect(try await networker.send(request, file: nil, options: TransferOptions()).status == 200)
    }

    @Test func whatIsNoWebAddressIsRefused() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        for url in ["file:///etc/hosts", "ftp://host/x", "/relative"] {
            let request = PlainRequest(url: try #require(URL(string: url)))
            let error = await #expect(throws: URLError.self) { try await networker.data(for: request) }
            #expect(error?.code == .unsupportedURL)
        }
    }
}

/// Waits for 50 ms.
private struct ImpatientRequest: Request {
    let url: URL
    var method: HTTPMethod { .get }

    func urlRequest() throws -> URLRequest {
        URLRequest(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 0.05)
    }
}
