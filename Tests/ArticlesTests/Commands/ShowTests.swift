// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ShowTests {
    private let article = """
        A Mock Server You Can Review
        Priya Lindqvist · beginner · 12 min · 2026-10-29
        7102220 · Swift 6.3, Linux · free
        aurora.png

        Fixtures grow stale when nobody reads them. Lay them out so that a pull request
        shows an answer as the JSON it is & an image as the picture it is.

        Where to start

        Open the directory of your fixtures & read one aloud. If you cannot say what the
        client will see, neither can a reviewer.

        [Northern lights]

        Next: all articles, older first.

        """

    @Test(arguments: ["1", "7102220", "7102220-a-mock-server-you-can-review"])
    func anArticleIsShownByItsPlaceOrItsId(_ reference: String) async throws {
        try await Service.with { service in
            let end = try await service.run("show", reference)
            #expect(end.code == 0)
            #expect(end.errors.isEmpty)
            #expect(end.output == article)
        }
    }

    @Test func aPlaceOnALaterPageIsFound() async throws {
        try await Service.with { service in
            let end = try await service.run("show", "43")
            #expect(end.output.hasPrefix("Parsing With Both Hands\nAmal Petrova · intermediate · 45 min · "))
            #expect(service.paths.count == 4)
        }
    }

    @Test func whatTheListSaysIsShownWhereThereIsNoText() async throws {
        try await Service.with { service in
            let end = try await service.run("show", "2")
            let url = "\(service.api)/contents/7102184-reading-bytes-without-copying-them"
            #expect(end.code == 1)
            #expect(
                end.output == """
                    Reading Bytes Without Copying Them
                    Henrik Sato · 25 min · 2026-10-10
                    7102184 · Swift 6.2 · for subscribers
                    dunes.jpg

                    Spans let a parser look at a buffer in place. Follow a request line from the
                    socket to the router and count every allocation on the way.

                    """)
            #expect(
                end.errors == """
                    error: \(url) answered 404, not an article
                      Not found: There is no content with this id.
                      to see the whole response: curl --header 'Accept: application/vnd.api+json, application/problem+json;q=0.9, \
                    */*;q=0.5' --header 'Content-Type: application/vnd.api+json; charset=utf-8' \(url)

                    """)
        }
    }

    @Test func anIdThatIsNotThereIsAnError() async throws {
        try await Service.with { service in
            let end = try await service.run("show", "9999")
            #expect(end.code == 1)
            #expect(end.output.isEmpty)
            #expect(
                end.errors.hasPrefix(
                    "error: \(service.api)/contents/9999 answered 404, not an article\n  Not found: There is no content with this id.\n"
                ))
        }
    }

    @Test func aPlaceBehindTheLastIsAnError() async throws {
        try await Service.with { service in
            let end = try await service.run("show", "61")
            #expect(end.code == 1)
            #expect(end.errors == "error: there is no article 61: 60 articles in all\n")
        }
    }
}
