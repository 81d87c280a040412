// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct LoggerPluginTests {
    private func texts(
        _ detail: LoggerPlugin.Detail, _ change: (inout AnyTarget) -> Void = { _ in },
        sample: Endpoint.SampleResponse = .networkResponse(200, Data("A".utf8))
    ) async -> [String] {
        let texts = Collected<String>()
        let provider = Provider<AnyTarget>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString, sampleResponseClosure: { sample }, method: target.method,
                    task: target.task, httpHeaderFields: target.headers)
            }, stubClosure: Provider.immediatelyStub,
            plugins: [LoggerPlugin(detail: detail, output: { texts.append($0) })])
        var target = AnyTarget.unsent
        target.path = "things"
        change(&target)
        _ = try? await provider.request(target)
        return texts.elements
    }

    @Test func aRequestAndItsAnswerAreALineEach() async {
        #expect(
            await texts([]) == [
                "--> GET http://api.example.com/things", "<-- 200 http://api.example.com/things, 1 bytes",
            ])
    }

    @Test func secretsAreNotWritten() async throws {
        let http = try #require(
            HTTPURLResponse(
                url: AnyTarget.unsent.baseURL, statusCode: 201, httpVersion: "HTTP/1.1",
                headerFields: ["Set-Cookie": "session=1", "Location": "/things/1"]))
        let written = await texts(
            .verbose,
            {
                $0.method = .post
                $0.headers = ["authorization": "Bearer secret", "Cookie": "session=1", "X-Client": "tests"]
                $0.task = .requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default)
            }, sample: .response(http, Data("made".utf8)))
        #expect(
            written.first?.replacingOccurrences(of: "authorization:", with: "Authorization:") == """
                --> POST http://api.example.com/things
                Authorization: <redacted>
                Content-Type: application/json
                Cookie: <redacted>
                X-Client: tests

                {"a":1}
                """)
        #expect(
            written.last == """
                <-- 201 http://api.example.com, 4 bytes
                Location: /things/1
                Set-Cookie: <redacted>

                made
                """)
    }

    @Test func aFailureIsALineWithTheResponseBehindIt() async {
        #expect(
            await texts([], { $0.validationType = .successCodes }, sample: .networkResponse(404, Data())).last == """
                <-- GET http://api.example.com/things failed: the status is not accepted: status 404, 0 bytes
                <-- 404 http://api.example.com/things, 0 bytes
                """)
        #expect(
            await texts([], sample: .networkError(SampleError())).last
                == "<-- GET http://api.example.com/things failed: the request failed: the cable is cut")
    }

    @Test func aContentIsShownAsFarAsItIsTextAndShort() async {
        let long = String(repeating: "x", count: 2_003)
        #expect(
            await texts(.responseBody, sample: .networkResponse(200, Data(long.utf8))).last
                == "<-- 200 http://api.example.com/things, 2003 bytes\n\n" + String(repeating: "x", count: 2_000)
                + "… <3 characters more>")
        #expect(
            await texts(.responseBody, sample: .networkResponse(200, Data([0xFF, 0xFE]))).last
                == "<-- 200 http://api.example.com/things, 2 bytes\n\n<2 bytes, no text>")
    }

    private struct SampleError: Error, CustomStringConvertible {
        var description: String { "the cable is cut" }
    }
}
