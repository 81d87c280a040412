// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// Each kind of task, as it comes over the wire.
@Suite(.supervised) struct TaskKindTests {
    struct Draft: Encodable {
        var title = "a/b"
        var count = 2
        var at = Date(timeIntervalSince1970: 0)
    }

    private func sent(
        _ task: Endpoint.Task, method: HTTPMethod = .post, headers: [String: String]? = nil
    ) async throws -> EchoServer.Message {
        let echo = try await EchoServer.start()
        let target = AnyTarget(baseURL: echo.url, method: method, task: task, headers: headers)
        let response = try await Provider<AnyTarget>().request(target)
        #expect(response.statusCode == 200)
        let messages = echo.messages
        await echo.stop()
        #expect(messages.count == 1)
        return try #require(messages.first)
    }

    @Test func aPlainTaskSendsTheRequestAlone() async throws {
        #expect(
            try await sent(.requestPlain, method: .get)
                == EchoServer.Message(method: "GET", target: "/things", contentType: nil, body: ""))
    }

    @Test func dataIsSentAsItIs() async throws {
        #expect(
            try await sent(.requestData(Data("raw \u{1}".utf8)), headers: ["Content-Type": "text/plain"])
                == EchoServer.Message(method: "POST", target: "/things", contentType: "text/plain", body: "raw \u{1}"))
    }

    @Test func dataWithoutATypeIsNoForm() async throws {
        #expect(try await sent(.requestData(Data("raw".utf8))).contentType == "application/octet-stream")
    }

    @Test func aValueIsSentAsJSONWithSortedKeys() async throws {
        #expect(
            try await sent(.requestJSONEncodable(Draft()))
                == EchoServer.Message(
                    method: "POST", target: "/things", contentType: "application/json",
                    body: #"{"at":-978307200,"count":2,"title":"a/b"}"#))
    }

    @Test func theContentTypeOfATargetGoesBeforeThatOfJSON() async throws {
        let message = try await sent(
            .requestJSONEncodable(Draft()), method: .patch, headers: ["content-type": "application/vnd.api+json"])
        #expect(message.contentType == "application/vnd.api+json")
        #expect(message.method == "PATCH")
    }

    @Test func anEncoderOfOnesOwnEncodesTheValue() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        #expect(
            try await sent(.requestCustomJSONEncodable(Draft(), encoder: encoder)).body
                == #"{"at":"1970-01-01T00:00:00Z","count":2,"title":"a\/b"}"#)
    }

    @Test func parametersOfGETAreInTheQuery() async throws {
        let task = Endpoint.Task.requestParameters(
            parameters: ["page": 2, "q": "a b+c"], encoding: URLEncoding.default)
        #expect(
            try await sent(task, method: .get)
                == EchoServer.Message(
                    method: "GET", target: "/things?page=2&q=a%20b%2Bc", contentType: nil, body: ""))
    }

    @Test func parametersOfPOSTAreAForm() async throws {
        let task = Endpoint.Task.requestParameters(
            parameters: ["page": 2, "q": "a b+c"], encoding: URLEncoding.default)
        #expect(
            try await sent(task)
                == EchoServer.Message(
                    method: "POST", target: "/things",
                    contentType: "application/x-www-form-urlencoded; charset=utf-8", body: "page=2&q=a%20b%2Bc"))
    }

    @Test func parametersOfPOSTAreInTheQueryWhereThatIsSaid() async throws {
        let task = Endpoint.Task.requestParameters(parameters: ["page": 2], encoding: .queryString)
        #expect(
            try await sent(task)
                == EchoServer.Message(method: "POST", target: "/things?page=2", contentType: nil, body: ""))
    }

    @Test func parametersAreJSONWhereThatIsSaid() async throws {
        let task = Endpoint.Task.requestParameters(
            parameters: ["page": 2, "q": "a b", "on": true, "tags": ["x", "y"]], encoding: JSONEncoding.default)
        #expect(
            try await sent(task, method: .put)
                == EchoServer.Message(
                    method: "PUT", target: "/things", contentType: "application/json",
                    body: #"{"on":true,"page":2,"q":"a b","tags":["x","y"]}"#))
    }

    @Test func dataAndAQueryGoTogether() async throws {
        let task = Endpoint.Task.requestCompositeData(bodyData: Data("raw".utf8), urlParameters: ["page": 2])
        let message = try await sent(task)
        #expect(message.target == "/things?page=2")
        #expect(message.body == "raw")
    }

    @Test func parametersOfTwoKindsGoTogether() async throws {
        let task = Endpoint.Task.requestCompositeParameters(
            bodyParameters: ["title": "A"], bodyEncoding: JSONEncoding.default, urlParameters: ["page": 2])
        #expect(
            try await sent(task)
                == EchoServer.Message(
                    method: "POST", target: "/things?page=2", contentType: "application/json", body: #"{"title":"A"}"#))
        let form = Endpoint.Task.requestCompositeParameters(
            bodyParameters: ["title": "A"], bodyEncoding: URLEncoding.httpBody, urlParameters: ["page": 2])
        #expect(try await sent(form, method: .delete).body == "title=A")
    }

    @Test func aFileIsUploaded() async throws {
        let files = try TemporaryDirectory(["draft.txt": "from a file"])
        let task = Endpoint.Task.uploadFile(URL(fileURLWithPath: "\(files.path)/draft.txt"))
        #expect(
            try await sent(task, method: .put, headers: ["Content-Type": "text/plain"])
                == EchoServer.Message(method: "PUT", target: "/things", contentType: "text/plain", body: "from a file"))
    }

    @Test func theFieldsOfATargetAreSent() async throws {
        let echo = try await EchoServer.start()
        let target = AnyTarget(baseURL: echo.url, headers: ["Accept-Language": "nl", "Content-Length": "7"])
        _ = try await Provider<AnyTarget>().request(target)
        #expect(echo.field("Accept-Language") == "nl")
        #expect(echo.field("Content-Length") == nil)
        await echo.stop()
    }
}
