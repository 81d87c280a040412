// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What a volatile mark forgives, and when there is none any more.
@Suite(.supervised) struct VolatileMarkTests {
    private func marks(_ directory: TemporaryDirectory) throws -> [String] {
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        return (stub["recorded"]?["volatile"]?.array ?? []).map {
            "\($0["path"]?.string ?? "") \($0["kind"]?.string ?? "")"
        }
    }

    private static func text(_ text: String, _ type: String = "text/html") -> Answer {
        Answer(fields: [UpstreamField("Content-Type", type)], body: Array(text.utf8))
    }

    @Test(arguments: [
        (#"{"at": null}"#, "1 value changed (at)"), (#"{"at": {"s": 1}}"#, "1 value changed (at)"),
        ("{}", "1 value removed (at)"), (#"{"at": 7}"#, "1 value changed (at)"),
        (#"{"at": "soon"}"#, "1 value changed (at)"),
    ])
    func `a mark forgives a value and neither null, another type, another form nor its absence`(
        text: String, note: String
    ) async throws {
        let directory = try TemporaryDirectory()
        try await directory.record(
            "GET", "/a", .json(#"{"at": "2026-11-20T10:00:00Z"}"#),
            samples: [.json(#"{"at": "2026-11-20T10:00:01Z"}"#)])
        #expect(try marks(directory) == ["$.at timestamp"])
        #expect(try await directory.record("GET", "/a", .json(#"{"at": "2027-01-01"}"#)).kind == .unchanged)
        let outcome = try await directory.record("GET", "/a", .json(text))
        #expect(outcome.kind == .changed && outcome.notes == [note], "\(outcome)")
        #expect(directory.text("a.json") == text)
    }

    @Test(arguments: [
        (#"{"items": null}"#, "1 value changed (items)"), ("{}", "1 value removed (items)"),
        (#"{"items": "none"}"#, "1 value changed (items)"),
        (#"{"items": [{"id": "3"}]}"#, "1 value changed (id)"),
        (#"{"items": [{"number": 3}]}"#, "1 value added (number) / 1 value removed (id)"),
        (#"{"items": [{"id": 3}, {"name": "x"}]}"#, "1 value removed (id)"),
        (#"{"items": [{"id": 3, "tags": [{"t": 1}]}]}"#, "1 value changed (tags)"),
        (#"{"items": [{"id": null}]}"#, "1 value changed (id)"),
    ])
    func `a mark of a list forgives other elements of the shape that those before have together`(
        text: String, notes: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let items = #"{"items": [{"id": 1, "name": "a"}, {"id": 2, "tags": ["x"]}]}"#
        try await directory.record("GET", "/a", .json(items), samples: [.json(#"{"items": [{"id": 2}]}"#)])
        #expect(try marks(directory) == ["$.items list"])
        for like in [
            #"{"items": []}"#, #"{"items": [{"id": 9, "name": "z", "tags": []}]}"#, #"{"items": [{"id": 1.5}]}"#,
        ] {
            #expect(try await directory.record("GET", "/a", .json(like)).kind == .unchanged)
        }
        let outcome = try await directory.record("GET", "/a", .json(text))
        #expect(outcome.kind == .changed && outcome.notes.joined(separator: " / ") == notes, "\(outcome)")
    }

    @Test(arguments: [
        (
            "<!doctype html><html><head><title>A</title></head><body class=\"x\"><p>NONCE</p><a href=\"/\">b</a></body></html>",
            "text/html", "<html><body><h1>DOWN FOR MAINTENANCE</h1></body></html>"
        ),
        ("<rss version=\"2.0\"><item><at>NONCE</at></item></rss>", "application/xml", "DOWN FOR MAINTENANCE"),
        ("id,name,at\n1,Ann,NONCE\n2,Bea,x\n", "text/csv", "upstream connect error, or reset before headers\n"),
        ("{\"n\":\"NONCE\"}\n{\"n\":\"x\"}\n", "application/x-ndjson", "{\"error\":\"x\"}\n{\"error\":\"x\"}\n"),
        ("event: tick\ndata: NONCE\n\n", "text/event-stream", "Service Unavailable"),
        ("NONCE", "text/plain", "Service Unavailable"),
    ])
    func `a text that is volatile as a whole is another one where it is of another make`(
        text: String, type: String, other: String
    ) async throws {
        let directory = try TemporaryDirectory()
        func answer(_ nonce: String) -> Answer { Self.text(text.replacing("NONCE", with: nonce), type) }
        try await directory.record("GET", "/a", answer("f3a81c"), samples: [answer("b72d90")])
        #expect(try marks(directory) == ["$ value"])
        #expect(try await directory.record("GET", "/a", answer("c0ffee1")).kind == .unchanged)
        let outcome = try await directory.record("GET", "/a", Self.text(other, type))
        #expect(outcome.kind == .changed, "\(outcome)")
        #expect(outcome.notes.first?.hasPrefix("a text of another make: ") == true, "\(outcome)")
    }

    @Test func `a mark goes, and is told, once three responses and what is recorded have the same value`() async throws
    {
        let directory = try TemporaryDirectory()
        func body(_ n: Int, _ m: Int) -> Answer { .json(#"{"n": \#(n), "list": [{"m": \#(m)}]}"#) }
        try await directory.record("GET", "/a", body(1, 1), samples: [body(2, 2)])
        #expect(try marks(directory) == ["$.list[*].m counter", "$.n counter"])
        let before = directory.snapshot()
        #expect(try await directory.record("GET", "/a", body(1, 1), samples: [body(1, 1)]).kind == .unchanged)
        #expect(
            try await directory.record("GET", "/a", body(2, 1), samples: [body(2, 2), body(2, 3)]).kind == .unchanged)
        #expect(directory.snapshot() == before)
        let outcome = try await directory.record("GET", "/a", body(1, 1), samples: [body(1, 2), body(1, 3)])
        #expect(outcome.kind == .changed && outcome.notes == ["volatile no longer: $.n"], "\(outcome)")
        #expect(try marks(directory) == ["$.list[*].m counter"])
        #expect(try await directory.record("GET", "/a", body(2, 7)).notes == ["1 value changed (n)"])
    }

    @Test func `a sample that came after a request that may change something is left out`() async throws {
        let upstream = try RawServer()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        try await ProxyBed.recording([upstream.base]) {
            $0.samples = 3
            $0.sampleGap = .zero
        } _: { bed in
            async let first = upstream.answer(head + "Content-Length: 7\r\n\r\n{\"n\":1}")
            _ = try await bed.request("GET", "/a")
            _ = try await first
            try await blocking { [port = bed.port] in
                let sample = try upstream.accept()
                _ = try sample.head()
                let client = try WireClient(port: port)
                try client.send("POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                let post = try upstream.accept()
                _ = try post.head()
                try post.send(head + "Content-Length: 2\r\n\r\n{}")
                _ = try client.response()
                try sample.send(head + "Content-Length: 7\r\n\r\n{\"n\":2}")
            }
            let outcome = try #require(await bed.outcomes.first { $0.request == "GET /a" })
            #expect(outcome.notes == ["a sample is left out: a request before it may have changed the response"])
            #expect(!bed.into.text("a.stub.json").contains("volatile"))
        }
    }

    @Test func `a direct request that may change something waits for the samples of those before it`() async throws {
        let upstream = try RawServer()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        try await ProxyBed.recording([upstream.base]) {
            $0.samples = 2
            $0.sampleGap = .zero
        } _: { bed in
            async let lines = blocking {
                try ["{\"n\":1}", "{\"n\":2}", "{}"].map { body in
                    let peer = try upstream.accept()
                    let line = try peer.head().first
                    try peer.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                    return line
                }
            }
            await bed.session.send(DirectRequest("GET", "/a"), fields: [])
            await bed.session.send(DirectRequest("POST", "/b", body: []), fields: [])
            let came = try await lines
            #expect(came == ["GET /a HTTP/1.1", "GET /a HTTP/1.1", "POST /b HTTP/1.1"])
            #expect(await bed.outcomes.map(\.notes) == [["volatile: $.n (counter)"], []])
        }
    }

    @Test func `placeholders of other names are no other response`() async throws {
        let value = "k9" + "Trw4-Zq81mB"
        let directory = try TemporaryDirectory()
        let answer = Answer.json(#"{"a": {"token": "\#(value)"}}"#)
        let bearer = [UpstreamField("Authorization", "Bearer \(value)")]
        _ = try await directory.inSession { try await $0.record("GET", "/a", fields: bearer, answer) }
        let before = directory.snapshot()
        #expect(directory.text("a.json").contains("redacted.header.Authorization"))
        let other = Answer.json(#"{"a": {"token": "other-\#(value)"}}"#)
        let outcome = try await directory.inSession { try await $0.record("GET", "/a", fields: bearer, other) }
        #expect(outcome.kind == .unchanged, "\(outcome)")
        #expect(directory.snapshot() == before)
    }
}
