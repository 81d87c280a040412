// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import NetworkingTesting
import Testing

/// A networker that answers from a closure.
@Suite(.supervised) struct DoubleTests {
    private let url = URL(fileURLWithPath: "/")
    private let articles = URL(string: "http://host.example/articles")
    private let image = URL(string: "http://host.example/1.png")

    private static let json = Data(#"{"data": []}"#.utf8)

    @Test func aClosureAnswersEachRequest() async throws {
        let networker = Networker { request in
            switch request {
            case is ArticleRequest: return Self.json
            case is ImageRequest: return Data([1])
            default: return nil
            }
        }
        let base = try #require(URL(string: "http://host.example"))
        #expect(try await networker.value(for: ArticleRequest(base: base)).isEmpty)
        #expect(try await networker.cachedValue(for: ImageRequest(url: try #require(image))) == Data([1]))
        #expect(try await networker.fetch(ArticleRequest(base: base)).firstValue().isEmpty)
        var bytes: [UInt8] = []
        for try await byte in networker.bytes(for: ImageRequest(url: try #require(image))) { bytes.append(byte) }
        #expect(bytes == [1])
    }

    @Test func anUnexpectedRequestFailsWithItsLineForCurl() async throws {
        let networker = Networker { request in request is ArticleRequest ? Data() : nil }
        let request = PlainRequest(url: try #require(image), headers: ["Accept": "image/png"])
        let error = await #expect(throws: RequestError.self) { try await networker.data(for: request) }
        #expect(
            error?.description
                == "the double does not expect this request: curl --header 'Accept: image/png' http://host.example/1.png"
        )
        let published = await #expect(throws: RequestError.self) { try await networker.fetch(request).firstValue() }
        #expect(published == error)
    }

    @Test func anUnexpectedRequestFailsTheTestThoughItsErrorIsKept() async throws {
        let request = PlainRequest(url: try #require(image))
        await withKnownIssue {
            let networker = Networker(onUnexpected: .failTest()) { _ in nil }
            _ = try? await networker.data(for: request)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasSuffix("curl http://host.example/1.png") }
        }
    }

    @Test func statusesFieldsAndErrorsAreAnsweredToo() async throws {
        let networker = Networker { request in
            try DataResponse(to: request, status: 404, headers: ["X-Why": "gone"], data: Data("no".utf8))
        }
        let request = PlainRequest(url: try #require(image))
        let error = await #expect(throws: ResponseError.self) { try await networker.data(for: request) }
        #expect(error?.status == 404)
        #expect(error?.headers == ["X-Why": "gone"])
        let away = Networker { _ -> Data? in throw URLError(.notConnectedToInternet) }
        let lost = await #expect(throws: URLError.self) { try await away.data(for: request) }
        #expect(lost?.code == .notConnectedToInternet)
    }

    @Test func delegatesAndMiddlewaresTakePart() async throws {
        let seen = Collected<String>()
        let networker = Networker(middlewares: [
            Intercept { request, next in
                seen.append(request.value(forHTTPHeaderField: "X-Number") ?? "none")
                return try await next(request)
            }
        ]) { _ in Data() }
        let delegate = HeaderDelegate()
        networker.delegate = delegate
        _ = try await networker.data(for: PlainRequest(url: try #require(image)))
        #expect(seen.elements == ["1"])
        withExtendedLifetime(delegate) {}
    }
}
