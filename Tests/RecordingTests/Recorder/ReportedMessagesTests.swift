// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Reports of other recorders' users on messages that came back changed, in the place of others, or not at all.
@Suite(.supervised) struct ReportedMessagesTests {
    struct Message: Sendable {
        var method = "GET"
        var target = "/a"
        var fields: [UpstreamField] = []
        var body: [UInt8] = []
        var answer = Answer()
    }

    /// What is recorded, and what is asked then, with the number of the recorded message whose response it gets; nil for a miss.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var recorded: [Message]
        var asked: [(Message, Int?)]

        /// Each is recorded once, and asked in another order.
        static func told(_ name: String, _ recorded: [Message], unknown: [Message] = []) -> Case {
            let each = recorded.enumerated().map { ($1, Optional($0)) }
            return Case(
                testDescription: name, recorded: recorded,
                asked: each.reversed() + each + each + unknown.map { ($0, nil) })
        }

        /// They are asked in the order in which they were recorded, and the last once more.
        static func ordered(_ name: String, _ recorded: [Message]) -> Case {
            let each = recorded.enumerated().map { ($1, Optional($0)) }
            return Case(testDescription: name, recorded: recorded, asked: each + each.suffix(1))
        }
    }

    private static let json = UpstreamField("Content-Type", "application/json")
    private static let tokens = ["kR7tQ2mZ9pLw4xYvaK6bL9", "zB3nW8cJ5hGd6sTfaK7bL9"]

    private static func get(_ target: String, _ answer: Answer = .json("1"), _ fields: UpstreamField...) -> Message {
        Message(target: target, fields: fields, answer: answer)
    }

    private static func post(_ text: String, _ answer: Answer = .json("1")) -> Message {
        Message(method: "POST", fields: [json], body: Array(text.utf8), answer: answer)
    }

    private static func typed(_ type: String, _ answer: Answer = .json("1")) -> Message {
        Message(
            method: "POST", fields: [UpstreamField("Content-Type", type)], body: Array("1".utf8), answer: answer)
    }

    private static func bytes(_ type: String, _ bytes: [UInt8]) -> Answer {
        Answer(fields: [UpstreamField("Content-Type", type)], body: bytes)
    }

    /// A request with a file of a form, whose boundary clients make again each time.
    private static func upload(_ boundary: String, _ title: String, _ type: String, _ file: [UInt8]) -> Message {
        let start =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\(title)\r\n--\(boundary)\r\n"
        let head = "Content-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\nContent-Type: \(type)\r\n\r\n"
        return Message(
            method: "POST", fields: [UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)")],
            body: Array((start + head).utf8) + file + Array("\r\n--\(boundary)--\r\n".utf8), answer: .json("1"))
    }

    private static func packed(_ text: String, _ coding: String = "gzip") -> Message {
        let body = (try? Coded.bytes(Array(text.utf8), coding)).flatMap(\.self) ?? []
        return Message(
            method: "POST", fields: [json, UpstreamField("Content-Encoding", coding)], body: body, answer: .json("1"))
    }

    private static let wave =
        Array("RIFFF".utf8) + [0xF0, 0x1B, 0x00] + Array("WAVEfmt ".utf8)
        + (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    private static let gif = Array("GIF89a".utf8) + [0x12, 0x00, 0x12, 0x00, 0xB3, 0xFF, 0x00, 0x3B, 0x80, 0xFE]

    private static let cases: [Case] = [
        Case(
            testDescription: "a request that was recorded once is played as often as it comes (vcrpy#929)",
            recorded: [get("/a")], asked: Array(repeating: (get("/a"), 0), count: 3)),
        .ordered(
            "what is read, changed and read again (go-vcr#21, playwright#32272)",
            [
                get("/tasks/1", .json(#"{"done":false}"#)),
                Message(method: "PUT", target: "/tasks/1", fields: [json], body: Array("1".utf8), answer: .json("2")),
                get("/tasks/1", .json(#"{"done":true}"#)),
            ]),
        .ordered(
            "a request that is refused for its rate, and then is not (vcr#971)",
            [get("/l", .status(429, UpstreamField("Retry-After", "1"))), get("/l", .json("1"))]),
        .told(
            "several queries to one path (playwright#19948)",
            ["Tasks", "Users"].map { post(#"{"query":"query \#($0) { id }"}"#, .json("\"\($0)\"")) },
            unknown: [post(#"{"query":"query Teams { id }"}"#)]),
        Case(
            testDescription: "a token that the page makes again each time (playwright#21319)",
            recorded: [get("/t?access_token=\(tokens[0])&n=1")],
            asked: [(get("/t?access_token=\(tokens[1])&n=1"), 0), (get("/t?access_token=\(tokens[1])&n=2"), nil)]),
        .told(
            "two requests that differ in what looks like a clock (wiremock#2137)",
            [1, 2].map { post(#"{"foo":"bar","timestamp":\#($0)}"#, .json("\($0)")) },
            unknown: [post(#"{"foo":"bar","timestamp":3}"#)]),
        Case(
            testDescription: "files of a form with another boundary (betamaxpy#64, node-replay#144, go-vcr#140)",
            recorded: [upload("b1", "base", "audio/wav", wave)],
            asked: [
                (upload("b2--x", "base", "audio/wav", wave), 0), (upload("b2--x", "other", "audio/wav", wave), nil),
            ]),
        Case(
            testDescription: "packed content that is packed otherwise (pollyjs#442)",
            recorded: [packed(#"{"a":1,"b":2}"#)],
            asked: [
                (packed(#"{"b":2, "a":1}"#, "deflate"), 0), (packed(#"{"a":1,"b":2}"#), 0),
                (packed(#"{"a":1,"b":3}"#), nil),
            ]),
        .told(
            "content that is no text (vcrpy#656)",
            [
                Message(
                    method: "PUT", fields: [UpstreamField("Content-Type", "application/octet-stream")],
                    body: [0xFF, 0xFE, 0x00, 0x80], answer: .json("1"))
            ],
            unknown: [
                Message(
                    method: "PUT", fields: [UpstreamField("Content-Type", "application/octet-stream")],
                    body: [0xFF, 0xFE, 0x00, 0x81])
            ]),
        .told(
            "a path with spaces and a comma (pollyjs#145)",
            ["0-255", "256-511"].map {
                get(
                    "/fonts/Metropolis%20Regular,Noto%20Sans%20Regular/\($0).pbf",
                    bytes("application/x-protobuf", [0x0A, 0x80, 0x01, 0xFF] + Array($0.utf8)))
            }, unknown: [get("/fonts/Metropolis%20Regular/0-255.pbf")]),
        .told("a picture (pollyjs#346)", [get("/up.gif", bytes("image/gif", gif))]),
        .told(
            "an archive that is packed itself (pollyjs#278)",
            [
                get(
                    "/a.tar.gz",
                    bytes("application/octet-stream", (try? Coded.bytes(wave, "gzip")).flatMap(\.self) ?? []))
            ]),
        .told(
            "MessagePack (exvcr#121)", [get("/m", bytes("application/msgpack", [0x82, 0xA1, 0x61, 0x01, 0xC0, 0xFF]))]),
        .told("a refusal without content (ropensci/vcr#249)", [get("/status/401", .status(401))]),
        .told(
            "a sign-in behind a refusal (hoverfly#849)",
            [
                get("/x", .status(401, UpstreamField("WWW-Authenticate", "Basic realm=\"x at 15\""))),
                get("/x", .json("1"), UpstreamField("Authorization", "Basic YW5uOm9uZQ==")),
            ]),
        .told(
            "a redirect that sets a cookie, and the page behind it (mitmproxy#8139)",
            [
                get(
                    "/",
                    .status(302, UpstreamField("Location", "/"), UpstreamField("Set-Cookie", "consent=yes; Path=/"))),
                get("/", bytes("text/html", Array("<p>hello</p>".utf8)), UpstreamField("Cookie", "consent=yes")),
            ]),
        .told(
            "a leaf of the content that differs (notebooklm-py#1494)",
            [post(#"[["wXbhsf",[null,1,[2]]]]"#)],
            unknown: [post(#"[["wXbhsf",[null,1,[3]]]]"#), post(#"[["wXbhsf",[null,1,[]]]]"#)]),
        .told(
            "a wrong password behind the right one (vcr#425)",
            [
                post(#"{"user":"ann","password":"open sesame"}"#, .json("1")),
                post(#"{"user":"ann","password":"wrong"}"#, .status(401)),
            ]),
        .told(
            "credentials that are refused (scotch#4)",
            [
                get("/me", .json("1"), UpstreamField("Authorization", "Bearer \(tokens[0])")),
                get("/me", .status(401), UpstreamField("Authorization", "Bearer dodgy")),
            ]),
        Case(
            testDescription:
                "parameters in another order, and a newer client (azure-sdk-tools#2339, azure-sdk-tools#2178)",
            recorded: [
                get("/?restype=service&comp=properties", .json("1"), UpstreamField("x-ms-useragent", "a/12.1.2"))
            ],
            asked: [
                (get("/?comp=properties&restype=service", .json("1"), UpstreamField("x-ms-useragent", "a/12.2.0")), 0)
            ]),
        Case(
            testDescription: "a client that has another version in its cache (azure-sdk-tools#2674)",
            recorded: [get("/kv/1", .json("1", UpstreamField("ETag", "\"v2\"")))],
            asked: [(get("/kv/1", .json("1"), UpstreamField("If-None-Match", "\"v1\"")), 0)]),
        Case(
            testDescription: "a media type in the spelling of another client (azure-sdk-for-net#11569)",
            recorded: [typed("application/json; charset=utf-8", .json("1")), typed("text/plain", .json("2"))],
            asked: [
                (typed("application/json;charset=UTF-8"), 0), (typed("Application/Json; charset=\"utf-8\""), 0),
                (typed("Text/Plain"), 1), (typed("text/html"), nil),
            ]),
        Case(
            testDescription: "one response too few is no reason to ask the service (mitmproxy#8363, vcrpy#245)",
            recorded: [get("/p", .json("1")), get("/p", .json("2"))],
            asked: [(get("/p"), 0), (get("/p"), 1), (get("/p"), 1), (get("/q"), nil)]),
    ]

    private static func ask(_ message: Message, _ port: Int) async throws -> WireResponse {
        try await blocking {
            let client = try WireClient(port: port)
            var head = "\(message.method) \(message.target) HTTP/1.1\r\nHost: localhost\r\n"
            for field in message.fields { head += "\(field.name): \(field.value)\r\n" }
            if !message.body.isEmpty { head += "Content-Length: \(message.body.count)\r\n" }
            try client.send(Array("\(head)\r\n".utf8) + message.body)
            return try client.response(isHead: message.method == "HEAD")
        }
    }

    private static func record(_ messages: [Message], into directory: TemporaryDirectory) async throws {
        try await directory.inSession { session in
            for message in messages {
                let exchange = try message.answer.exchange(
                    message.method, message.target, fields: message.fields, body: message.body,
                    origin: "https://api.example.com", directory: directory.path)
                let outcome = await session.recorder.record(exchange)
                #expect(outcome.kind != .refused, "\(outcome)")
            }
        }
    }

    @Test(arguments: cases)
    func `each message has its own response, byte for byte`(it: Case) async throws {
        let directory = try TemporaryDirectory()
        try await Self.record(it.recorded, into: directory)
        try await Replay.of(directory) { replay in
            for (index, (message, number)) in it.asked.enumerated() {
                let answer = try await Self.ask(message, replay.port)
                guard let number else {
                    #expect(answer.status == 404, "\(index): \(answer.text)")
                    continue
                }
                let expected = it.recorded[number].answer
                #expect(answer.status == expected.status, "\(index): \(answer.text.prefix(200))")
                #expect(answer.body == expected.body, "\(index): \(answer.text.prefix(200))")
                let type = expected.fields.first { $0.name == "Content-Type" }?.value
                #expect(answer["Content-Type"] == type, "\(index)")
            }
        }
    }

    @Test func `the length that HEAD tells is that of the content, before and behind a GET (wiremock#1169, pywb#286)`()
        async throws
    {
        let length = UpstreamField("Content-Length", "300")
        let head = Message(method: "HEAD", answer: .status(200, UpstreamField("Content-Type", "audio/wav"), length))
        let get = Self.get("/a", Self.bytes("audio/wav", Array(Self.wave.prefix(300))))
        for recorded in [[head, get], [get, head]] {
            let directory = try TemporaryDirectory()
            try await Self.record(recorded, into: directory)
            try await Replay.of(directory) { replay in
                for message in recorded + recorded.reversed() {
                    let answer = try await Self.ask(message, replay.port)
                    #expect(answer["Content-Length"] == "300" && answer.body == message.answer.body)
                }
            }
        }
    }

    @Test func `each cookie comes, though one of them is a secret (betamaxpy#128, betamaxpy#42, Proxyman#213)`()
        async throws
    {
        let lines = ["k2=v2; Path=/", "sid=\(Self.tokens[0]); Path=/; HttpOnly", "k1=v1; Path=/"]
        let answer = Answer.json("1", lines.map { UpstreamField("Set-Cookie", $0) }[0])
        var message = Self.get("/cookies", answer)
        message.answer.fields += lines.dropFirst().map { UpstreamField("Set-Cookie", $0) }
        let directory = try TemporaryDirectory()
        try await Self.record([message], into: directory)
        for (path, bytes) in directory.snapshot() {
            #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.tokens[0]), "\(path)")
        }
        try await Replay.of(directory) { replay in
            let served = try await Self.ask(message, replay.port)
            let names = served.all("Set-Cookie").map { String($0.prefix { $0 != "=" }) }
            #expect(names == ["k2", "sid", "k1"])
        }
    }

    @Test func `packed text is kept as text (nock#457)`() async throws {
        let text = #"{"name":"ann","list":[1,2,3]}"#
        let coded = try #require(try Coded.bytes(Array(text.utf8), "gzip"))
        let fields = [
            Self.json, UpstreamField("Content-Encoding", "gzip"), UpstreamField("Transfer-Encoding", "chunked"),
        ]
        let directory = try TemporaryDirectory()
        try await Self.record([Self.get("/a", Answer(fields: fields, body: coded))], into: directory)
        #expect(directory.text("a.json") == text)
    }

    @Test
    func `a token is given to the next request, and its owner's name and password are on no disk (exvcr#167, vcr#201)`()
        async throws
    {
        let credentials = UpstreamField("Authorization", "Basic YW5uOm9wZW4gc2VzYW1l")
        let token = UpstreamField("Authorization", "Bearer \(Self.tokens[0])")
        let login = Self.get("/login", .json(#"{"access_token":"\#(Self.tokens[0])"}"#), credentials)
        let messages = [login, Self.get("/me", .json(#"{"name":"ann"}"#), token)]
        let directory = try TemporaryDirectory()
        try await Self.record(messages, into: directory)
        for (path, bytes) in directory.snapshot() {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!["YW5uOm9wZW4gc2VzYW1l", "open sesame", Self.tokens[0]].contains(where: text.contains), "\(path)")
        }
        try await Replay.of(directory) { replay in
            let given = try await Self.ask(login, replay.port).text.split(separator: "\"").map(String.init)
            var next = messages[1]
            next.fields = [UpstreamField("Authorization", "Bearer \(try #require(given.dropFirst(3).first))")]
            let answer = try await Self.ask(next, replay.port)
            #expect(answer.status == 200 && answer.text == #"{"name":"ann"}"#)
        }
    }
}
