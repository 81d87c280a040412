// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that were answered otherwise are one stub only where nothing in them differed.
@Suite(.supervised) struct ContrastTests {
    struct Call: Sendable {
        var method = "GET"
        var target = "/a"
        var fields: [String] = []
        var body = ""
        var answer: String
        var vary = ""

        var lines: [UpstreamField] {
            fields.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return UpstreamField(parts[0], String(parts[1].drop { $0 == " " }))
            }
        }
    }

    /// Calls by what they show, in the words of a test's name.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var calls: [Call]

        init(_ name: String, _ calls: [Call]) {
            testDescription = name
            self.calls = calls
        }
    }

    private func record(_ calls: [Call], into directory: TemporaryDirectory) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for call in calls {
                var answer = Answer.json(call.answer)
                if !call.vary.isEmpty { answer.fields.append(UpstreamField("Vary", call.vary)) }
                outcomes.append(
                    try await session.record(call.method, call.target, fields: call.lines, body: call.body, answer))
            }
            return outcomes
        }
    }

    private static func versions(_ line: String, _ values: [String], vary: String = "") -> [Call] {
        values.map { Call(fields: $0.isEmpty ? [] : ["\(line): \($0)"], answer: "\"\($0)\"", vary: vary) }
    }

    private static let json = "Content-Type: application/json"
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private static let cases: [Case] = [
        Case("the version of an interface", versions("Stripe-Version", ["2020", "2024"])),
        Case("another version", versions("Notion-Version", ["2022-06-28", "2025-09-03"])),
        Case("an account", versions("X-Tenant-Id", ["acme", "globex", ""])),
        Case("a line that Vary names", versions("HX-Request", ["", "true"], vary: "HX-Request")),
        Case("a form without Vary", versions("Accept", ["text/html", "application/json"])),
        Case("a line that nobody knows", versions("X-Colour", ["red", "green", "red", ""])),
        Case("a protocol", versions("Git-Protocol", ["version=2", ""])),
        Case(
            "an operation",
            ["ListTables", "DescribeLimits"].map {
                Call(
                    method: "POST", target: "/", fields: [json, "X-Amz-Target: DynamoDB_20120810.\($0)"], body: "{}",
                    answer: "\"\($0)\"")
            }),
        Case(
            "a type without content",
            [[form], []].map { Call(method: "POST", fields: $0, answer: "[\($0.count)]") }),
        Case(
            "the condition of a write",
            ["\"1\"", "\"2\""].map {
                Call(method: "PUT", fields: [json, "If-Match: \($0)"], body: "{}", answer: "[\($0)]")
            }),
        Case(
            "a depth", ["0", "1"].map { Call(method: "PROPFIND", fields: ["Depth: \($0)"], answer: "\"\($0)\"") }),
        Case(
            "a cookie that is no session's",
            ["dark", "light"].map { Call(fields: ["Cookie: theme=\($0); lang=de"], answer: "\"\($0)\"") }),
        Case(
            "one answer for two of three",
            zip(["a", "b", "c"], ["1", "1", "2"]).map { Call(fields: ["X-Colour: \($0)"], answer: $1) }),
        Case(
            "the other of two lines",
            [("a", "1", "x"), ("b", "1", "x"), ("c", "2", "y")].map {
                Call(fields: ["X-Try: \($0.0)", "X-Colour: \($0.1)"], answer: "\"\($0.2)\"")
            }),
        Case(
            "two lines together",
            [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")].map {
                Call(fields: ["X-Size: \($0.0)", "X-Colour: \($0.1)"], answer: "\"\($0.0)\($0.1)\"")
            }),
        Case(
            "an id of the query that looks as if it were made again each time",
            ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7a3ce929d0e0e4736"].map {
                Call(target: "/a?traceId=\($0)", answer: "\"\($0.prefix(4))\"")
            }),
        Case(
            "a time that is the page",
            ["2026-11-20T09:59:00Z", "2026-11-20T09:58:00Z"].map {
                Call(target: "/a?before=\($0)", answer: "\"\($0)\"")
            }),
        Case(
            "the order of a parameter's values",
            ["loc=1,1&loc=2,2", "loc=2,2&loc=1,1"].map { Call(target: "/a?\($0)", answer: "\"\($0)\"") }),
        Case(
            "the order of a field's values",
            ["i%5B%5D=1&i%5B%5D=2&x=1", "i%5B%5D=2&i%5B%5D=1&x=1"].map {
                Call(method: "POST", fields: [form], body: $0, answer: "\"\($0.prefix(9))\"")
            }),
        Case(
            "an id in JSON",
            ["a1b2c3d4e5f6", "b1b2c3d4e5f6"].map {
                Call(method: "POST", fields: [json], body: "{\"messageId\":\"\($0)\"}", answer: "\"\($0)\"")
            }),
        Case(
            "times within a list",
            ["1795168800123", "1795168801123"].map {
                Call(method: "POST", fields: [json], body: "{\"range\":[{\"from\":\($0)}]}", answer: "\"\($0)\"")
            }),
        Case(
            "a field of a form",
            ["123456789012", "223456789012"].map {
                Call(method: "POST", fields: [form], body: "requestId=\($0)&b=1", answer: "\"\($0)\"")
            }),
        Case(
            "a part whose lines end with LF alone",
            ["1", "2"].map {
                Call(
                    method: "POST", fields: ["Content-Type: multipart/form-data; boundary=b"],
                    body: "--b\nContent-Disposition: form-data; name=\"f\"\n\n\($0)\n--b--\n", answer: "\"\($0)\"")
            }),
        Case(
            "a part whose header line has no colon",
            ["1", "2"].map {
                Call(
                    method: "POST", fields: ["Content-Type: multipart/form-data; boundary=b"],
                    body: "--b\r\nContent-Disposition form-data\r\n\r\n\($0)\r\n--b--\r\n", answer: "\"\($0)\"")
            }),
        Case(
            "the order of parts",
            ["ab", "ba"].map { order in
                let parts = order.map { "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n1\r\n" }
                return Call(
                    method: "POST", fields: ["Content-Type: multipart/form-data; boundary=b"],
                    body: parts.joined() + "--b--\r\n", answer: "\"\(order)\"")
            }),
    ]

    @Test(arguments: cases)
    func `each request gets its own response in any order, and recorded again no byte changes`(it: Case) async throws {
        let directory = try TemporaryDirectory()
        _ = try await record(it.calls, into: directory)
        let texts = directory.visible().filter { $0.hasSuffix(".stub.json") }.map { directory.text($0) }
        try await Replay.of(directory) { replay in
            for call in it.calls.reversed() + it.calls {
                let text = try await replay.text(call.method, call.target, call.lines, body: call.body)
                #expect(text == "200 \(call.answer)", "\(texts.joined())")
            }
        }
        let before = directory.snapshot()
        for calls in [it.calls, it.calls.reversed(), it.calls + it.calls] {
            let again = try await record(calls, into: directory)
            #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
            #expect(directory.snapshot() == before)
        }
        let other = try TemporaryDirectory()
        _ = try await record(it.calls.reversed(), into: other)
        #expect(other.visible() == directory.visible())
        #expect(other.snapshot() == before)
    }

    @Test(arguments: [false, true])
    func `content that is matched by its head or not at all tells requests apart by its bytes`(isPart: Bool)
        async throws
    {
        let directory = try TemporaryDirectory()
        let pictures = (1...3).map { [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8($0), count: 2_000_000) }
        func content(_ picture: [UInt8]) -> [UInt8] {
            if !isPart { return picture }
            let head =
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"w.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
            return Array(head.utf8) + picture + Array("\r\n--b--\r\n".utf8)
        }
        let type = isPart ? "multipart/form-data; boundary=b" : "image/jpeg"
        let fields = [UpstreamField("Content-Type", type)]
        func record() async throws -> [RecordingOutcome.Kind] {
            try await directory.inSession { session in
                var kinds: [RecordingOutcome.Kind] = []
                for number in 0..<2 {
                    let exchange = try Answer.json("\(number)").exchange(
                        "POST", "/see", fields: fields, body: content(pictures[number]),
                        origin: "https://api.example.com", directory: directory.path)
                    kinds.append(await session.recorder.record(exchange).kind)
                }
                return kinds
            }
        }
        #expect(try await record() == [.new, .new])
        try await Replay.of(directory) { replay in
            for (number, expected) in [(1, "200 1"), (0, "200 0"), (2, "404")] {
                let bytes = content(pictures[number])
                let answer = try await blocking { [port = replay.port] in
                    let client = try WireClient(port: port)
                    let head =
                        "POST /see HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n\r\n"
                    try client.send(Array(head.utf8) + bytes)
                    return try client.response()
                }
                #expect("\(answer.status) \(answer.text)".hasPrefix(expected))
            }
        }
        let before = directory.snapshot()
        #expect(try await record() == [.unchanged, .unchanged])
        #expect(directory.snapshot() == before)
    }

    @Test func `what tells requests apart is told in one line, and stands in both stubs`() async throws {
        let directory = try TemporaryDirectory()
        let outcomes = try await record(Self.versions("X-Colour", ["red", "green"]), into: directory)
        #expect(outcomes[0].notes == [])
        #expect(
            outcomes[1].notes == [
                "answered otherwise than a request that differs in X-Colour: each stub asks for its own"
            ])
        let stubs = try directory.visible().filter { $0.hasSuffix(".stub.json") }
            .map { try JSONParser.parse(directory.bytes($0)) }
        #expect(
            stubs.map { $0["recorded"]?["by"]?.array?.map(\.string) } == [["header:x-colour"], ["header:x-colour"]])
        #expect(stubs[0]["recorded"]?["base"]?.string == stubs[1]["recorded"]?["base"]?.string)
        try await Replay.of(directory) { replay in
            let text = try await replay.text("GET", "/a", [UpstreamField("X-Colour", "blue")])
            #expect(text.hasPrefix("404"))
        }
    }

    @Test func `a line that made no difference stays out, and a lone answer with Vary is for everybody`() async throws {
        let directory = try TemporaryDirectory()
        let outcomes = try await record(
            ["image/avif,*/*", "image/webp,*/*"].map { Call(fields: ["Accept: \($0)"], answer: "1", vary: "Accept") },
            into: directory)
        #expect(outcomes.map(\.kind) == [.new, .unchanged])
        #expect(try JSONParser.parse(directory.bytes("a.stub.json"))["request"]?["headers"] == nil)
    }

    @Test func `ids and times of single requests decide nothing apart: their responses are a sequence`() async throws {
        let directory = try TemporaryDirectory()
        let lines = ["X-Request-Id", "traceparent", "X-Amz-Date", "Idempotency-Key", "X-B3-TraceId", "Date"]
        let calls = (1...3).map { number in
            Call(fields: lines.map { "\($0): \(number)" }, answer: "\(number)")
        }
        #expect(try await record(calls, into: directory).map(\.kind) == [.new, .changed, .changed])
        #expect(try JSONParser.parse(directory.bytes("a.stub.json"))["responses"]?.array?.count == 3)
    }

    @Test func `a request of a later session is told from what was recorded by what names its version`() async throws {
        let directory = try TemporaryDirectory()
        for version in ["text/html", "text/csv"] {
            _ = try await record([Call(fields: ["Accept: \(version)"], answer: "\"\(version)\"")], into: directory)
        }
        try await Replay.of(directory) { replay in
            for version in ["text/html", "text/csv"] {
                let text = try await replay.text("GET", "/a", [UpstreamField("Accept", version)])
                #expect(text == "200 \"\(version)\"")
            }
        }
    }

    @Test func `a stub that an earlier recording wrote for what Vary names is found, and stays as it is`() async throws
    {
        let directory = try TemporaryDirectory()
        let calls = ["de", "en"].map {
            Call(fields: ["Accept-Language: \($0)"], answer: "\"\($0)\"", vary: "Accept-Language")
        }
        _ = try await record(calls, into: directory)
        for path in directory.visible() where path.hasSuffix(".stub.json") {
            let lines = directory.text(path).split(separator: "\n", omittingEmptySubsequences: false)
            let old = lines.filter { !$0.contains("\"base\"") && !$0.contains("\"by\"") }.joined(separator: "\n")
            try directory.write(path, old)
        }
        let before = directory.snapshot()
        #expect(try await record(calls.reversed(), into: directory).map(\.kind) == [.unchanged, .unchanged])
        #expect(directory.snapshot() == before)
    }

    @Test func `a repeated request before the other one keeps its own sequence`() async throws {
        let directory = try TemporaryDirectory()
        let calls = [("red", "1"), ("red", "1"), ("green", "1"), ("red", "2"), ("green", "3")].map {
            Call(fields: ["X-Colour: \($0.0)"], answer: $0.1)
        }
        _ = try await record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for (colour, answer) in [("green", "1"), ("green", "3"), ("red", "1"), ("red", "1"), ("red", "2")] {
                let text = try await replay.text("GET", "/a", [UpstreamField("X-Colour", colour)])
                #expect(text == "200 \(answer)")
            }
        }
        let before = directory.snapshot()
        #expect(try await record(calls, into: directory).allSatisfy { $0.kind == .unchanged })
        #expect(directory.snapshot() == before)
    }

    @Test func `answers that an earlier recording took for a sequence become those of their requests`() async throws {
        let directory = try TemporaryDirectory()
        let old = ["1", "2"].map { Call(fields: ["X-Request-Id: \($0)"], answer: $0) }
        _ = try await record(old, into: directory)
        #expect(try JSONParser.parse(directory.bytes("a.stub.json"))["responses"]?.array?.count == 2)
        let calls = [("red", "1"), ("green", "2")].map { Call(fields: ["X-Colour: \($0.0)"], answer: $0.1) }
        _ = try await record(calls, into: directory)
        #expect(directory.visible().count == 4)
        try await Replay.of(directory) { replay in
            for (colour, answer) in [("green", "2"), ("red", "1"), ("green", "2"), ("red", "1")] {
                let text = try await replay.text("GET", "/a", [UpstreamField("X-Colour", colour)])
                #expect(text == "200 \(answer)")
            }
        }
    }

    @Test func `what differs in a secret alone is a sequence, and that is told`() async throws {
        let directory = try TemporaryDirectory()
        let calls = ["kR7tQ2mZ9pLw4xYv", "zB3nW8cJ5hGd6sTf"].map {
            Call(fields: ["X-Blob: Bearer \($0)aK7bL9"], answer: "\"\($0.prefix(2))\"")
        }
        let outcomes = try await record(calls, into: directory)
        #expect(
            outcomes.map(\.notes.last) == [
                nil,
                "warning: answered otherwise than a request that differs in a secret alone: they are steps of one sequence",
            ])
        for path in directory.visible() {
            #expect(!directory.text(path).contains("mZ9pLw4") && !directory.text(path).contains("cJ5hGd6"))
        }
    }
}
