// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Lists in pages, by every name and look that tokens of pages have: 144 kinds in each way of handing them on.
@Suite(.supervised) struct PagingTests {
    enum Way: CaseIterable {
        case query, json, form, url, link

        var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// How a token is called in the request, and in the response.
    private static let names: [(asked: String, given: String)] = [
        ("cursor", "next_cursor"), ("page_token", "next_page_token"), ("pageToken", "nextPageToken"),
        ("after", "end_cursor"), ("starting_after", "last_id"), ("offset", "offset"), ("marker", "next_marker"),
        ("continuation", "continuationToken"), ("ExclusiveStartKey", "LastEvaluatedKey"),
        ("$skiptoken", "@odata.nextLink"), ("position", "position"), ("from", "next"), ("token", "token"),
        ("scroll_id", "_scroll_id"), ("continue", "continue"), ("NextToken", "NextToken"), ("bookmark", "bookmark"),
        ("page", "next"),
    ]

    private static let looks: [@Sendable (Int, inout SplitMix) -> String] = [
        { page, _ in "\(page * 20)" },
        { _, random in
            let digits = text(32, "0123456789abcdef", &random)
            return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
                String(Array(digits)[range])
            }.joined(separator: "-")
        },
        { _, random in text(40, "0123456789abcdef", &random) },
        { _, random in text(24, alphanumeric, &random) },
        { _, random in text(64, alphanumeric, &random) },
        { _, random in text(200, alphanumeric, &random) },
        { page, random in part(#"{"offset":\#(page * 20),"id":"\#(text(12, alphanumeric, &random))"}"#) },
        { page, random in
            let claims = #"{"offset":\#(page * 20),"k":"\#(text(8, alphanumeric, &random))"}"#
            return "\(part(#"{"alg":"HS256"}"#)).\(part(claims)).\(text(43, alphanumeric, &random))"
        },
    ]

    private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private static func text(_ count: Int, _ alphabet: String, _ random: inout SplitMix) -> String {
        let letters = Array(alphabet)
        return String((0..<count).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
    }

    private static func part(_ text: String) -> String {
        Base64.text(of: Array(text.utf8), pads: false).replacing("+", with: "-").replacing("/", with: "_")
    }

    /// A list of four pages.
    private struct List {
        let number: Int
        let way: Way
        let asked: String
        let given: String
        /// Of the second page to the fourth.
        let tokens: [String]
        let look: Int

        /// The request of a page by its token.
        func request(_ token: String?) -> (method: String, target: String, fields: [UpstreamField], body: String) {
            let text = token.map { PercentCoding.encode($0) }
            let name = PercentCoding.encode(asked)
            switch way {
            case .query, .url, .link:
                return ("GET", "/l\(number)?limit=2" + (text.map { "&\(name)=\($0)" } ?? ""), [], "")
            case .json:
                let member = token.map { ",\"\(asked)\":\"\($0)\"" } ?? ""
                return (
                    "POST", "/l\(number)", [UpstreamField("Content-Type", "application/json")],
                    "{\"limit\":2\(member)}"
                )
            case .form:
                return (
                    "POST", "/l\(number)", [UpstreamField("Content-Type", "application/x-www-form-urlencoded")],
                    "limit=2" + (text.map { "&\(name)=\($0)" } ?? "")
                )
            }
        }

        func answer(_ page: Int) -> Answer {
            let start = "{\"shown\":[\(number),\(page)]"
            guard tokens.indices.contains(page) else { return .json(start + "}") }
            let token = tokens[page]
            let url = "https://api.example.com" + request(token).target
            switch way {
            case .query, .json, .form: return .json("\(start),\"\(given)\":\"\(token)\"}")
            case .url: return .json("\(start),\"next\":\"\(url)\"}")
            case .link: return .json(start + "}", UpstreamField("Link", "<\(url)>; rel=\"next\""))
            }
        }

        /// The token that a response hands on.
        func token(in response: WireResponse) throws -> String? {
            let node = try JSONParser.parse(response.body)
            let url =
                switch way {
                case .query, .json, .form: ""
                case .url: node["next"]?.string ?? ""
                case .link: response["link"].map { String($0.prefix { $0 != ">" }) } ?? ""
                }
            if url.isEmpty { return node[given]?.string }
            guard let start = url.firstRange(of: "&")?.upperBound, let sign = url[start...].firstIndex(of: "=") else {
                return nil
            }
            return String(
                decoding: PercentCoding.decode(url[url.index(after: sign)...].utf8, plusIsSpace: true), as: UTF8.self)
        }
    }

    private static func lists(_ way: Way, seed: UInt64) -> [List] {
        var random = SplitMix(seed: seed)
        var lists: [List] = []
        // Each way has others.
        let some = Thoroughness.rounds(3, thorough: 1)
        for (index, (asked, given)) in names.enumerated() where index % some == way.number % some {
            for (number, look) in looks.enumerated() {
                let tokens = (1...3).map { look($0, &random) }
                lists.append(
                    List(
                        number: lists.count, way: way, asked: asked, given: given, tokens: tokens, look: number))
            }
        }
        return lists
    }

    private func record(_ lists: [List], into directory: TemporaryDirectory) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for list in lists {
                for page in 0..<4 {
                    let (method, target, fields, body) = list.request(page == 0 ? nil : list.tokens[page - 1])
                    outcomes.append(
                        try await session.record(method, target, fields: fields, body: body, list.answer(page)))
                }
            }
            return outcomes
        }
    }

    @Test(arguments: Way.allCases)
    func `each page leads to the next, however often they are walked, and no token leads to another page`(way: Way)
        async throws
    {
        let lists = Self.lists(way, seed: 3)
        let directory = try TemporaryDirectory()
        let outcomes = try await record(lists, into: directory)
        #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
        try await Replay.of(directory) { replay in
            let wrong = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                func ask(_ list: List, _ token: String?) throws -> WireResponse {
                    let (method, target, fields, body) = list.request(token)
                    return try client.request(
                        method, target, fields.map { "\($0.name): \($0.value)" }, body: body)
                }
                var wrong: [String] = []
                for round in 1...2 {
                    for list in lists {
                        var token: String?
                        for page in 0..<4 {
                            let response = try ask(list, token)
                            guard response.status == 200, response.text.contains("[\(list.number),\(page)]") else {
                                wrong.append(
                                    "round \(round), \(list.asked), \(list.look): page \(page) is \(response.status) \(response.text.prefix(40))"
                                )
                                break
                            }
                            token = try list.token(in: response)
                        }
                    }
                }
                for list in lists {
                    for (page, token) in zip(1..., list.tokens) {
                        let response = try ask(list, token)
                        guard response.status == 200, !response.text.contains("[\(list.number),\(page)]") else {
                            continue
                        }
                        wrong.append("\(list.asked), \(list.look): the token of page \(page) gets \(response.text)")
                    }
                }
                return wrong
            }
            #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(8))")
        }
        let before = directory.snapshot()
        let again = try await record(Self.lists(way, seed: 3), into: directory)
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
        // The service gives other tokens the next time.
        let later = try await record(Self.lists(way, seed: 4).filter { $0.look == 7 }, into: directory)
        #expect(later.filter { $0.kind != .unchanged }.map { "\($0.request) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
    }

    @Test func `what selects and is a secret is asked for by the placeholder that a client is given, or told`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var random = SplitMix(seed: 9)
        let tokens = (0..<3).map { Self.looks[7]($0, &random) }
        let session = try Session(directory) {
            $0.selecting = SelectedPlaces(["query:page", "$.page"]) ?? SelectedPlaces()
        }
        let json = [UpstreamField("Content-Type", "application/json")]
        try await session.record("GET", "/all", .json("[{\"page\":\"\(tokens[0])\"},{\"page\":\"\(tokens[1])\"}]"))
        for token in tokens.prefix(2) {
            let outcome = try await session.record("GET", "/one?page=\(token)", .json("[]"))
            #expect(outcome.kind == .new && outcome.notes == [])
        }
        let unknown = try await session.record("GET", "/two?page=\(tokens[2])", .json("[]"))
        #expect(
            unknown.notes == [
                "query:page is a secret here, which selects nothing: record the response that gives it to the client in the same recording, or select by another place"
            ])
        let member = try await session.record(
            "POST", "/two", fields: json, body: "{\"page\":\"\(tokens[2])\"}", .json("[]"))
        #expect(
            member.notes == [
                "$.page is a secret here, which selects nothing: record the response that gives it to the client in the same recording, or allow the value at $.page"
            ])
        _ = await session.recorder.finish()
        #expect(directory.visible().filter { $0.hasPrefix("one") && $0.hasSuffix(".stub.json") }.count == 2)
        try await Replay.of(directory) { replay in
            let all = try JSONParser.parse(try await replay.answer("GET", "/all").body)
            for element in all.array ?? [] {
                let token = try #require(element["page"]?.string)
                let text = try await replay.text("GET", "/one?page=\(token)")
                #expect(text == "200 []")
            }
            // As a client sends it that has the recorded token.
            let raw = try await replay.text("GET", "/one?page=\(tokens[0])")
            #expect(raw == "200 []")
            let unknown = try await replay.text("GET", "/one?page=\(tokens[2])")
            #expect(unknown.hasPrefix("404"))
        }
    }

    @Test func `an id below a collection that is called like links is no secret`() async throws {
        let directory = try TemporaryDirectory()
        let ids = ["kKJb5bOFI47uHeBVluGfX1", "XsjdElScZGjmfCcTwsYRC1"]
        try await directory.inSession { session in
            for id in ids {
                for path in [
                    "/v1/services/\(id)/operations", "/service/\(id)/version", "/keys/\(id)/rotate",
                    "/private-networks/\(id)", "/session-types/\(id)",
                ] {
                    let outcome = try await session.record(
                        "GET", path,
                        .json("{\"id\":\"\(id)\",\"_links\":{\"self\":\"/enabled-products/fanout\(path)\"}}"))
                    #expect(outcome.kind == .new && outcome.redacted == [], "\(outcome)")
                }
            }
        }
        try await Replay.of(directory) { replay in
            for id in ids.reversed() {
                let text = try await replay.text("GET", "/v1/services/\(id)/operations")
                #expect(text.hasPrefix("200 {\"id\":\"\(id)\""))
            }
        }
    }
}
