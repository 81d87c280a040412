// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Situations that users of other recorders have reported: what was recorded is served, and nothing else is.
@Suite(.supervised) struct ReportedRecordingTests {
    struct Call: Sendable {
        var method = "GET"
        var target = "/a"
        var fields: [String] = []
        var body: [UInt8] = []
        var answer = Response()

        init(
            _ method: String = "GET", _ target: String = "/a", _ fields: [String] = [], text body: String = "",
            bytes: [UInt8] = [], _ answer: Response = Response()
        ) {
            self.method = method
            self.target = target
            self.fields = fields
            self.body = body.isEmpty ? bytes : Array(body.utf8)
            self.answer = answer
        }

        init(
            _ method: String = "GET", _ target: String = "/a", _ fields: [String] = [], text: String = "",
            _ answer: String
        ) {
            self.init(method, target, fields, text: text, Response(["Content-Type: text/plain"], Array(answer.utf8)))
        }
    }

    struct Response: Sendable {
        var status = 200
        var fields: [String] = []
        var body: [UInt8] = []

        init(_ status: Int = 200, _ fields: [String] = [], _ body: [UInt8] = []) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }

        init(_ fields: [String], _ body: [UInt8]) { self.init(200, fields, body) }
    }

    /// What is recorded, and what is asked then, with what each is answered: its status and its content.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var recorded: [Call]
        var asked: [(Call, String)]

        init(_ name: String, _ recorded: [Call], _ asked: [(Call, String)]) {
            (testDescription, self.recorded, self.asked) = (name, recorded, asked)
        }
    }

    static let json = "Content-Type: application/json"
    static let xml = "Content-Type: text/xml"
    private static let miss = "404"

    private static func parts(_ boundary: String, _ value: String) -> Call {
        Call(
            "POST", "/up", ["Content-Type: multipart/form-data; boundary=\(boundary)"],
            text: "--\(boundary)\r\nContent-Disposition: form-data; name=\"nc\"\r\n\r\n\(value)\r\n--\(boundary)--\r\n",
            "up \(value)")
    }

    private static func related(_ boundary: String, _ value: String) -> Call {
        Call(
            "POST", "/soap",
            ["SOAPAction: \"\"", "Content-Type: multipart/related; type=\"text/xml\"; boundary=\"\(boundary)\""],
            text:
                "--\(boundary)\r\nContent-Type: text/xml\r\nContent-ID: <root>\r\n\r\n<a>\(value)</a>\r\n--\(boundary)\r\nContent-Type: text/xml\r\nContent-ID: <data>\r\n\r\n<b/>\r\n--\(boundary)--\r\n",
            "soap \(value)")
    }

    private static func serialized(_ value: UInt8) -> Call {
        Call(
            "POST", "/invoke", ["Content-Type: application/x-java-serialized-object"],
            bytes: [0xAC, 0xED, 0x00, 0x05, 0x73, 0x72, 0x00, value, 0xFF, 0xFE],
            Response(["Content-Type: application/x-java-serialized-object"], [0xAC, 0xED, 0x00, 0x05, value]))
    }

    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    /// As a response is compared: its status and content.
    static func text(_ answer: Response) -> String {
        "\(answer.status) \(Base64.text(of: answer.body))"
    }

    private static let cases: [Case] = {
        let a = Call(text: "", "1")
        let attributes = [#"{"attr1":"value1","attr2":"value2"}"#, #"{"attr1":"value1"}"#].map {
            Call("POST", "/attributes", [json], text: $0, $0)
        }
        let writes = ["POST", "PUT", "GET"].map {
            Call($0, "/thing", $0 == "GET" ? [] : [json], text: $0 == "GET" ? "" : "{}", $0)
        }
        let invoices = ["list", "get"].map {
            Call("POST", "/api", [xml], text: "<request method=\"invoice.\($0)\"/>", $0)
        }
        let archive = Call("GET", "/file.gz", [], Response(["Content-Type: application/x-gzip"], gzip))
        let stamp = { (text: String) in Call("GET", "/check?timestamp=\(text)", [], text: "", "checked") }
        let uploads = ["A", "B"].map { (byte: String) in
            Call("PUT", "/part\(byte)", text: String(repeating: byte, count: 5_000), byte)
        }
        let token = { (text: String) in Call("GET", "/me", ["Authorization: Bearer \(text)"], text: "", "me") }
        let polls = ["in progress", "in progress", "complete"].map { Call("GET", "/export", text: "", $0) }
        func own(_ calls: [Call]) -> [(Call, String)] { calls.map { ($0, text($0.answer)) } }
        return [
            Case(
                "a request that is missed changes nothing for others", [a],
                own([a]) + [(Call("GET", "/b"), miss)] + own([a])),
            Case("a request that was recorded once is answered as often as it comes", [a], own([a, a, a])),
            Case(
                "a second body that is a part of the first is another request", attributes,
                own(attributes.reversed() + attributes)),
            Case(
                "a first body that is a part of the second is another request", attributes.reversed(), own(attributes)),
            Case(
                "a changed body is a miss", [attributes[1]],
                own([attributes[1]]) + [(Call("POST", "/attributes", [json], text: #"{"attr1":"value2"}"#), miss)]),
            Case("to create and to update are two requests", writes, own(writes.reversed())),
            Case("one address for all operations, in XML", invoices, own(invoices.reversed() + invoices)),
            Case("an archive that no coding made stays as it is", [archive], own([archive])),
            Case(
                "serialized objects are told apart by their bytes", [serialized(1), serialized(2)],
                own([serialized(2), serialized(1)]) + [(serialized(3), miss)]),
            Case("uploads of equal bytes", uploads, own(uploads.reversed())),
            Case("polling is a sequence that ends", polls, own(polls) + own([polls[2]])),
            Case(
                "a form with another boundary is the same, and with another value it is not",
                [parts("b1", "1"), parts("b2", "2")],
                own([parts("b3", "2"), parts("b4", "1")]) + [(parts("b1", "3"), miss)]),
            Case(
                "parts without a name", [related("uuid:1", "1"), related("uuid:2", "2")],
                own([related("uuid:3", "2"), related("uuid:4", "1")]) + [(related("uuid:1", "3"), miss)]),
            Case(
                "the time of a client's clock", [stamp("1795168800123")],
                [(stamp("1826704800123"), text(stamp("").answer))]),
            Case(
                "another token than the recorded one", [token("kR7tQ2mZ9pLw4xYvaK6bL9")],
                [(token("zB3nW8cJ5hGd6sTfaK7bL9"), text(token("").answer))]),
        ]
    }()

    @Test(arguments: cases + distinctions)
    func `what was recorded is served as it came, and what was not is missed`(it: Case) async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for call in it.recorded {
                let answer = Answer(
                    status: call.answer.status, fields: call.answer.fields.map(Self.field), body: call.answer.body)
                let outcome = await session.recorder.record(
                    try answer.exchange(
                        call.method, call.target, fields: call.fields.map(Self.field), body: call.body,
                        origin: "https://api.example.com", directory: directory.path))
                #expect(outcome.kind != .refused, "\(outcome)")
            }
        }
        try await Replay.of(directory) { replay in
            let wrong = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                return try it.asked.enumerated().compactMap { index, asked in
                    let (call, expected) = asked
                    var head = "\(call.method) \(call.target) HTTP/1.1\r\nHost: localhost\r\n"
                    for field in call.fields { head += "\(field)\r\n" }
                    try client.send(Array("\(head)Content-Length: \(call.body.count)\r\n\r\n".utf8) + call.body)
                    let answer = try client.response()
                    let got = "\(answer.status) \(Base64.text(of: answer.body))"
                    let isRight = expected == Self.miss ? answer.status == 404 : got == expected
                    return isRight ? nil : "\(index): \(got), not \(expected)"
                }
            }
            #expect(wrong == [])
        }
    }

    @Test func `cookies of one answer stay as many lines, though one holds a secret`() async throws {
        let directory = try TemporaryDirectory()
        var answer = Answer.json("1")
        let expires = "Expires=Thu, 23-Mar-2034 18:01:20 GMT"
        answer.fields += ["JSESSIONID=5lQD1rAmX7dS6wfxi8sGG7v4; Path=/eukw", "theme=dark; \(expires); Path=/"].map {
            UpstreamField("Set-Cookie", $0)
        }
        try await directory.record("GET", "/a", answer)
        try await Replay.of(directory) { replay in
            let cookies = try await replay.answer("GET", "/a").all("Set-Cookie")
            #expect(cookies.first == "JSESSIONID=redacted.cookie.JSESSIONID; Path=/eukw")
            // Its end is as far away as it was.
            #expect(cookies.count == 2 && cookies[1].hasPrefix("theme=dark; Expires="))
        }
    }

    @Test func `a response to HEAD says the length of what it leaves out`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record(
            "HEAD", "/book.epub",
            Answer(fields: [
                UpstreamField("Content-Type", "application/epub+zip"), UpstreamField("Content-Length", "1488324"),
            ]))
        try await Replay.of(directory) { replay in
            let answer = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                try client.send("HEAD /book.epub HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return try client.response(isHead: true)
            }
            #expect(answer.status == 200 && answer["Content-Length"] == "1488324")
        }
    }

    private static func field(_ line: String) -> UpstreamField {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        return UpstreamField(parts[0], String(parts[1].drop { $0 == " " }))
    }
}
