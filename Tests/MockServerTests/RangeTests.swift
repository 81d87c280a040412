// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RangeTests {
    /// A body in memory and one that stays on disk, each with a tag and a date.
    private static func serving(_ body: (TestServer, _ target: String, _ content: [UInt8]) throws -> Void) async throws
    {
        let small = Array("0123456789".utf8)
        let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let directory = try TemporaryDirectory()
        try directory.write("small.bin", small)
        try directory.write("large.bin", large)
        let lines =
            #""Content-Type: application/x-test", "ETag: \"v1\"", "Last-Modified: Thu, 29 Oct 2020 13:04:51 GMT""#
        try directory.write(
            "x.stub.json",
            """
            {"stubs": [
              {"request": {"urlPath": "/small"}, "response": {"headers": [\(lines)], "bodyFile": "small.bin"}},
              {"request": {"urlPath": "/large"}, "response": {"headers": [\(lines)], "bodyFile": "large.bin"}}]}
            """)
        try directory.write("plain-small.bin", small)
        try directory.write("plain-large.bin", large)
        try await TestServer.serving(directory) { server throws in
            try body(server, "/small", small)
            try body(server, "/large", large)
            try body(server, "/plain-small.bin", small)
            try body(server, "/plain-large.bin", large)
        }
    }

    @Test(arguments: [
        ("bytes=0-0", 0, 1), ("bytes=2-5", 2, 6), ("bytes=3-", 3, .max), ("bytes=0-999999999", 0, .max),
        ("bytes=-4", -4, .max), ("bytes=-999999999", 0, .max), ("Bytes=2-5", 2, 6), ("bytes= 2-5 ,", 2, 6),
        ("bytes=5-99999999999999999999", 5, .max), ("bytes=999999999-,1-1", 1, 2),
    ])
    func `one range is 206 with just these bytes`(range: String, start: Int, end: Int) async throws {
        try await Self.serving { server, target, content in
            let lower = start < 0 ? content.count + start : start
            let upper = min(end, content.count)
            let answer = try server.get(target, "Range: \(range)")
            #expect(answer.status == 206)
            #expect(answer.reason == "Partial Content")
            #expect(answer["Content-Range"] == "bytes \(lower)-\(upper - 1)/\(content.count)")
            #expect(answer["Content-Length"] == "\(upper - lower)")
            #expect(answer["ETag"] != nil)
            #expect(answer.body == Array(content[lower..<upper]))
        }
    }

    @Test func `several ranges are one multipart response in the order asked for`() async throws {
        try await Self.serving { server, target, content in
            let whole = try server.get(target)
            let answer = try server.get(target, "Range: bytes=5-6, 0-1 ,-2")
            #expect(answer.status == 206)
            #expect(answer["Content-Range"] == nil)
            let type = try #require(answer["Content-Type"])
            #expect(type.hasPrefix("multipart/byteranges; boundary="))
            let boundary = type.dropFirst("multipart/byteranges; boundary=".count)
            let part = try #require(whole["Content-Type"])
            var expected: [UInt8] = []
            for (number, range) in [5..<7, 0..<2, content.count - 2..<content.count].enumerated() {
                expected += Array(
                    """
                    \(number == 0 ? "" : "\r\n")--\(boundary)\r
                    Content-Type: \(part)\r
                    Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)\r
                    \r\n
                    """.utf8)
                expected += content[range]
            }
            #expect(answer.body == expected + Array("\r\n--\(boundary)--\r\n".utf8))
        }
    }

    @Test(arguments: ["bytes=999999999-", "bytes=-0", "bytes=999999999-1000000000,-0"])
    func `ranges that are all beyond the end are 416 with the length`(range: String) async throws {
        try await Self.serving { server, target, content in
            let answer = try server.get(target, "Range: \(range)")
            #expect(answer.status == 416)
            #expect(answer["Content-Range"] == "bytes */\(content.count)")
            #expect(answer.text == "the content has \(content.count) bytes; no requested range is in it\n")
        }
    }

    @Test(arguments: [
        "items=0-1", "bytes=5-2", "bytes=a-b", "bytes=", "bytes=0-1,x", "bytes", "bytes=--1", "bytes=+1-2",
        "bytes=0-9,0-9,0-9,0-9", "bytes=" + (0..<40).map { "\($0)-\($0)" }.joined(separator: ","),
    ])
    func `what is no sensible range of bytes is ignored`(range: String) async throws {
        try await Self.serving { server, target, content in
            let answer = try server.get(target, "Range: \(range)")
            #expect(answer.status == 200)
            #expect(answer.body == content)
        }
    }

    @Test(arguments: [
        (#""v1""#, 206), (#"W/"v1""#, 200), (#""v2""#, 200), ("Thu, 29 Oct 2020 13:04:51 GMT", 206),
        ("Thu, 29 Oct 2020 13:04:52 GMT", 200), ("never", 200),
    ])
    func `If-Range lets the range count for this very representation alone`(value: String, status: Int) async throws {
        try await Self.serving { server, target, content in
            guard !target.hasPrefix("/plain") else { return }
            let answer = try server.get(target, "Range: bytes=1-2", "If-Range: \(value)")
            #expect(answer.status == status)
            #expect(answer.body == (status == 206 ? Array(content[1...2]) : content))
        }
    }

    @Test func `HEAD and other methods take no notice of Range`() async throws {
        try await Self.serving { server, target, content in
            let client = try server.connect()
            for range in ["bytes=0-1", "bytes=999999999-"] {
                let head = try client.request("HEAD", target, ["Range: \(range)"])
                #expect(head.status == 200)
                #expect(head["Content-Length"] == "\(content.count)")
                #expect(head["Content-Range"] == nil)
            }
            guard !target.hasPrefix("/plain") else { return }
            #expect(try client.request("POST", target, ["Range: bytes=0-1"]).body == content)
        }
    }

    @Test func `what a stub says goes: no part and no 304 is made of it`() async throws {
        let answer = #""headers": ["ETag: \"v1\""], "body": "0123456789""#
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/asks", "headers": {"Range": {"matches": ".*"}}}, "response": {\(answer)}},
              {"request": {"urlPath": "/tag", "headers": {"If-None-Match": {"matches": ".*"}}}, "response": {\(answer)}},
              {"request": {"urlPath": "/none"},
               "response": {"headers": ["ETag: \\"v1\\"", "Accept-Ranges: none"], "body": "0123456789"}},
              {"request": {"urlPath": "/without"}, "response": {"ranges": false, \(answer)}},
              {"request": {"urlPath": "/drawn"},
               "response": {"ranges": false, "headers": ["ETag: \\"v1\\""], "body": "{{request.method}}",
                            "transformers": ["response-template"]}},
              {"request": {"urlPath": "/key"}, "response": {"asWritten": true, \(answer)}},
              {"request": {"urlPath": "/rendered"},
               "response": {"asWritten": true, "headers": ["ETag: \\"v1\\""], "body": "{{request.method}}",
                            "transformers": ["response-template"]}},
              {"request": {"urlPath": "/plain"}, "response": {\(answer)}}]}
            """
        try await TestServer.serving(["x.stub.json": stubs]) { server throws in
            for path in ["/asks", "/none", "/without", "/drawn", "/key", "/rendered"] {
                #expect(try server.get(path, "Range: bytes=0-3").status == 200, "\(path)")
            }
            for path in ["/tag", "/key", "/rendered"] {
                #expect(try server.get(path, #"If-None-Match: "v1""#).status == 200, "\(path)")
            }
            for path in ["/none", "/without", "/drawn"] {
                #expect(try server.get(path, #"If-None-Match: "v1""#).status == 304, "\(path)")
                #expect(try server.get(path, #"If-Match: "v2""#).status == 412, "\(path)")
            }
            #expect(try server.get("/plain", "Range: bytes=0-3").status == 206)
            #expect(try server.get("/plain", #"If-None-Match: "v1""#).status == 304)
        }
    }

    @Test func `a stub of a WireMock root is sent as WireMock sends it`() async throws {
        let mapping = #"""
            {"request": {"urlPath": "/w"}, "response": {"status": 200, "headers": {"ETag": "\"v1\""}, "body": "0123456789"}}
            """#
        try await TestServer.serving(["mappings/w.json": mapping, "__files/.keep": ""]) { server throws in
            #expect(try server.get("/w", "Range: bytes=0-3").status == 200)
            #expect(try server.get("/w", #"If-None-Match: "v1""#).status == 200)
        }
    }
}
