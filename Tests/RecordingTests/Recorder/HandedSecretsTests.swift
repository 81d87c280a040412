// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Secrets that a response hands out, and by which further requests are told apart.
@Suite(.supervised) struct HandedSecretsTests {
    /// A page of a list, by what its client sends.
    private struct Page {
        var target = "/items"
        var fields: [UpstreamField] = []
        var answer: String
        var request: (String, [UpstreamField]) { (target, fields) }
    }

    /// A JSON Web Token, which is a secret wherever it stands.
    private static func token(_ seed: UInt64) -> String {
        var random = SplitMix(seed: seed)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        func text(_ count: Int) -> String {
            String((0..<count).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
        }
        func part(_ text: String) -> String { Base64.text(of: Array(text.utf8), pads: false) }
        return [part(#"{"alg":"HS256"}"#), part("{\"k\":\"\(text(12))\"}"), text(43)].joined(separator: ".")
    }

    /// Three pages of a list, of which the first and, if they are said who asks, the others are asked for with some lines.
    private static func pages(_ name: String, seed: UInt64, first: [UpstreamField], further: [UpstreamField]) -> [Page]
    {
        let tokens = [token(seed), token(seed + 1)]
        return [
            Page(fields: first, answer: "{\"page\":\"\(name) 1\",\"next_cursor\":\"\(tokens[0])\"}"),
            Page(
                target: "/items?cursor=\(tokens[0])", fields: further,
                answer: "{\"page\":\"\(name) 2\",\"next_cursor\":\"\(tokens[1])\"}"),
            Page(target: "/items?cursor=\(tokens[1])", fields: further, answer: "{\"page\":\"\(name) 3\"}"),
        ]
    }

    private func record(_ pages: [Page], into directory: TemporaryDirectory) async throws -> [RecordingOutcome] {
        let session = try Session(directory)
        var outcomes: [RecordingOutcome] = []
        for page in pages {
            outcomes.append(try await session.record("GET", page.target, fields: page.fields, .json(page.answer)))
        }
        return outcomes + (await session.recorder.finish())
    }

    /// Walks a list by what each page gives, and says what the pages are called.
    private func walk(_ replay: Replay, _ first: [UpstreamField], _ further: [UpstreamField]) async throws -> [String] {
        var names: [String] = []
        var target = "/items"
        for number in 0..<3 {
            let answer = try await replay.answer("GET", target, number == 0 ? first : further)
            guard answer.status == 200 else { return names + ["\(answer.status)"] }
            let node = try JSONParser.parse(answer.body)
            names.append(node["page"]?.string ?? "")
            target = "/items?cursor=\(node["next_cursor"]?.string ?? "")"
        }
        return names
    }

    private static func user(_ name: String) -> [UpstreamField] {
        [UpstreamField("Authorization", "Basic \(Base64.text(of: Array("\(name):pw-\(name)-1".utf8)))")]
    }

    @Test func `each of two users walks the pages of its own list`() async throws {
        let names = ["ann", "bob", "cid"]
        let lists = names.enumerated().map { index, name in
            Self.pages(name, seed: UInt64(index * 10 + 1), first: Self.user(name), further: Self.user(name))
        }
        for order in [lists.flatMap(\.self), (0..<3).flatMap { page in lists.map { $0[page] } }] {
            let directory = try TemporaryDirectory()
            let outcomes = try await record(order, into: directory)
            #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
            try await Replay.of(directory) { replay in
                for name in names + names.reversed() {
                    let walked = try await walk(replay, Self.user(name), Self.user(name))
                    #expect(walked == ["\(name) 1", "\(name) 2", "\(name) 3"])
                }
            }
            let before = directory.snapshot()
            let again = try await record(order, into: directory)
            #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
            #expect(directory.snapshot() == before)
        }
    }

    @Test(arguments: 0..<4)
    func `lists that a line of their first page tells apart have pages of their own, which do not repeat it`(
        order: Int
    ) async throws {
        // A later recording knows of an earlier request what is written of it.
        func sort(_ name: String) -> [UpstreamField] { [UpstreamField(order == 3 ? "Prefer" : "X-Sort", name)] }
        let up = Self.pages("asc", seed: 1, first: sort("asc"), further: [])
        let down = Self.pages("desc", seed: 11, first: sort("desc"), further: [])
        // The last in two recordings.
        let orders = [up + down, down + up, (0..<3).flatMap { [up[$0], down[$0]] }, up]
        let directory = try TemporaryDirectory()
        var outcomes = try await record(orders[order], into: directory)
        if order == 3 { outcomes += try await record(down, into: directory) }
        #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
        try await Replay.of(directory) { replay in
            for name in ["asc", "desc", "asc"] {
                let walked = try await walk(replay, sort(name), [])
                #expect(walked == ["\(name) 1", "\(name) 2", "\(name) 3"])
            }
        }
        let before = directory.snapshot()
        for again in [up + down, down + up] {
            let outcomes = try await record(again, into: directory)
            #expect(outcomes.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
            #expect(directory.snapshot() == before)
        }
    }

    @Test func `a placeholder has twelve digits, and a line names a few of many`() async throws {
        let tokens = (0..<20).map { Self.token(UInt64($0 + 100)) }
        let list = tokens.map { "{\"cursor\":\"\($0)\"}" }.joined(separator: ",")
        let directory = try TemporaryDirectory()
        let pages = tokens.enumerated().map { Page(target: "/items?cursor=\($1)", answer: "{\"page\":\"\($0)\"}") }
        let outcomes = try await record([Page(answer: "[\(list)]")] + pages, into: directory)
        let notes: [String] = outcomes.flatMap(\.notes).filter {
            $0.contains("gives the values by which other requests")
        }
        #expect(notes.count == 1)
        #expect(notes.first?.hasSuffix(", and 14 more") == true, "\(notes)")
        let placeholders = directory.visible().filter { $0.hasSuffix(".stub.json") }.compactMap { path in
            path.firstMatch(of: /cursor-([0-9a-f]+)/).map { String($0.1) }
        }
        #expect(Set(placeholders).count == 20)
        #expect(placeholders.allSatisfy { $0.utf8.count == 12 }, "\(placeholders.prefix(3))")
    }

    @Test func `no stub asks for a placeholder that a file of several stubs cannot give`() async throws {
        let directory = try TemporaryDirectory()
        let pages = Self.pages("all", seed: 1, first: [], further: [])
        _ = try await record([pages[0]], into: directory)
        let path = try #require(directory.visible().first { $0.hasSuffix(".stub.json") })
        try directory.write(path, "{ \"stubs\": [\(directory.text(path))] }\n")
        _ = try await record(pages, into: directory)
        let stubs = directory.visible().filter { $0.hasSuffix(".stub.json") }.map { directory.text($0) }
        #expect(stubs.count == 2)
        let asked = try stubs.compactMap {
            try JSONParser.parse(Array($0.utf8))["request"]?["queryParameters"]?["cursor"]?["matches"]?.string
        }
        #expect(asked == [".+"])
        try await Replay.of(directory) { replay in
            let walked = try await walk(replay, [], [])
            #expect(walked == ["all 1", "all 2", "all 3"])
        }
    }

    @Test func `a page that was moved into a file of several stubs leads on until it changes, which is told`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var pages = Self.pages("all", seed: 1, first: [], further: [])
        _ = try await record(pages, into: directory)
        try directory.write("items.stub.json", "{ \"stubs\": [\(directory.text("items.stub.json"))] }\n")
        let before = directory.snapshot()
        let again = try await record(pages, into: directory)
        #expect(again.filter { $0.kind != .unchanged || $0.notes != [] }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
        pages[0].answer = pages[0].answer.replacing("all 1", with: "new 1")
        let changed = try await record(pages, into: directory)
        let notes: [String] = changed.flatMap(\.notes).filter { $0.hasPrefix("warning: ") }
        #expect(notes.count == 1)
        #expect(
            notes.first?.hasPrefix(
                "warning: several stubs or responses share its file, so it does not give the values by which other requests are told apart (redacted.query.cursor-"
            ) == true, "\(changed)")
    }

    @Test func `a value whose first byte is that of no text is no placeholder`() async throws {
        func stubs(_ byte: UInt8) async throws -> [String: [UInt8]] {
            let directory = try TemporaryDirectory()
            try await directory.inSession { session in
                for name in ["mir", "vetta\n.*"] {
                    let fields = [UpstreamField("X-Name", bytes: [byte] + Array(name.utf8))]
                    let outcome = try await session.record("GET", "/a", fields: fields, .json("\"\(name.utf8.count)\""))
                    #expect(outcome.kind == .new)
                }
            }
            return directory.snapshot()
        }
        let (one, other) = try await (stubs(0xFD), stubs(0xFC))
        #expect(one.count == 4)
        #expect(
            one.mapValues { String(decoding: $0, as: UTF8.self) }
                == other.mapValues { String(decoding: $0, as: UTF8.self) })
    }

    @Test func `a parameter that is not text is asked for as it was sent`() async throws {
        let directory = try TemporaryDirectory()
        let values = ["%FDa%0A.*", "%FDb%0A.*", "%C3%BDc%0A.*"]
        try await directory.inSession { session in
            for value in values { try await session.record("GET", "/b?traceId=\(value)", .json("\"\(value)\"")) }
        }
        try await Replay.of(directory) { replay in
            for value in values {
                let text = try await replay.text("GET", "/b?traceId=\(value)")
                #expect(text == "200 \"\(value)\"")
            }
            let other = try await replay.text("GET", "/b?traceId=x")
            #expect(other.hasPrefix("404"))
        }
    }

    @Test func `requests without content that differ in Content-Type are told apart in two recordings, too`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let types = ["application/json", "application/xml"]
        for type in types + types {
            _ = try await directory.inSession { session in
                try await session.record(
                    "GET", "/a", fields: [UpstreamField("Content-Type", type)], .json("\"\(type)\""))
            }
        }
        try await Replay.of(directory) { replay in
            for type in types + types {
                let text = try await replay.text("GET", "/a", [UpstreamField("Content-Type", type)])
                #expect(text == "200 \"\(type)\"")
            }
        }
    }
}
