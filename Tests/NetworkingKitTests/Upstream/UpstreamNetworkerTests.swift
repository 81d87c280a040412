// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import Synchronization
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker on the wire", .serialized, .supervised) struct UpstreamNetworkerTests {
    @Test(arguments: UpstreamSetting.all)
    func everyProtocolFetchesArticles(_ setting: UpstreamSetting) async throws {
        try await setting.serving { server, networker, base async throws in
            let request = ArticleRequest(base: base.appendingPathComponent("api"))
            #expect(try await networker.value(for: request).count == 20)
            #expect(try await networker.fetch(request).map(\.count).firstValue() == 20)
            let entries = server.journal.entries
            #expect(entries.map(\.protocolName).last == setting.protocolName)
            #expect(entries.map { $0.tlsVersion == nil } == [!setting.isSecure, !setting.isSecure])
            #expect(entries.allSatisfy { $0.request.headerFields[.accept] == "*/*" })
            #expect(entries.allSatisfy { $0.request.headerFields[.acceptEncoding] == nil })
        }
    }

    @Test(arguments: UpstreamSetting.all)
    func anImageOfAMebibyteComesByteForByte(_ setting: UpstreamSetting) async throws {
        let file = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/2026/aurora.png")
        let image = try Data(contentsOf: file)
        try await setting.serving { _, networker, base async throws in
            let url = base.appendingPathComponent("uploads/2026/aurora.png")
            #expect(try await networker.value(for: ImageRequest(url: url)) == image)
        }
    }

    @Test(arguments: [UpstreamSetting.h2c, .h2])
    func aHundredRequestsAtOnceAreStreamsOfOneConnection(_ setting: UpstreamSetting) async throws {
        try await setting.serving { server, networker, base async throws in
            let request = ArticleRequest(base: base.appendingPathComponent("api"))
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await networker.value(for: request).count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 20, count: 100))
            let entries = server.journal.entries
            #expect(Set(entries.map(\.connection)).count == 1)
            #expect(Set(entries.compactMap(\.stream)).count == 100)
        }
    }

    @Test(arguments: UpstreamSetting.all)
    func aPostSendsItsContent(_ setting: UpstreamSetting) async throws {
        let stub = """
            {"request": {"method": "POST", "urlPath": "/notes"}, "response": {"status": 201, "body": "made"}}
            """
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try await setting.serving(stub: stub) { server, networker, base async throws in
            let url = base.appendingPathComponent("notes")
            let full = PlainRequest(url: url, method: .post, headers: ["Content-Type": "image/x"], body: content)
            #expect(try await networker.value(for: full) == Data("made".utf8))
            #expect(try await networker.value(for: PlainRequest(url: url, method: .post)) == Data("made".utf8))
            let entries = server.journal.entries
            #expect(entries.map(\.bodySize) == [100_000, 0])
            #expect(entries.first.map { Data($0.body) } == content)
            #expect(entries.map { $0.request.headerFields[.contentLength] } == ["100000", "0"])
            #expect(entries.map { $0.request.headerFields[.contentType] } == ["image/x", nil])
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func theDelegateAddsItsHeadersAndSeesTheAnswer(_ setting: UpstreamSetting) async throws {
        try await setting.serving { server, networker, base async throws in
            let delegate = TokenDelegate()
            networker.delegate = delegate
            let url = base.appendingPathComponent("api/bookmarks")
            let data: Data = try await networker.data(for: PlainRequest(url: url, headers: ["X-Own": "request"]))
            #expect(!data.isEmpty)
            let fields = try #require(server.journal.entries.first).request.headerFields
            #expect(fields[.authorization] == "Token token=sample-token")
            #expect(HTTPField.Name("X-Own").map { fields[$0] } == "request")
            #expect(delegate.statuses == [200])
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func aStatusThatIsNotAcceptedIsAnErrorWithItsBody(_ setting: UpstreamSetting) async throws {
        try await setting.serving { _, networker, base async throws in
            for (path, status) in [("api/contents/1", 404), ("api/recommendations", 500), ("api/statistics", 401)] {
                let request = PlainRequest(url: base.appendingPathComponent(path))
                let error = await #expect(throws: ResponseError.self) {
                    let _: Data = try await networker.data(for: request)
                }
                #expect(error?.status == status)
                #expect(error.map { String(decoding: $0.body, as: UTF8.self).contains("\"errors\"") } == true)
                #expect(error?.url == request.url)
            }
        }
        try await setting.serving(statuses: .any) { _, networker, base async throws in
            let data: Data = try await networker.data(
                for: PlainRequest(url: base.appendingPathComponent("api/contents/1")))
            #expect(String(decoding: data, as: UTF8.self).contains("\"errors\""))
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func answersWithoutContentAreAnswers(_ setting: UpstreamSetting) async throws {
        try await setting.serving(statuses: .any) { _, networker, base async throws in
            let article = base.appendingPathComponent("api/contents/7102220-a-mock-server-you-can-review")
            let whole = try await networker.response(for: PlainRequest(url: article))
            let head = try await networker.response(for: PlainRequest(url: article, method: .head))
            #expect(head.status == 200 && head.data.isEmpty)
            #expect(head.headers["Content-Length"] == "\(whole.data.count)")
            let tag = try #require(whole.headers["Etag"])
            let same = try await networker.response(
                for: PlainRequest(url: article, headers: ["If-None-Match": tag]))
            #expect(same.status == 304 && same.data.isEmpty)
            let gone = try await networker.response(
                for: PlainRequest(url: base.appendingPathComponent("api/contents/7102220"), method: .delete))
            #expect(gone.status == 204 && gone.data.isEmpty)
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func repeatedFieldsAreJoinedSoThatCookiesCanBeRead(_ setting: UpstreamSetting) async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"headers": [
              "Set-Cookie: a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/", "X-List: one", "set-cookie: b=2; Path=/",
              "x-list: two"], "body": ""}}
            """
        try await setting.serving(stub: stub) { _, networker, base async throws in
            let response = try await networker.response(for: PlainRequest(url: base))
            #expect(response.http.value(forHTTPHeaderField: "X-List") == "one, two")
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: response.headers, for: base)
            #expect(cookies.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2"])
            #expect(response.http.url == base)
        }
    }

    @Test func credentialsOfTheURLAreSentAsBasic() async throws {
        try await UpstreamSetting.http1.serving { _, networker, base async throws in
            var components = try #require(
                URLComponents(url: base.appendingPathComponent("api/statistics"), resolvingAgainstBaseURL: true))
            components.user = "editor"
            components.password = "sample"
            let request = PlainRequest(url: try #require(components.url))
            #expect(try await networker.response(for: request).status == 200)
        }
    }

    @Test func cachedAnswersAreAskedForOnce() async throws {
        try await UpstreamSetting.h2c.serving { server, networker, base async throws in
            try server.add(
                MockStub(
                    json:
                        #"{"request": {"urlPath": "/uploads/2025/hexagons.png"}, "response": {"bodyFile": "uploads/2025/hexagons.png", "headers": ["Cache-Control: max-age=60"]}}"#
                ))
            let request = ImageRequest(url: base.appendingPathComponent("uploads/2025/hexagons.png"))
            for _ in 0..<3 { #expect(try await !networker.cachedValue(for: request).isEmpty) }
            #expect(server.journal.entries.count == 1)
            // A list that says of itself that it is old at once is asked for each time.
            let list = ArticleRequest(base: base.appendingPathComponent("api"))
            for _ in 0..<2 { #expect(try await networker.cachedValue(for: list).count == 20) }
            #expect(server.journal.entries.count == 3)
        }
    }
}

/// Has a token, and counts what comes.
private final class TokenDelegate: NetworkingDelegate {
    private let seen = Mutex<[Int]>([])

    var statuses: [Int] { seen.withLock { $0 } }

    func headers(for networking: any Networking) -> [String: String] {
        ["Authorization": "Token token=sample-token", "x-own": "delegate"]
    }

    func networking(_ networking: any Networking, didReceive response: URLResponse) {
        seen.withLock { $0.append((response as? HTTPURLResponse)?.statusCode ?? 0) }
    }
}
