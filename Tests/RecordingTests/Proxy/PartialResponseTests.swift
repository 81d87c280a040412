// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Responses that are less than the whole, which clients get as the service sends them, and which are no fixtures.
@Suite(.supervised) struct PartialResponseTests {
    private static func serving(
        _ files: KeyValuePairs<String, String>, records: Bool = true,
        _ body: (MockServer, ProxyBed) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(files)
        let service = try await MockServer.start(fixtures: directory.path)
        do {
            try await ProxyBed.recording([service.address], records: records) { try await body(service, $0) }
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    @Test func `a download in parts is whole for the client and whole in the recording`() async throws {
        let text = String((0..<30_000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        try await Self.serving(["big.bin": text]) { service, bed in
            var parts = ""
            for start in stride(from: 0, to: text.utf8.count, by: 10_000) {
                let part = try await bed.request("GET", "/big.bin", ["Range: bytes=\(start)-\(start + 9999)"])
                #expect(part.status == 206)
                #expect(part["Content-Range"] == "bytes \(start)-\(start + 9999)/30000")
                parts += part.text
            }
            #expect(parts == text)
            #expect(try await bed.request("GET", "/big.bin", ["Range: bytes=40000-"]).status == 416)
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.new], "\(outcomes)")
            let body = try #require(outcomes.flatMap(\.files).first { !$0.hasSuffix(".stub.json") })
            #expect(bed.into.text(body) == text)
            // Four by the client, and one for the whole.
            #expect(service.journal.entries.count == 5)
        }
    }

    @Test func `a client that has the response already is told so, and the whole is recorded`() async throws {
        try await Self.serving(["a.txt": "a text"]) { service, bed in
            let first = try await bed.request("GET", "/a.txt", ["Range: bytes=0-0"])
            let tag = try #require(first["ETag"])
            for _ in 0..<3 {
                let response = try await bed.request("GET", "/a.txt", ["If-None-Match: \(tag)"])
                #expect(response.status == 304)
                #expect(response.text.isEmpty)
            }
            #expect(await bed.outcomes.map(\.kind) == [.new])
            #expect(bed.into.text("a.txt") == "a text")
        }
    }

    @Test func `a part of text is of the bytes that the service has`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base], records: false) { bed in
            let part = "\(upstream.base)/x"
            async let head = upstream.answer(
                "HTTP/1.1 206 Partial Content\r\nContent-Type: text/plain\r\nETag: \"a\"\r\nContent-Range: bytes 0-\(part.utf8.count - 1)/99\r\nContent-Length: \(part.utf8.count)\r\nConnection: close\r\n\r\n\(part)"
            )
            let response = try await bed.request("GET", "/a", ["Range: bytes=0-\(part.utf8.count - 1)"])
            _ = try await head
            #expect(response.text == part)
            #expect(response["ETag"] == "\"a\"")
        }
    }

    @Test func `a whole that the service refuses is told, and a range in another unit is the request's own`()
        async throws
    {
        try await Self.serving([
            "part.stub.json":
                #"{"request": {"urlPath": "/part", "headers": {"Range": {"matches": ".+"}}}, "response": {"status": 206, "body": "x"}}"#,
            "page.stub.json":
                #"{"request": {"urlPath": "/page", "headers": {"Range": {"equalTo": "items=10-19"}}}, "response": {"body": "second"}}"#,
        ]) { _, bed in
            let part = try await bed.request("GET", "/part", ["Range: bytes=0-0"])
            let page = try await bed.request("GET", "/page", ["Range: items=10-19"])
            #expect(part.status == 206)
            #expect(page.text == "second")
            let outcomes = await bed.outcomes.sorted { $0.request < $1.request }
            #expect(outcomes.map(\.kind) == [.new, .failed], "\(outcomes)")
            #expect(
                outcomes.last?.notes == [
                    "a client got a part of it, or a 304, and the request for the whole was answered 404: it is not recorded"
                ])
        }
    }

    private static func answer(_ status: String, _ content: String, _ fields: String...) -> String {
        let lines = ["Content-Type: text/plain", "ETag: \"a\""] + fields + ["Content-Length: \(content.utf8.count)"]
        return "HTTP/1.1 \(status)\r\n" + lines.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n\(content)"
    }

    @Test(arguments: [["Range: bytes=2-5"], [], ["Range: bytes=2-5", "Range: bytes=-3"]])
    func `a service without ranges is replayed without them, until it sends a part`(earlier: [String]) async throws {
        let directory = try TemporaryDirectory()
        let upstream = try RawServer()
        let whole = Self.answer("200 OK", "0123456789")
        /// Records requests to the service, which gives some responses, each once.
        func ask(_ asked: [String], _ answers: [String]) async throws -> [RecordingOutcome] {
            var outcomes: [RecordingOutcome] = []
            try await ProxyBed.recording([upstream.base], into: directory) { bed in
                async let served: Void = { for answer in answers { _ = try await upstream.answer(answer) } }()
                for range in asked { _ = try await bed.request("GET", "/a.txt", range.isEmpty ? [] : [range]) }
                outcomes = await bed.outcomes
                try await served
            }
            return outcomes
        }
        // What was recorded before that does not say.
        _ = try await ask([""], [whole])
        #expect(!directory.text("a.txt.stub.json").contains("ranges"))
        try await Replay.of(directory) { replay async throws in
            #expect(try await replay.text("GET", "/a.txt", [UpstreamField("Range", "bytes=2-5")]) == "206 2345")
        }
        let told = try await ask(earlier + ["Range: bytes=0-3"], [whole, whole, whole].suffix(earlier.count + 1))
        #expect(told.map(\.kind).contains(.changed))
        #expect(told.flatMap(\.notes) == ["the service has no ranges"])
        let stub = directory.text("a.txt.stub.json")
        #expect(stub.contains("\"response\": {"), "\(stub)")
        #expect(stub.contains(#""ranges": false"#))
        try await Replay.of(directory) { replay async throws in
            let range = try await replay.answer("GET", "/a.txt", [UpstreamField("Range", "bytes=2-5")])
            #expect(range.status == 200)
            #expect(range.text == "0123456789")
            #expect(range["Accept-Ranges"] == nil)
            #expect(try await replay.text("GET", "/a.txt", [UpstreamField("Range", "bytes=99-")]) == "200 0123456789")
            #expect(try await replay.text("GET", "/a.txt", [UpstreamField("If-None-Match", "\"a\"")]) == "304 ")
        }
        // Nothing is asked that could tell: it stays, and changes no byte.
        #expect(
            try await ask(["", "Range: bytes=0-", "Range: bytes=0-1,3-4"], [whole, whole, whole]).map(\.kind).filter {
                $0 != .unchanged
            } == [])
        #expect(directory.text("a.txt.stub.json").contains(#""ranges": false"#))
        let part = Self.answer("206 Partial Content", "2345", "Content-Range: bytes 2-5/10")
        let again = try await ask(["Range: bytes=2-5"], [part, whole])
        #expect(again.map(\.kind) == [.changed])
        #expect(again.flatMap(\.notes) == ["the service has ranges"])
        #expect(!directory.text("a.txt.stub.json").contains("ranges"))
    }

    @Test func `a request that a service may answer by the whole says nothing of its ranges`() {
        func asks(_ method: String, _ fields: String..., of count: Int) -> Bool {
            let lines = fields.map {
                UpstreamField(String($0.prefix { $0 != ":" }), String($0.drop { $0 != ":" }.dropFirst(2)))
            }
            return PartRequest(method: method, lines)?.isLess(than: count) ?? false
        }
        #expect(asks("GET", "range: Bytes=2-5", of: 10))
        #expect(asks("GET", "Range: bytes=-5", of: 10))
        #expect(asks("GET", "Range: bytes=2-99999999999999999999", of: 10))
        #expect(!asks("HEAD", "Range: bytes=2-5", of: 10))
        #expect(!asks("GET", "Range: bytes=2-5", "If-Range: \"a\"", of: 10))
        for range in [
            "bytes=0-", "bytes=0-9", "bytes=10-", "bytes=-10", "bytes=-0", "bytes=-", "bytes=1", "bytes=+1-2",
            "bytes=1-2,4-5", "items=1-2", "bytes=5-2",
        ] {
            #expect(!asks("GET", "Range: \(range)", of: 10), "\(range)")
        }
    }

    @Test func `where nothing is recorded the service is asked for nothing more`() async throws {
        try await Self.serving(["a.txt": "a text"], records: false) { service, bed in
            let part = try await bed.request("GET", "/a.txt", ["Range: bytes=2-5"])
            #expect(part.text == "text")
            let outcomes = await bed.outcomes
            #expect(outcomes.isEmpty)
            #expect(service.journal.entries.count == 1)
        }
    }
}
