// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct NextLinkTests {
    @Test func linksAreRelativeOrObjectsToo() async throws {
        let fixtures = try TemporaryDirectory([
            "list/one.json": #"{"data": [1], "links": {"next": {"href": "two"}}}"#,
            "list/two.json": #"{"data": [2], "links": {"next": "/three", "prev": "one"}}"#,
            "three.json": #"{"data": []}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = NumbersPage.all(of: server, "list/one")
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [1, 2])
        #expect(numbers.state.pageCount == 3)
        #expect(server.requestLines == ["GET /list/one", "GET /list/two", "GET /three"])
        await server.stop()
    }

    @Test func theRequestIsTheSameOnEveryPageButForItsURL() async throws {
        let fixtures = try TemporaryDirectory([
            "numbers.stub.json": #"""
            {"stubs": [
              {"request": {"url": "/numbers?size=1", "headers": {"X-Page": {"equalTo": "numbers"}}},
               "response": {"jsonBody": {"data": [1], "links": {"next": "?size=1&page=2"}}}},
              {"request": {"url": "/numbers?size=1&page=2", "headers": {"X-Page": {"equalTo": "numbers"}}},
               "response": {"jsonBody": {"data": [2]}}}
            ]}
            """#
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let first = NumbersPage(
            url: server.baseURL.appendingPathComponent("numbers"), query: [URLQueryItem(name: "size", value: "1")])
        let numbers = PagedList(first, networking: Networker()) { $0.map { $0 * 10 } }
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [10, 20])
        await server.stop()
    }

    @Test func pagesThatGoRoundInACircleEndWithAnError() async throws {
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "links": {"next": "/two"}}"#,
            "two.json": #"{"data": [2], "links": {"next": "/one"}}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = NumbersPage.all(of: server, "one")
        let error = await #expect(throws: RequestError.self) {
            for try await _ in numbers.remainingPages {}
        }
        let one = server.baseURL.appendingPathComponent("one").absoluteString
        #expect(error?.description == "the pages go round in a circle: \(one) was loaded before")
        #expect(numbers.state.elements == [1, 2])
        #expect(server.requestLines == ["GET /one", "GET /two"])
        await server.stop()
    }

    @Test func aLinkToAnotherServerIsNotFollowed() async throws {
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "links": {"next": "https://api.example.com/two"}}"#
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = NumbersPage.all(of: server, "one")
        try await numbers.loadNext()
        let error = await #expect(throws: RequestError.self) { try await numbers.loadNext() }
        let one = server.baseURL.appendingPathComponent("one").absoluteString
        #expect(
            error?.description
                == "the next page of \(one) is on another server: https://api.example.com/two. In fixtures, `rewriteOrigins` points recorded links at the server that answers"
        )
        #expect(numbers.state.elements == [1])
        await server.stop()
    }

    @Test(arguments: [
        ("http://a/1", "http://a:80/2", true), ("http://a/1", "http://A/2", true), ("http://a/1", "https://a/2", true),
        ("https://a/1", "http://a/2", false), ("http://a/1", "http://a:81/2", false),
        ("http://a/1", "http://b/2", false),
        ("http://a:81/1", "https://a/2", false), ("http://a/1", "file:///2", false), ("http://a/1", "mailto:a", false),
    ])
    func aLinkIsFollowedOnItsServerOnly(_ page: String, _ link: String, _ isFollowed: Bool) async throws {
        let networking = GatedNetworking(#"{"data": [1], "links": {"next": "\#(link)"}}"#)
        networking.open()
        let numbers = PagedList(NumbersPage(url: try #require(URL(string: page))), networking: networking)
        try await numbers.loadNext()
        if isFollowed {
            try await numbers.loadNext()
        } else {
            await #expect(throws: RequestError.self) { try await numbers.loadNext() }
        }
        #expect(networking.asked == (isFollowed ? ["/1", "/2"] : ["/1"]))
    }

    @Test func aLinkCanBeReadByOnesOwnRule() async throws {
        struct Rows: Decodable {
            let nextPage: String?
        }
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "nextPage": "two"}"#, "two.json": #"{"data": [2]}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let link = NextLink { try JSONDecoder().decode(Rows.self, from: $0).nextPage }
        let numbers = PagedList(
            NumbersPage(url: server.baseURL.appendingPathComponent("one")), networking: Networker(), next: link)
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [1, 2])
        await server.stop()
    }

    @Test func aLinkThatIsNoURLIsAnError() async throws {
        let networking = GatedNetworking(#"{"data": [1], "links": {"next": "http://[oops"}}"#)
        networking.open()
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = PagedList(NumbersPage(url: url), networking: networking)
        let error = await #expect(throws: RequestError.self) { try await numbers.loadNext() }
        #expect(error?.description == "the link to the next page is not a URL: \"http://[oops\"")
    }
}
