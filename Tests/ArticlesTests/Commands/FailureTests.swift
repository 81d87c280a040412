// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Whatever is wrong with the service, the reader says so and exits with 1, with a subcommand or without.
@Suite(.supervised) struct FailureTests {
    private static let list = "/contents?filter%5Bcontent_types%5D%5B%5D=article"
    private static let ways: [[String]] = [[], ["list"], ["show", "1"], ["image", "1"]]

    private func again(_ url: String) -> String {
        """
          to see the whole response: curl --header 'Accept: application/vnd.api+json, application/problem+json;q=0.9, */*;q=0.5' \
        --header 'Content-Type: application/vnd.api+json; charset=utf-8' '\(url)'

        """
    }

    @Test(arguments: ways)
    func aServiceThatIsAwayIsNamedWithWhatToDo(_ arguments: [String]) async throws {
        let port = try ClosedPort()
        let api = "http://127.0.0.1:\(port.number)/api"
        let end = try await Service.run(arguments, api: api, input: "1\n")
        #expect(end.code == 1)
        #expect(end.output.isEmpty)
        #expect(end.errors.hasPrefix("error: nothing answers at \(api)\(Self.list): "))
        #expect(
            end.errors.hasSuffix(
                """

                  to serve the sample articles: mockapi serve Fixtures/
                  to read another service: --url URL, or ARTICLES_URL

                """))
        #expect(end.errors.components(separatedBy: "\n").count == 4)
        withExtendedLifetime(port) {}
    }

    @Test(arguments: ways)
    func anAnswerOf500IsToldWithWhatItSays(_ arguments: [String]) async throws {
        let errors =
            #"{"errors": [{"status": "500", "title": "Oops", "detail": "The cat is on the disk."}, {"title": "Two"}]}"#
        let answer = #"{"status": 500, "headers": ["Content-Type: application/vnd.api+json"], "jsonBody": \#(errors)}"#
        try await Service.with(list: answer) { service in
            let end = try await service.run(arguments)
            #expect(end.code == 1)
            #expect(end.output.isEmpty)
            let url = service.api + Self.list
            #expect(
                end.errors == """
                    error: \(url) answered 500, not a list of articles
                      Oops: The cat is on the disk.
                      Two

                    """ + again(url))
        }
    }

    @Test func aMissOfAMockServerTellsWhatWasNearest() async throws {
        try await Service.with { service in
            let end = try await service.run("list", "--url", service.root + "/apis")
            #expect(end.code == 1)
            let url = service.root + "/apis" + Self.list
            #expect(
                end.errors == """
                    error: \(url) answered 404, not a list of articles
                      nothing answers GET /apis\(Self.list)
                      nearest: api/contents/page-1.stub.json
                        urlPath: /api/contents ≠ /apis/contents

                    """ + again(url))
        }
    }

    @Test func aTextIsShownInItsFirstLinesWithoutControls() async throws {
        let lines = (1...14).map { "line \($0)\\u001b[2J" }.joined(separator: "\\r\\n\\n")
        let answer = #"{"status": 503, "headers": ["Content-Type: text/plain"], "body": "\#(lines)"}"#
        try await Service.with(list: answer) { service in
            let end = try await service.run("list")
            let shown = (1...12).map { "  line \($0)\u{FFFD}[2J\n" }.joined()
            let url = service.api + Self.list
            #expect(end.code == 1)
            #expect(end.errors == "error: \(url) answered 503, not a list of articles\n\(shown)  …\n" + again(url))
        }
    }

    @Test(arguments: [
        (#""body": "<html>""#, "it is not JSON"), (#""jsonBody": {}"#, "data is missing"),
        (#""jsonBody": []"#, "the whole has another type than it should"),
        (#""jsonBody": {"data": [{"id": "1", "attributes": {}}]}"#, "data.0.attributes.name is missing"),
        (#""jsonBody": {"data": [{"id": 1, "attributes": {}}]}"#, "data.0.id has another type than it should"),
    ])
    func whatIsNoListOfArticlesIsToldApart(_ body: String, _ reason: String) async throws {
        try await Service.with(list: "{\(body)}") { service in
            let end = try await service.run("list")
            let url = service.api + Self.list
            #expect(end.code == 1)
            #expect(end.output.isEmpty)
            #expect(
                end.errors == "error: \(url) is not a list of articles: \(reason)\n" + again(url)
                    + "  to read another service: --url URL, or ARTICLES_URL\n")
        }
    }

    @Test func anAnswerThatBreaksOffIsAnError() async throws {
        try await Service.with(list: #"{"fault": "EMPTY_RESPONSE"}"#) { service in
            let end = try await service.run("list")
            #expect(end.code == 1)
            #expect(
                end.errors.hasPrefix("error: \(service.api)\(Self.list) could not be read for a list of articles: "))
        }
    }
}
