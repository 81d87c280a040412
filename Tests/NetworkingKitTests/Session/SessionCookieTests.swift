// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The cookies that a networker sends after what a service has set (RFC 6265).
@Suite(.supervised) struct SessionCookieTests {
    private static let lines: [(set: [String], sent: String?)] = [
        (["a=1"], "a=1"),
        (["a=1; Path=/", "a=; Path=/; Max-Age=0"], nil),
        (["a=1; Path=/", "a=; Path=/; Max-Age=-1"], nil),
        (["a=1; Path=/", "a=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], nil),
        (["a=1; Path=/", "a=deleted; expires=Thu, 01-Jan-70 00:00:01 GMT; Max-Age=0; path=/"], nil),
        (["a=1; Path=/", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], nil),
        (["a=1; Path=/; Max-Age=0"], nil),
        (["a=1; Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "a=1"),
        (["a=1; Max-Age=x"], "a=1"),
        (["a=1; Max-Age=99999999999999999999999999"], "a=1"),
        (["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT"], "a=1"),
        (["a=1; Expires=someday"], "a=1"),
        (["a=1; Path=/see"], "a=1"),
        (["a=1; Path=/other"], nil),
        (["a=1; Path=see"], "a=1"),
        (["a=1; Domain=example.com"], nil),
        (["a=1; Domain=.1"], nil),
        (["a=1; Secure"], nil),
        (["=1"], nil),
        (["a"], nil),
        (["a=b=c"], "a=b=c"),
        (["a=1; Path=/", "b=2; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "c=3; Path=/"], "a=1; b=2; c=3"),
        (["a=1; Path=/", "a=2; Path=/"], "a=2"),
    ]

    @Test(arguments: lines.indices) func `what a service sets is kept, sent and forgotten as it says`(_ index: Int)
        async throws
    {
        let (set, sent) = Self.lines[index]
        let server = try await MockServer.start(stubs: [RequestMatch.get("/see").respond()])
        let networker = Networker()
        for (number, line) in set.enumerated() {
            let path = "/set\(number)"
            try server.add(RequestMatch.get(path).respond(headers: ["Set-Cookie": line]))
            _ = try await networker.response(for: ImageRequest(url: server.baseURL.appendingPathComponent(path)))
        }
        _ = try await networker.response(for: ImageRequest(url: server.baseURL.appendingPathComponent("see")))
        #expect(server.journal.entries.last?.request.headerFields[.cookie] == sent)
        await server.stop()
    }

    @Test func `several lines of one response are told apart`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/see").respond(),
            RequestMatch.get("/set").respond(headers: [
                "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "Set-Cookie": "b=x, y; Path=/",
                "Set-Cookie": "c=3",
            ]),
        ])
        let networker = Networker()
        for path in ["set", "see"] {
            _ = try await networker.response(for: ImageRequest(url: server.baseURL.appendingPathComponent(path)))
        }
        #expect(server.journal.entries.last?.request.headerFields[.cookie] == "a=1; b=x, y; c=3")
        await server.stop()
    }

    @Test func `a cookie without a path is for the directory that set it`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.anyURL().respond(), RequestMatch.get("/api/v1/login").respond(headers: ["Set-Cookie": "s=1"]),
        ])
        let networker = Networker()
        for path in ["api/v1/login", "api/v1/me", "other", "api/v12"] {
            _ = try await networker.response(for: ImageRequest(url: server.baseURL.appendingPathComponent(path)))
        }
        #expect(server.journal.entries.map { $0.request.headerFields[.cookie] } == [nil, "s=1", nil, nil])
        await server.stop()
    }
}

/// What a response without content is read as.
@Suite(.supervised) struct NoContentTests {
    private struct Thing: Codable, Equatable { let name: String }

    private struct MaybeThing: Request {
        typealias Output = Thing?
        let url: URL
        let method = HTTPMethod.get
    }

    private struct MaybeThingOfClient: APIRequest {
        typealias Response = Thing?
        let baseURL: URL
        let path: String
        let method = HTTPMethod.get
    }

    @Test func `an output that is optional is nil, and any other is an error`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/204").respond(204), RequestMatch.get("/empty").respond(),
            RequestMatch.get("/thing").respond(json: #"{"name": "Bread"}"#),
        ])
        for path in ["204", "empty"] {
            let url = server.baseURL.appendingPathComponent(path)
            #expect(try await Networker().value(for: MaybeThing(url: url)) == nil)
            #expect(try await Client().send(MaybeThingOfClient(baseURL: server.baseURL, path: path)) == nil)
            #expect(try DataResponse(statusCode: 204, data: Data()).map(Thing?.self) == nil)
        }
        let url = server.baseURL.appendingPathComponent("thing")
        #expect(try await Networker().value(for: MaybeThing(url: url)) == Thing(name: "Bread"))
        #expect(
            try await Client().send(MaybeThingOfClient(baseURL: server.baseURL, path: "thing")) == Thing(name: "Bread"))
        #expect(throws: (any Error).self) { try DataResponse(statusCode: 204, data: Data()).map(Thing.self) }
        await server.stop()
    }
}
