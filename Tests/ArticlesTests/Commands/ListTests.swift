// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ListTests {
    @Test func theFirstPageTellsNumbersTitlesAndWhereThereIsMore() async throws {
        try await Service.with { service in
            let end = try await service.run("list")
            #expect(end.code == 0)
            #expect(end.errors.isEmpty)
            let lines = end.output.components(separatedBy: "\n")
            #expect(lines.count == 43)
            #expect(
                lines.prefix(5).joined(separator: "\n") == """
                    Articles 1–20 of 60
                       1  A Mock Server You Can Review
                          Priya Lindqvist · beginner · 12 min · 2026-10-29 · aurora.png
                       2  Reading Bytes Without Copying Them
                          Henrik Sato · 25 min · 2026-10-10 · dunes.jpg
                    """)
            #expect(lines.suffix(2) == ["more: articles list --page 2", ""])
        }
    }

    @Test func theHeadersOfTheViewModelAreSent() async throws {
        try await Service.with { service in
            #expect(try await service.run("list").code == 0)
            let request = try #require(service.server.journal.entries.first?.request)
            #expect(
                request.headerFields[.accept] == "application/vnd.api+json, application/problem+json;q=0.9, */*;q=0.5")
            #expect(request.headerFields[.contentType] == "application/vnd.api+json; charset=utf-8")
        }
    }

    @Test func aPageIsFoundByFollowingTheLinks() async throws {
        try await Service.with { service in
            let end = try await service.run("list", "--page", "3")
            #expect(end.code == 0)
            #expect(end.output.hasPrefix("Articles 41–60 of 60\n  41  An Event Loop From First Principles\n"))
            #expect(end.output.hasSuffix("2021-01-18 · sunrise@2x.png\n"))
            let list = "/api/contents?filter%5Bcontent_types%5D%5B%5D=article"
            #expect(
                service.paths == [
                    list, list + "&page%5Bnumber%5D=2&page%5Bsize%5D=20",
                    list + "&page%5Bnumber%5D=3&page%5Bsize%5D=20",
                ])
        }
    }

    @Test func allPagesAreOneList() async throws {
        try await Service.with { service in
            let end = try await service.run("list", "--all")
            #expect(end.code == 0)
            #expect(end.output.hasPrefix("Articles 1–60 of 60\n   1  A Mock Server You Can Review\n"))
            #expect(end.output.contains("\n  60  Hello Again, Command Line\n"))
            #expect(end.output.components(separatedBy: "\n").count == 122)
        }
    }

    @Test func aPageBehindTheLastIsAnError() async throws {
        try await Service.with { service in
            let end = try await service.run("list", "--page", "4")
            #expect(end.code == 1)
            #expect(end.output.isEmpty)
            #expect(end.errors == "error: there is no page 4: 3 pages in all\n")
        }
    }

    @Test func aListWithoutArticlesSaysSo() async throws {
        try await Service.with(list: #"{"jsonBody": {"data": []}}"#) { service in
            let end = try await service.run("list")
            #expect(end.code == 0)
            #expect(end.output == "No articles\n")
        }
    }

    @Test func whatAServiceLeavesOutIsLeftOut() async throws {
        let item = #"{"id": "a", "attributes": {"name": "Bare \u001b[31m", "difficulty": null}}"#
        try await Service.with(list: #"{"jsonBody": {"data": [\#(item)]}}"#) { service in
            let end = try await service.run("list")
            #expect(end.code == 0)
            #expect(end.output == "Article 1\n   1  Bare \u{FFFD}[31m\n      no image\n")
            let image = try await service.run("image", "1")
            #expect(image.code == 1)
            #expect(image.errors == "error: \"Bare \\u{1B}[31m\" has no image\n")
        }
    }

    @Test func pagesThatGoRoundEndInAnError() async throws {
        let next = "/api/contents?filter%5Bcontent_types%5D%5B%5D=article&again=1"
        try await Service.with(list: #"{"jsonBody": {"data": [], "links": {"next": "\#(next)"}}}"#) { service in
            let end = try await service.run("list", "--all")
            #expect(end.code == 1)
            #expect(end.errors == "error: the pages go round in a circle: \(service.root)\(next) was loaded before\n")
            #expect(service.paths.count == 2)
        }
    }

    @Test(arguments: ["http://service.example/page2", "ftp://127.0.0.1/page2", "http://127.0.0.1:1/page2"])
    func aLinkToAnotherServerIsNotFollowed(_ link: String) async throws {
        try await Service.with(list: #"{"jsonBody": {"data": [], "links": {"next": "\#(link)"}}}"#) { service in
            let end = try await service.run("list", "--all")
            #expect(end.code == 1)
            let page = service.api + "/contents?filter%5Bcontent_types%5D%5B%5D=article"
            #expect(
                end.errors.hasPrefix("error: the next page of \(page) is on another server: \(link). In fixtures, "))
            #expect(service.paths.count == 1)
        }
    }

    @Test(arguments: [
        (["list", "--page", "0"], "error: --page counts from 1"),
        (["list", "--page", "2", "--all"], "error: --all and --page exclude each other"),
        (["list", "--url", "ftp://127.0.0.1/"], "error: The value 'ftp://127.0.0.1/' is invalid for '--url <url>'"),
        (
            ["list", "--url", "http://127.0.0.1/api?a=b"],
            "error: The value 'http://127.0.0.1/api?a=b' is invalid for '--url <url>'"
        ),
        (["show", "0"], "error: The value '0' is invalid for '<article>'"),
        (["show", "../secret"], "error: The value '../secret' is invalid for '<article>'"),
        (["nonsense"], "error: Unexpected argument 'nonsense'"),
    ])
    func wrongUseHasACodeOfItsOwn(_ arguments: [String], _ text: String) async throws {
        let end = try await Service.run(arguments, api: "http://127.0.0.1:9/api")
        #expect(end.code == 64)
        #expect(end.output.isEmpty)
        #expect(end.errors.components(separatedBy: "\n").first == text)
    }

    @Test func aWrongURLInTheEnvironmentIsWrongUse() async throws {
        let end = try await Service.run(["list"], api: "127.0.0.1:8080")
        #expect(end.code == 64)
        #expect(
            end.errors.hasPrefix(
                "error: ARTICLES_URL is \"127.0.0.1:8080\", which is not a URL of http or https such as http://127.0.0.1:8080/api\n"
            ))
    }

    @Test func theOptionComesBeforeTheEnvironment() async throws {
        try await Service.with { service in
            let end = try await Service.run(["list", "--url", service.api + "/"], api: "http://127.0.0.1:9/api")
            #expect(end.code == 0)
            #expect(service.paths == ["/api/contents?filter%5Bcontent_types%5D%5B%5D=article"])
        }
    }
}
