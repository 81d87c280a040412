// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Reports of other recorders' users on what came back: another response, none, or one that was changed.
@Suite(.supervised) struct ReportedReplayTests {
    private static let json = UpstreamField("Content-Type", "application/json")
    private static let form = UpstreamField("Content-Type", "application/x-www-form-urlencoded")

    struct Request: Sendable {
        var method = "GET"
        var target = "/a"
        var fields: [UpstreamField] = []
        var body = ""
    }

    /// What is recorded, each with its response, and what is asked then, with the response that each gets; nil for a miss.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var recorded: [(Request, String)]
        var asked: [(Request, String?)]
    }

    private static func get(_ target: String, _ fields: UpstreamField...) -> Request {
        Request(target: target, fields: fields)
    }

    private static func post(_ body: String, _ field: UpstreamField = json) -> Request {
        Request(method: "POST", fields: [field], body: body)
    }

    /// Each is recorded once, and asked in another order.
    private static func told(_ name: String, _ requests: [Request], unknown: [Request] = []) -> Case {
        let recorded = requests.enumerated().map { ($1, "\"\($0)\"") }
        let asked: [(Request, String?)] = (recorded.reversed() + recorded + recorded).map { ($0.0, $0.1) }
        return Case(testDescription: name, recorded: recorded, asked: asked + unknown.map { ($0, nil) })
    }

    /// One request is recorded with some responses, and asked as often, and once more.
    private static func sequence(_ name: String, _ request: Request, _ answers: [String]) -> Case {
        Case(
            testDescription: name, recorded: answers.map { (request, $0) },
            asked: (answers + answers.suffix(1)).map { (request, $0) })
    }

    private static let secrets = ["zK7q7Rm2Vx9Tb4Wd8Lp3Hs01", "Qm4n8Bv2Xc6Zt0Yr5Ew9Ju37"]

    private static let cases: [Case] = [
        told(
            "a redacted key in the content keeps matching (php-vcr#503)",
            secrets.map { post(#"{"n":1,"api_key":"\#($0)"}"#) },
            unknown: [
                post(#"{"n":1,"api_key":"h5Gd1Sa7Kl3Pf9Mw2Nb6Vr48"}"#), post(#"{"n":2,"api_key":"\#(secrets[0])"}"#),
            ]),
        told(
            "a redacted parameter keeps matching (betamax#173)", secrets.map { get("/search?q=1&apiKey=\($0)") },
            unknown: [get("/search?q=2&apiKey=\(secrets[0])")]),
        told(
            "a token in a form keeps matching (vcr#141)",
            secrets.map { post("a=blah&access_token=\($0)&b=blah", form) },
            unknown: [post("a=other&access_token=\(secrets[0])&b=blah", form)]),
        sequence(
            "the same request twice has two responses (opencode#26792)", post(#"{"prompt":"x"}"#),
            [#"{"cached":false}"#, #"{"cached":true}"#]),
        told(
            "another prompt is not the recorded one (vscode#327955)",
            ["a", "b"].map { post(#"{"messages":[{"role":"user","content":"\#($0)"}]}"#) },
            unknown: [post(#"{"messages":[{"role":"user","content":"c"}]}"#)]),
        sequence(
            "a session that is being made is not ready first (wiremock#2364)", get("/session"),
            [#"{"processing":true}"#, #"{"processing":true}"#, #"{"processing":false}"#]),
        sequence(
            "one response more is asked for than was recorded (proxay#8)", post(#"{"field3":1}"#), ["1", "2"]),
        Case(
            testDescription: "two sequences of one path by a parameter (wiremock#1015)",
            recorded: [
                (get("/ly?p=1"), "\"a\""), (get("/ly?p=2"), "\"b\""), (get("/ly?p=1"), "\"c\""),
                (get("/ly?p=2"), "\"d\""),
            ],
            asked: [
                (get("/ly?p=2"), "\"b\""), (get("/ly?p=2"), "\"d\""), (get("/ly?p=1"), "\"a\""),
                (get("/ly?p=1"), "\"c\""),
            ]),
        told(
            "one parameter three times (wiremock#1357)", [get("/v?ids=2210&ids=44&ids=2271&d=9999-12-31")],
            unknown: [get("/v?ids=2210&ids=44&d=9999-12-31")]),
        told(
            "a parameter more (wiremock#422)", [get("/l?first=kapil&last=aggarwal"), get("/l?first=kapil")],
            unknown: [get("/l?last=aggarwal")]),
        told(
            "an object that has a member less (wiremock#1011)",
            [post(#"{"attr1":"value1","attr2":"value2"}"#), post(#"{"attr1":"value1"}"#)],
            unknown: [post(#"{"attr2":"value2"}"#)]),
        Case(
            testDescription: "a list before and after a change (WireMock.Net#632)",
            recorded: [(get("/list"), "[]"), (post("{}"), "\"made\""), (get("/list"), "[1]")],
            asked: [(get("/list"), "[]"), (post("{}"), "\"made\""), (get("/list"), "[1]"), (get("/list"), "[1]")]),
        Case(
            testDescription: "a parameter against caches (pollyjs#63)",
            recorded: [(get("/x?_=1795168799123"), "1"), (get("/x?_=1795168799456"), "1")],
            asked: [(get("/x?_=1826704800123"), "1")]),
        Case(
            testDescription: "a sign-in that the replay has not made (pollyjs#158)",
            recorded: [
                (Request(target: "/me", fields: [UpstreamField("Authorization", "Bearer kR7tQ2mZ9pLw4xYvaK6bL9")]), "1")
            ],
            asked: [
                (Request(target: "/me", fields: [UpstreamField("Authorization", "Bearer zB3nW8cJ5hGd6sTfaK7bL9")]), "1")
            ]),
        Case(
            testDescription: "requests behind one that was missed (hoverfly#607)", recorded: [(get("/a?q=1"), "1")],
            asked: [(get("/a?q=1"), "1"), (get("/a?q=2"), nil), (get("/a?q=1"), "1")]),
        told(
            "a query that differs (betamax#150)", [get("/s?q=cats&page=1"), get("/s?q=dogs&page=1")],
            unknown: [get("/s?q=birds&page=1"), get("/s")]),
        told(
            "a form with other data (node-replay#6)", [post("user=ann&n=1", form), post("user=bob&n=1", form)],
            unknown: [post("user=cid&n=1", form)]),
        told(
            "a content that was changed later (hacs_waste_collection_schedule#7102)",
            [post(#"{"street":"Main","number":1}"#)],
            unknown: [post(#"{"street":"Main","number":2}"#), post(#"{"street":"Main"}"#)]),
        told(
            "calls in another order (litellm#37525)",
            [post(#"{"model":"m","prompt":"a"}"#), post(#"{"model":"m","prompt":"b"}"#), get("/v1/models")],
            unknown: [post(#"{"model":"m","prompt":"c"}"#)]),
        Case(
            testDescription: "a content with the time of the request (azure-service-operator#1492)",
            recorded: [(post(#"{"name":"rg","at":"2026-11-20T09:59:58Z"}"#), "1")],
            asked: [(post(#"{"name":"rg","at":"2027-03-01T08:00:00Z"}"#), "1")]),
    ]

    @Test(arguments: cases)
    func `what was recorded comes back, and nothing else`(it: Case) async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for (request, answer) in it.recorded {
                let outcome = try await session.record(
                    request.method, request.target, fields: request.fields, body: request.body, .json(answer))
                #expect(outcome.kind != .refused, "\(outcome)")
            }
        }
        try await Replay.of(directory) { replay in
            for (index, (request, answer)) in it.asked.enumerated() {
                let text = try await replay.text(request.method, request.target, request.fields, body: request.body)
                #expect(answer.map { text == "200 \($0)" } ?? text.hasPrefix("404 "), "\(index): \(text)")
            }
        }
    }

    @Test func `a miss names the part that differs (symfony/ai#2469)`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record("POST", "/a", fields: [Self.json], body: #"{"model":"m","n":1}"#, .json("1"))
        _ = await session.recorder.finish()
        try await Replay.of(directory) { replay in
            let text = try await replay.text("POST", "/a", [Self.json], body: #"{"model":"m","n":2}"#)
            #expect(text.contains("body /n: expected 1, found 2"), "\(text)")
        }
    }

    private static let words = Array(#"{"name":"Jas. Hennessy & Co.","token":"\#(token)"}"#.utf8)
    private static let token = "zK7q7Rm2Vx9Tb4Wd8Lp3Hs01QmYr5Ew"

    private func served(
        _ fields: [UpstreamField], _ body: [UInt8], accepting coding: String? = nil, by method: String = "GET"
    ) async throws -> (answer: WireResponse, texts: [String]) {
        let directory = try TemporaryDirectory()
        try await directory.record(method, "/a", Answer(fields: fields, body: body))
        var answer: WireResponse?
        try await Replay.of(directory) { replay in
            answer = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                let accept = coding.map { "Accept-Encoding: \($0)\r\n" } ?? ""
                try client.send("\(method) /a HTTP/1.1\r\nHost: localhost\r\n\(accept)\r\n")
                return try client.response(isHead: method == "HEAD")
            }
        }
        return (try #require(answer), directory.snapshot().values.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test(arguments: [("GET", 0), ("HEAD", 20)])
    func `a coding that is named beside no content (vcrpy#661, hoverfly#697)`(method: String, length: Int) async throws
    {
        let fields = [
            Self.json, UpstreamField("Content-Encoding", "gzip"), UpstreamField("Content-Length", "\(length)"),
        ]
        let answer = try await served(fields, [], by: method).answer
        #expect(answer.status == 200 && answer.body.isEmpty && answer["Content-Type"] == "application/json")
        #expect(answer["Content-Length"] == "\(length)")
    }

    @Test(arguments: [nil, "gzip", "br"] as [String?])
    func
        `coded content comes as the client takes it, without its secret and with its length (vcrpy#719, betamax#172, cassetter#86)`(
            coding: String?
        ) async throws
    {
        let coded = try #require(try Coded.bytes(Self.words, "gzip"))
        let fields = [
            Self.json, UpstreamField("Content-Encoding", "gzip"), UpstreamField("Content-Length", "\(coded.count)"),
        ]
        let (answer, texts) = try await served(fields, coded, accepting: coding)
        #expect(!texts.contains { $0.contains(Self.token) })
        #expect(answer["Content-Length"].map { Int($0) == answer.body.count } ?? true)
        let isCoded = answer["Content-Encoding"] != nil
        #expect(!isCoded || answer["Content-Encoding"] == coding)
        if !isCoded { #expect(answer.text == #"{"name":"Jas. Hennessy & Co.","token":"redacted.response.token"}"#) }
    }

    @Test func `bytes that are no text come as they are (vcrpy#893)`() async throws {
        let bytes: [UInt8] = [0xDF, 0x8B, 0x08, 0xFF, 0xFE, 0x00, 0x93, 0xE9, 0x0A]
        for type in ["text/plain; charset=utf-8", "application/octet-stream"] {
            let answer = try await served([UpstreamField("Content-Type", type)], bytes).answer
            #expect(answer.body == bytes && answer["Content-Type"] == type)
        }
    }

    @Test func `lines keep their names, their order and their repeats (pollyjs#190)`() async throws {
        let lines = ["Content-Type: application/json", "X-B: 1", "x-a: 2", "X-B: 3"]
        let fields = lines.map { line in
            let parts = line.split(separator: ": ").map(String.init)
            return UpstreamField(parts[0], parts[1])
        }
        let answer = try await served(fields, Array("1".utf8)).answer
        #expect(
            answer.all("X-B") == ["1", "3"] && answer["x-a"] == "2" && answer["Content-Type"] == "application/json")
    }

    @Test func `another order, date and id of a request change no file (cassetter#27, pollyjs#269, go-cloud#276)`()
        async throws
    {
        let directory = try TemporaryDirectory()
        func record(_ targets: [String], _ day: Int) async throws {
            try await directory.inSession { session in
                for target in targets {
                    let fields = [
                        Self.json, UpstreamField("Date", "Fri, \(day) Nov 2026 10:00:00 GMT"),
                        UpstreamField("X-Request-Id", "\(target)-\(day)"),
                    ]
                    try await session.record(
                        "GET", target, fields: [UpstreamField("X-Request-Id", "\(day)")],
                        Answer(fields: fields, body: Array("\"\(target)\"".utf8)))
                }
            }
        }
        let targets = ["/a", "/a?n=1", "/b"]
        try await record(targets, 20)
        let before = directory.snapshot()
        #expect(before.count >= 6)
        try await record(targets.reversed(), 27)
        #expect(directory.snapshot() == before)
    }
}
