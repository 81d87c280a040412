// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct StubReadingTests {
    private func stub(_ text: String, files: KeyValuePairs<String, String> = [:]) throws -> Stub {
        let directory = try TemporaryDirectory(files)
        try directory.write("a/x.stub.json", Array(text.utf8))
        let set = try directory.load()
        #expect(set.findings.filter { !$0.description.contains("this line is not sent") } == [])
        return try #require(set.stubs.first)
    }

    private func bytes(_ body: Body) -> [UInt8]? {
        switch body {
        case .empty: []
        case .bytes(let bytes): bytes
        case .file: nil
        }
    }

    @Test(arguments: [
        (
            #""jsonBody": {"a": 1.50, "b": [12345678901234567890, "é\u00e9"]}"#,
            #"{"a":1.50,"b":[12345678901234567890,"éé"]}"#, "application/json"
        ),
        (#""jsonBody": null"#, "null", "application/json"),
        (#""body": "hé""#, "hé", "text/plain; charset=utf-8"),
        (#""base64Body": "aGk=""#, "hi", nil),
        (#""bodyFile": "./../b/x.html""#, "<p>", "text/html; charset=utf-8"),
    ])
    func `a body and its media type`(key: String, body: String, type: String?) throws {
        let response = try stub(#"{"response": {\#(key)}}"#, files: ["b/x.html": "<p>"]).responses[0]
        #expect(bytes(response.body) == Array(body.utf8))
        #expect(response.headers == type.map { [HeaderLine("Content-Type", $0)] } ?? [])
    }

    @Test func `a Content-Type line of the stub stands`() throws {
        let response = try stub(
            #"{"response": {"headers": {"content-type": "application/vnd.api+json"}, "jsonBody": 1}}"#
        ).responses[0]
        #expect(response.headers == [HeaderLine("content-type", "application/vnd.api+json")])
    }

    @Test func `lines keep order, case and repeats, and lose the framing`() throws {
        let response = try stub(
            #"""
            {"response": {"headers": [
              "x-b:1", "X-A:  two words\t", "x-b:", "Date: x", "content-LENGTH: 1", "Transfer-Encoding: chunked",
              "Connection: close", "Keep-Alive: 1", "Link: <a>; b=\"é:\""
            ], "trailers": ["X-T: 1"]}}
            """#
        ).responses[0]
        #expect(
            response.headers == [
                HeaderLine("x-b", "1"), HeaderLine("X-A", "two words"), HeaderLine("x-b", ""),
                HeaderLine("Link", "<a>; b=\"é:\""),
            ])
        #expect(response.trailers == [HeaderLine("X-T", "1")])
    }

    @Test func `a response has all of its parts`() throws {
        let response = try stub(
            #"""
            {"response": {"status": 404, "reason": "Gone Fishing", "contentLength": 17, "contentEncoding": "br",
            "rewriteOrigins": ["https://images.example.com", "http://[::1]:8080"]}}
            """#
        ).responses[0]
        #expect(response.status == 404 && response.reason == "Gone Fishing" && response.contentLength == 17)
        #expect(response.contentEncoding == .br)
        #expect(response.rewriteOrigins == ["https://images.example.com", "http://[::1]:8080"])
    }

    @Test func `a sequence has its steps`() throws {
        let stub = try stub(
            #"{"responses": [{"status": 201}, {"bodyFile": "s.txt"}], "afterLast": "unmatched", "priority": 1}"#,
            files: ["a/s.txt": "s"])
        #expect(stub.responses.map(\.status) == [201, 200])
        #expect(stub.afterLast == .unmatched && stub.isSequence && stub.priority == 1)
    }

    @Test func `the source is the stub as it was written`() throws {
        let text = #"{"$schema":"s","metadata":{"a":1.0},"response":{"status":200}}"#
        #expect(String(decoding: JSONWriter.compact(try stub(text).source), as: UTF8.self) == text)
    }

    @Test(arguments: [
        (#"{"url": "/a?b"}"#, "url"), (#"{"urlPath": "/a"}"#, "urlPath"), (#"{"urlPattern": "/a.*"}"#, "urlPattern"),
        (#"{"urlPathPattern": "/a.*"}"#, "urlPathPattern"), (#"{"urlPathTemplate": "/a/{b}"}"#, "urlPathTemplate"),
        ("{}", nil),
    ])
    func `a URL matcher`(request: String, key: String?) throws {
        #expect(try stub(#"{"request": \#(request), "response": {}}"#).request.url.key == key)
    }

    @Test func `a pattern knows its place`() throws {
        guard
            case .pathPattern(let pattern) = try stub("{\"response\": {}, \"request\":\n {\"urlPathPattern\": \"(\"}}")
                .request.url
        else {
            Issue.record("no pattern")
            return
        }
        #expect(
            pattern
                == Pattern(
                    "(", at: Place(path: "a/x.stub.json", line: 2, column: 21, pointer: "/request/urlPathPattern")))
    }

    @Test func `matchers become what they say`() throws {
        let request = try stub(
            #"""
            {"response": {}, "request": {
              "method": "PURGE", "host": {"equalTo": "API.example.com"},
              "headers": {"X-A": {"equalTo": "v", "caseInsensitive": true}, "x-b": {"includes": [{"contains": "c"}]}},
              "cookies": {"Sid": {"not": {"doesNotContain": "d"}}},
              "bodyPatterns": [
                {"binaryEqualTo": "AAEC"}, {"equalToJson": {"a": 1}, "ignoreArrayOrder": true},
                {"and": [{"doesNotMatch": "x"}, {"absent": true}]}
              ]
            }}
            """#
        ).request
        #expect(request.method == "PURGE")
        #expect("\(request.host as Any)".contains(#"equalTo("api.example.com", caseInsensitive: false)"#))
        #expect(request.headers.map(\.name) == ["x-a", "x-b"])
        guard case .single(.equalTo("v", caseInsensitive: true)) = request.headers[0].matcher,
            case .includes(let parts) = request.headers[1].matcher, case .contains("c") = parts[0],
            case .not(.doesNotContain("d")) = request.cookies[0].matcher,
            case .binaryEqualTo([0, 1, 2]) = request.body[0],
            case .value(.equalToJSON(let json, ignoreArrayOrder: true, ignoreExtraElements: false)) = request.body[1],
            case .value(.and(let both)) = request.body[2], case .doesNotMatch = both[0], case .absent = both[1]
        else {
            Issue.record("\(request)")
            return
        }
        #expect(json == .object(["a": .integer(1)]))
    }

    @Test func `no text makes the reader stop`() throws {
        // Every prefix and every change of one byte of a rich stub: findings or none, and always an end.
        let rich = Array(
            #"{"request":{"url":"/a","headers":{"A":{"or":[{"equalTo":"b"}]}}},"response":{"status":200,"headers":["A: b"],"body":"x"}}"#
                .utf8)
        let directory = try TemporaryDirectory()
        var random = SystemRandomNumberGenerator()
        for position in rich.indices {
            try directory.write("\(position)p.stub.json", Array(rich[..<position]))
            var changed = rich
            changed[position] = UInt8.random(in: 0...255, using: &random)
            try directory.write("\(position)c.stub.json", changed)
        }
        let set = try directory.load()
        #expect(set.stubs.count <= rich.count)
        #expect(set.findings.count { $0.place.path.hasSuffix("p.stub.json") && $0.severity == .error } == rich.count)
        #expect(set.findings == set.findings.sorted())
    }

    @Test func `lines that are equal to those before in all but their bytes keep their own`() throws {
        let lines = ["X-A: \u{E9}", "X-A: e\u{301}", "X-A: e\u{301}"]
        let stubs = lines.map { #"{"request": {"url": "/"}, "response": {"headers": ["\#($0)"]}}"# }
        let set = try TemporaryDirectory(["a.stub.json": #"{"stubs": [\#(stubs.joined(separator: ", "))]}"#]).load()
        let values = set.stubs.map { Array($0.responses[0].headers[0].value.utf8) }
        #expect(values == lines.map { Array($0.utf8.dropFirst(5)) })
    }
}
