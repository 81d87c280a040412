// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ReadTests {
    /// The output without the rows of lists.
    private func shown(_ output: String) -> [String] {
        output.components(separatedBy: "\n").filter { line in
            !line.hasPrefix("         ") && line.firstMatch(of: #/^ *[0-9]+ \[.\] /#) == nil
        }
    }

    @Test func aSessionListsShowsGoesOnAndEnds() async throws {
        try await Service.with { service in
            let end = try await service.run(input: "1\n n \n\ni 22\nnext\nn\nq\n1\n")
            #expect(end.code == 0)
            #expect(end.errors.isEmpty)
            let lines = shown(end.output)
            #expect(lines.first == "Articles 1–20 of 60")
            #expect(lines.dropFirst().first == "A Mock Server You Can Review")
            let rest = lines.drop { $0 != "Articles 21–40 of 60" }
            #expect(
                Array(rest) == [
                    "Articles 21–40 of 60", "circuit.svg (SVG 640 × 400)",
                    "1064 bytes from \(service.root)/uploads/2025/circuit.svg", "Articles 41–60 of 60",
                    "that was the last page", "",
                ])
        }
    }

    @Test func theNextPageIsTheOneBehindTheLastShown() async throws {
        try await Service.with { service in
            let end = try await service.run(input: "i 45\nn\nl\nn\nn\n")
            #expect(end.code == 0)
            #expect(
                shown(end.output).filter { $0.hasPrefix("Articles") } == [
                    "Articles 1–20 of 60", "Articles 21–40 of 60", "Articles 21–40 of 60", "Articles 41–60 of 60",
                ])
            #expect(end.output.hasSuffix("\nthat was the last page\n"))
        }
    }

    @Test func anImageIsFetchedOnceAndTellsItsSizeFromThenOn() async throws {
        try await Service.with { service in
            try service.server.add(
                MockStub(
                    json:
                        #"{"request": {"urlPath": "/uploads/2026/aurora.png"}, "response": {"bodyFile": "uploads/2026/aurora.png", "headers": ["Cache-Control: max-age=60"]}}"#
                ))
            let end = try await service.run(input: "i 1\ni 1\n1\nl\n")
            #expect(end.code == 0)
            #expect(service.paths.filter { $0 == "/uploads/2026/aurora.png" }.count == 1)
            #expect(end.output.contains("7102220 · Swift 6.3, Linux · free\naurora.png (PNG 1200 × 750)\n"))
            #expect(end.output.contains(" · 2026-10-29 · aurora.png (PNG 1200 × 750)\n"))
        }
    }

    @Test func anArticleIsSavedForLaterAndNoLonger() async throws {
        try await Service.with { service in
            let end = try await service.run(input: "s 2\nl\ns 2\n")
            #expect(end.code == 0)
            let rows = end.output.components(separatedBy: "\n").filter { $0.contains("Reading Bytes Without") }
            #expect(rows.map { $0.prefix(9) } == ["   2 [ ] ", "   2 [x] ", "   2 [x] ", "   2 [ ] "])
            #expect(end.output.contains("\nArticle 2 of 60\n   2 [x] Reading Bytes Without Copying Them\n"))
        }
    }

    @Test func whatFailsIsToldAndTheSessionGoesOn() async throws {
        try await Service.with { service in
            let end = try await service.run(input: "what now\ni 99\n2\nq\n")
            #expect(end.code == 0)
            let errors = end.errors.components(separatedBy: "\n").filter { !$0.hasPrefix("  ") }
            #expect(
                errors == [
                    "error: \"what now\" is not a command: number, n(ext), i(mage) number, s(ave) number, l(ist), q(uit)",
                    "error: there is no article 99: 60 articles in all",
                    "error: \(service.api)/contents/7102184-reading-bytes-without-copying-them answered 404, not an article",
                    "",
                ])
            #expect(shown(end.output).contains("Reading Bytes Without Copying Them"))
        }
    }

    @Test func theEndOfInputIsTheEnd() async throws {
        try await Service.with { service in
            let end = try await service.run("--url", service.api, input: "l")
            #expect(end.code == 0)
            #expect(end.output.components(separatedBy: "Articles 1–20 of 60\n").count == 3)
        }
    }
}
