// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and redirections", .serialized, .supervised) struct UpstreamRedirectionTests {
    private static let stubs = """
        {"stubs": [
          {"request": {"urlPathTemplate": "/{status}"}, "response": {"status": 302, "headers": ["Location: /new"]}},
          {"request": {"urlPath": "/301"}, "response": {"status": 301, "headers": ["Location: new"], "body": "moved"}},
          {"request": {"urlPath": "/303"}, "response": {"status": 303, "headers": ["Location: /new"]}},
          {"request": {"urlPath": "/307"}, "response": {"status": 307, "headers": ["Location: /new"]}},
          {"request": {"urlPath": "/308"}, "response": {"status": 308, "headers": ["Location: /new"]}},
          {"request": {"urlPath": "/300"}, "response": {"status": 300, "headers": ["Location: /new"], "body": "choose"}},
          {"request": {"urlPath": "/circle"}, "response": {"status": 302, "headers": ["Location: /circle"]}},
          {"request": {"urlPath": "/mail"}, "response": {"status": 302, "headers": ["Location: mailto:a@b"]}},
          {"request": {"urlPath": "/new"}, "response": {"body": "arrived"}}
        ]}
        """

    @Test(arguments: UpstreamSetting.all)
    func theSampleArticleIsFoundByItsNumber(_ setting: UpstreamSetting) async throws {
        try await setting.serving { server, networker, base async throws in
            let request = PlainRequest(url: base.appendingPathComponent("api/contents/7102220"))
            let response = try await networker.response(for: request)
            #expect(response.status == 200)
            #expect(response.http.url?.path == "/api/contents/7102220-a-mock-server-you-can-review")
            #expect(Set(server.journal.entries.map(\.connection)).count == 1)
        }
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func aPostGoesOnAsTheStatusSays(_ status: Int, _ method: String) async throws {
        for setting in UpstreamSetting.both {
            try await setting.serving(stub: Self.stubs) { server, networker, base async throws in
                let file = try TemporaryDirectory(["content": "from a file"])
                let url = base.appendingPathComponent("\(status)")
                var request = PlainRequest(url: url, method: .post, body: Data("from memory".utf8))
                #expect(try await networker.value(for: request) == Data("arrived".utf8))
                request.bodyFile = URL(fileURLWithPath: file.path + "/content")
                #expect(try await networker.value(for: request) == Data("arrived".utf8))
                let ends = server.journal.entries.filter { $0.request.path == "/new" }
                #expect(ends.map(\.request.method.rawValue) == [method, method])
                let bodies = ends.map { String(decoding: $0.body, as: UTF8.self) }
                #expect(bodies == (method == "POST" ? ["from memory", "from a file"] : ["", ""]))
                #expect(ends.allSatisfy { ($0.request.headerFields[.contentType] != nil) == (method == "POST") })
            }
        }
    }

    @Test func multipleChoicesAreAnAnswer() async throws {
        try await UpstreamSetting.h2c.serving(stub: Self.stubs, statuses: .any) { _, networker, base async throws in
            let data: Data = try await networker.data(for: PlainRequest(url: base.appendingPathComponent("300")))
            #expect(data == Data("choose".utf8))
        }
    }

    @Test func aCircleEndsAtTheLimit() async throws {
        for (limit, configure) in [
            (20, { _ in }), (3, { $0.redirectLimit = 3 }), (0, { $0.redirectLimit = 0 }),
        ] as [(Int, (inout UpstreamNetworker.Configuration) -> Void)] {
            try await UpstreamSetting.h2c.serving(stub: Self.stubs, configure) { server, networker, base async throws in
                let error = await #expect(throws: URLError.self) {
                    let _: Data = try await networker.data(
                        for: PlainRequest(url: base.appendingPathComponent("circle")))
                }
                #expect(error?.code == .httpTooManyRedirects)
                #expect(
                    error?.localizedDescription
                        == "more than \(limit) redirections; look for a circle, or raise the limit")
                #expect(server.journal.entries.count == limit + 1)
            }
        }
    }

    @Test func anotherOriginDoesNotSeeTheCredentials() async throws {
        try await UpstreamSetting.http1.serving(stub: Self.stubs) { other, _, otherBase async throws in
            let stub = """
                {"request": {"urlPath": "/"}, "response": {"status": 302, "headers": ["Location: \(otherBase)/new"]}}
                """
            try await UpstreamSetting.h2.serving(stub: stub, { $0.version = .automatic }) {
                first, networker, base async throws in
                let request = PlainRequest(url: base, headers: ["Authorization": "Token x", "X-Own": "1"])
                #expect(try await networker.value(for: request) == Data("arrived".utf8))
                #expect(first.journal.entries.map { $0.request.headerFields[.authorization] } == ["Token x"])
                let entry = try #require(other.journal.entries.first)
                #expect(entry.request.headerFields[.authorization] == nil)
                #expect(HTTPField.Name("X-Own").map { entry.request.headerFields[$0] } == "1")
            }
        }
    }

    @Test func aLocationThatIsNotOfHTTPIsAnError() async throws {
        try await UpstreamSetting.h2c.serving(stub: Self.stubs) { _, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base.appendingPathComponent("mail")))
            }
            #expect(error?.code == .unsupportedURL)
        }
    }
}
