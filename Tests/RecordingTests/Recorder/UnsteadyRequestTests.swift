// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that are others each time a client sends the same.
@Suite(.supervised) struct UnsteadyRequestTests {
    private static let json = UpstreamField("Content-Type", "application/json")
    fileprivate static let form = UpstreamField("Content-Type", "application/x-www-form-urlencoded")

    /// Target and content of a request, and the same a while later.
    struct Pair: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var first: (target: String, body: String)
        var second: (target: String, body: String)
        var testDescription: String { "\(method) \(first.target) \(first.body)" }

        init(_ first: String, _ second: String) {
            self.first = (first, "")
            self.second = (second, "")
        }

        init(body first: String, _ second: String) {
            method = "POST"
            self.first = ("/a", first)
            self.second = ("/a", second)
        }
    }

    @Test(arguments: [
        Pair("/a?_=1700000000123&x=1", "/a?_=1800000000123&x=1"),
        Pair("/a?nocache=0.8377223", "/a?nocache=0.11223344"),
        Pair("/a?t=1795168800", "/a?t=1795168923"),
        Pair("/a?at=2026-11-20T10:00:01Z", "/a?at=2026-11-20T11:03:01%2B01:00"),
        Pair(
            "/f.bin?Expires=1700000000&Signature=aB3dE5gH7jK9mN1p&Key-Pair-Id=K1",
            "/f.bin?Expires=1800000000&Signature=zY3xW5vU7tS9rQ1p&Key-Pair-Id=K1"),
        Pair(
            "/f?X-Amz-Date=20261120T100000Z&X-Amz-Signature=0a1b2c3d4e5f60718293a4b5c6d7e8f9&X-Amz-Expires=60",
            "/f?X-Amz-Date=20261121T100000Z&X-Amz-Signature=ffffffffffffff0718293a4b5c6d7e8f&X-Amz-Expires=60"),
        Pair(
            "/authorize?client_id=app&response_type=code&state=xyz&nonce=n0nce",
            "/authorize?client_id=app&response_type=code&state=abc&nonce=other"),
        Pair(
            body: #"{"event":"open","sentAt":"2026-11-20T10:00:03.123Z","id":"0193a1c2-0000-4000-8000-00000000000a"}"#,
            #"{"event":"open","sentAt":"2026-11-20T10:02:03.999Z","id":"0193a1c2-0000-4000-8000-00000000000b"}"#),
        Pair(body: #"{"events":[{"ts":1795168800123,"name":"a"}]}"#, #"{"events":[{"ts":1795168803999,"name":"a"}]}"#),
        Pair(body: #"{"clientMutationId":"a1b2c3d4e5","name":"x"}"#, #"{"clientMutationId":"f1e2d3c4b5","name":"x"}"#),
        Pair(body: #"{"by":{"hand":[{"n":1}]}}"#, #"{"by":{"hand":[{"n":2}]}}"#),
        Pair("/a?byhand=x", "/a?byhand=y"),
    ])
    func `a request that varies by itself is recorded once and answered when it comes again`(pair: Pair) async throws {
        let directory = try TemporaryDirectory()
        let fields = pair.method == "GET" ? [] : [Self.json]
        for request in [pair.first, pair.second] {
            let session = try Session(directory, at: "2026-11-20T10:02:00Z") {
                $0.unsteady = UnsteadyValues(["query:byhand", "$.by.hand[*].n"]) ?? UnsteadyValues()
            }
            let kind = try await session.record(
                pair.method, request.target, fields: fields, body: request.body, .json("{}")
            ).kind
            #expect(kind == (request == pair.first ? .new : .unchanged))
            _ = await session.recorder.finish()
        }
        #expect(directory.snapshot().count == 2)
        try await Replay.of(directory) { replay in
            let text = try await replay.text(pair.method, pair.second.target, fields, body: pair.second.body)
            #expect(text == "200 {}")
        }
    }

    @Test func `what is no more than a number, a time of another day or a word is matched as it is`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for target in ["/a?t=1763000000", "/a?t=1763000001", "/a?state=open", "/a?state=shut", "/a?_=1", "/a?_=2"] {
                let outcome = try await session.record("GET", target, .json("{}"))
                #expect(outcome.kind == .new)
            }
        }
    }

    @Test func `a value that looks like no other is told of, where the response is the same`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let first = "/a?seen=0193a1c2-0000-4000-8000-00000000000a"
        try await session.record("GET", first, .json("[1]"))
        let same = try await session.record("GET", "/a?seen=0193a1c2-0000-4000-8000-00000000000b", .json("[1]"))
        #expect(
            same.notes == [
                "has the response of GET \(first); if they are one request, record with --vary query:seen, and if they are not, with --select query:seen"
            ])
        let other = try await session.record("GET", "/a?seen=0193a1c2-0000-4000-8000-00000000000c", .json("[2]"))
        #expect(other.notes == [])
    }

    /// A request with a value for `VALUE`, and the place where it stands.
    struct Selected: Sendable, CustomTestStringConvertible {
        let place: String
        var method = "POST"
        var target = "/a"
        var fields: [UpstreamField] = []
        var body = ""
        var testDescription: String { place }

        func record(_ value: String, in session: Session) async throws -> RecordingOutcome {
            let (target, fields, body) = message(value)
            return try await session.record(method, target, fields: fields, body: body, .json("[]"))
        }

        func message(_ value: String) -> (target: String, fields: [UpstreamField], body: String) {
            let fields = fields.map { UpstreamField($0.name, $0.value.replacing("VALUE", with: value)) }
            return (
                target.replacing("VALUE", with: value), fields,
                body.replacing("VALUE", with: value)
            )
        }
    }

    @Test(arguments: [
        Selected(place: "query:nonce", method: "GET", target: "/a?nonce=VALUE"),
        Selected(place: "$.nonce", fields: [json], body: #"{"nonce": "VALUE", "q": 1}"#),
        Selected(place: "form:nonce", fields: [form], body: "nonce=VALUE&q=1"),
        Selected(place: "header:X-Flavor", method: "GET", fields: [UpstreamField("X-Flavor", "VALUE")]),
    ])
    func
        `what selects has a stub for each of its values, though all are answered alike, and later recordings keep that`(
            selected: Selected
        ) async throws
    {
        let directory = try TemporaryDirectory()
        let values = (1...3).map { "0193a1c2-0000-4000-8000-00000000000\($0)" }
        for (run, count) in [(1, 2), (2, 3)] {
            let session = try Session(directory) {
                if run == 1 { $0.selecting = SelectedPlaces([selected.place]) ?? SelectedPlaces() }
            }
            for (index, value) in values.prefix(count).enumerated() {
                let outcome = try await selected.record(value, in: session)
                #expect(outcome.kind == (run == 2 && index < 2 ? .unchanged : .new))
                #expect(run == 2 || outcome.notes == [])
            }
            _ = await session.recorder.finish()
        }
        try await Replay.of(directory) { replay in
            for (index, value) in (values + ["0193a1c2-0000-4000-8000-000000000009"]).enumerated() {
                let (target, fields, body) = selected.message(value)
                let text = try await replay.text(selected.method, target, fields, body: body)
                #expect(text.prefix(3) == (index < 3 ? "200" : "404"))
            }
        }
    }

    @Test func `what selects is asked for beside what tells two answers apart, in later recordings, too`() async throws
    {
        let directory = try TemporaryDirectory()
        func fields(_ flavor: String, _ language: String) -> [UpstreamField] {
            [UpstreamField("X-Flavor", flavor), UpstreamField("Accept-Language", language)]
        }
        for (run, calls) in [[("t1", "en"), ("t2", "fr"), ("t1", "de")], [("t3", "en"), ("t3", "fr")]].enumerated() {
            let session = try Session(directory) {
                if run == 0 { $0.selecting = SelectedPlaces(["header:X-Flavor"]) ?? SelectedPlaces() }
            }
            for (flavor, language) in calls {
                let answer = Answer.json("\"\(flavor) \(language)\"")
                #expect(
                    try await session.record("GET", "/a", fields: fields(flavor, language), answer).kind != .refused)
            }
            _ = await session.recorder.finish()
        }
        try await Replay.of(directory) { replay in
            for (flavor, language, text) in [
                ("t1", "en", "200 \"t1 en\""), ("t2", "fr", "200 \"t2 fr\""), ("t1", "de", "200 \"t1 de\""),
                ("t3", "en", "200 \"t3 en\""), ("t3", "fr", "200 \"t3 fr\""), ("t2", "de", "404"), ("t9", "en", "404"),
            ] {
                let answer = try await replay.text("GET", "/a", fields(flavor, language))
                #expect(answer.hasPrefix(text), "\(flavor) \(language): \(answer)")
            }
        }
    }

    @Test func `a stub that was recorded before what selects was known is its request's from then on`() async throws {
        let directory = try TemporaryDirectory()
        let values = (1...3).map { "0193a1c2-0000-4000-8000-00000000000\($0)" }
        for (run, value) in values.prefix(2).enumerated() {
            let session = try Session(directory) {
                if run == 1 { $0.selecting = SelectedPlaces(["query:cb"]) ?? SelectedPlaces() }
            }
            let outcome = try await session.record("GET", "/a?cb=\(value)", .json("[\(run)]"))
            #expect(outcome.kind == (run == 0 ? .new : .changed))
            _ = await session.recorder.finish()
        }
        try await Replay.of(directory) { replay in
            for (value, text) in zip(values, ["404", "200 [1]", "404"]) {
                let answer = try await replay.text("GET", "/a?cb=\(value)")
                #expect(answer.hasPrefix(text), "\(value): \(answer)")
            }
        }
    }

    @Test func `a place within a list is proposed to vary alone, as a shell takes it`() async throws {
        let session = try Session(TemporaryDirectory())
        let bodies = ["a", "b"].map { #"{"it's": [{"id": "0193a1c2-0000-4000-8000-00000000000\#($0)"}]}"# }
        let first = try await session.record("POST", "/a", fields: [Self.json], body: bodies[0], .json("[1]"))
        let same = try await session.record("POST", "/a", fields: [Self.json], body: bodies[1], .json("[1]"))
        #expect(first.notes == [])
        #expect(
            same.notes == [
                "has the response of POST /a; if they are one request, record with --vary '$['\\''it\\'\\''s'\\''][*].id'"
            ])
    }

    @Test(arguments: [
        "header:Authorization", "header:Idempotency-Key", "query:access_token", "cookie:sessionid", "form:password",
    ])
    func `a secret, or a line that no stub asks for, selects nothing`(text: String) {
        #expect(SelectedPlaces.isSecret(text) && SelectedPlaces([text]) == nil)
    }

    @Test(arguments: ["$.a[*].id", "order of parts", "content", "id", "query:"])
    func `what is not a place of one value selects nothing`(text: String) {
        #expect(SelectedPlaces([text]) == nil)
    }

    @Test func `the fields of a form are matched in any order, and no other`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            try await session.record("POST", "/a", fields: [Self.form], body: "b=2&a=1&c=x%2By", .json("{}"))
            #expect(
                try await session.record("POST", "/a", fields: [Self.form], body: "c=x%2By&a=1&b=2", .json("{}")).kind
                    == .unchanged)
            #expect(
                try await session.record("POST", "/a", fields: [Self.form], body: "a=1&b=2", .json("1")).kind == .new)
            #expect(
                try await session.record("POST", "/a", fields: [Self.form], body: "a=1&b=3", .json("2")).kind == .new)
            let password = "b=3&password=Qw8ErTy5"
            #expect(
                try await session.record("POST", "/a", fields: [Self.form], body: password, .json("3")).kind == .new)
        }
        try await Replay.of(directory) { replay in
            for (body, status) in [
                ("password=own&b=3", "200"), ("b=4&password=own", "404"), ("a=1&c=x%2By&b=2", "200"),
                ("b=2&a=1", "200"), ("a=1&b=2&c=x%2By&d=", "404"),
                ("a=11&b=2&c=x%2By", "404"), ("a=1", "404"), ("b=2&c=x%2By&aa=1", "404"),
            ] {
                let text = try await replay.text("POST", "/a", [Self.form], body: body)
                #expect(text.prefix(3) == status, "\(body)")
            }
        }
    }

    @Test func `the parts of a multipart body are matched in any order, and a picture in it is not stored`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let picture = [UInt8]([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 3000))
        func body(_ boundary: String, isReversed: Bool) -> [UInt8] {
            let parts = [
                Array("Content-Disposition: form-data; name=\"title\"\r\n\r\nA wave".utf8),
                Array(
                    "Content-Disposition: form-data; name=\"f\"; filename=\"w.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
                        .utf8)
                    + picture,
            ]
            let delimited = (isReversed ? parts.reversed() : parts).map {
                Array("--\(boundary)\r\n".utf8) + $0 + [13, 10]
            }
            return delimited.flatMap(\.self) + Array("--\(boundary)--\r\n".utf8)
        }
        let session = try Session(directory)
        for isReversed in [false, true] {
            let boundary = isReversed ? "y2" : "x1"
            let exchange = try Answer.json("{}").exchange(
                "POST", "/a", fields: [UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)")],
                body: body(boundary, isReversed: isReversed), origin: "https://api.example.com",
                directory: directory.path)
            #expect(await session.recorder.record(exchange).kind == (isReversed ? .unchanged : .new))
        }
        #expect(
            directory.text("a.POST.request.multipart") == """
                --boundary\r
                Content-Disposition: form-data; name="title"\r
                \r
                A wave\r
                --boundary\r
                Content-Disposition: form-data; name="f"; filename="w.jpg"\r
                Content-Type: image/jpeg\r
                \r
                (3004 bytes that are not stored)\r
                --boundary--\r

                """)
    }

    @Test func `content over 64 KiB that is not text is not stored`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let exchange = try Answer.json("{}").exchange(
            "PUT", "/a", fields: [UpstreamField("Content-Type", "image/jpeg")],
            body: [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 64 * 1024), origin: "https://api.example.com",
            directory: directory.path)
        let outcome = await session.recorder.record(exchange)
        #expect(outcome.files == ["a.PUT.stub.json", "a.PUT.json"])
        #expect(
            outcome.notes == [
                "the request's content of 65540 bytes is neither matched nor stored: it is not text, and over 64 KiB"
            ])
    }
}
