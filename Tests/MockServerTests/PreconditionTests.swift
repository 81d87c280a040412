// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// RFC 9110 §13.2.2, for a stub whose validators were recorded.
@Suite(.supervised) struct PreconditionTests {
    private static let earlier = "Wed, 28 Oct 2026 00:00:00 GMT"
    private static let modified = "Thu, 29 Oct 2026 13:04:51 GMT"
    private static let later = "Fri, 30 Oct 2026 00:00:00 GMT"

    private static func stub(tag: String) -> String {
        #"""
        {"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: text/plain", "ETag: \#(tag)",
          "Last-Modified: \#(modified)", "Cache-Control: max-age=60", "Vary: Accept", "X-Other: 1"], "body": "hello"}}
        """#
    }

    @Test(arguments: [
        ([#"If-None-Match: "v1""#], 304), ([#"If-None-Match: W/"v1""#], 304), (["If-None-Match: *"], 304),
        ([#"If-None-Match: "v2", "v1""#], 304), ([#"If-None-Match: "v2""#, #"If-None-Match: "v1""#], 304),
        ([#"If-None-Match: "v2""#], 200), (["If-None-Match: v1"], 200), ([#"If-None-Match: "a,"v1"#], 200),
        (["If-Modified-Since: \(modified)"], 304), (["If-Modified-Since: \(later)"], 304),
        (["If-Modified-Since: \(earlier)"], 200), (["If-Modified-Since: never"], 200),
        (["If-Modified-Since: Thursday, 29-Oct-26 13:04:51 GMT"], 304),
        (["If-Modified-Since: Thu Oct 29 13:04:51 2026"], 304),
        ([#"If-None-Match: "v2""#, "If-Modified-Since: \(later)"], 200),
        ([#"If-Match: "v1""#], 200), (["If-Match: *"], 200), ([#"If-Match: "v2", "v1""#], 200),
        ([#"If-Match: "v2""#], 412), ([#"If-Match: W/"v1""#], 412),
        (["If-Unmodified-Since: \(modified)"], 200), (["If-Unmodified-Since: \(later)"], 200),
        (["If-Unmodified-Since: \(earlier)"], 412), (["If-Unmodified-Since: never"], 200),
        ([#"If-Match: "v1""#, "If-Unmodified-Since: \(earlier)"], 200),
        ([#"If-Match: "v2""#, "If-Unmodified-Since: \(later)"], 412),
        ([#"If-Match: "v1""#, #"If-None-Match: "v1""#], 304), ([#"If-Match: "v2""#, #"If-None-Match: "v1""#], 412),
        (["If-Unmodified-Since: \(modified)", "If-Modified-Since: \(modified)"], 304),
        ([#"If-None-Match: "v1""#, "Range: bytes=0-1"], 304), ([#"If-Match: "v2""#, "Range: bytes=0-1"], 412),
        ([#"If-Match: "v1""#, "Range: bytes=0-1"], 206),
    ])
    func `conditions of a strong tag are judged in their order`(fields: [String], status: Int) async throws {
        try await TestServer.serving(stub: Self.stub(tag: #"\"v1\""#)) { server throws in
            let client = try server.connect()
            let answer = try client.request("GET", "/a", fields)
            #expect(answer.status == status)
            switch status {
            case 200: #expect(answer.text == "hello")
            case 206: #expect(answer.text == "he")
            case 304:
                let names = ["ETag", "Last-Modified", "Cache-Control", "Vary", "X-Other", "Date"]
                #expect(answer.fields.map(\.name) == names)
                #expect(answer["ETag"] == #""v1""#)
            default: #expect(answer.text == "a precondition of the request is not met\n")
            }
            // HEAD is judged alike, but for Range, and the connection is in step.
            let head = try client.request("HEAD", "/a", fields)
            #expect(head.status == (status == 206 ? 200 : status))
            #expect(try client.request("GET", "/a").text == "hello")
        }
    }

    @Test(arguments: [
        ([#"If-None-Match: W/"v1""#], 304), ([#"If-None-Match: "v1""#], 304), ([#"If-None-Match: W/"v2""#], 200),
        ([#"If-Match: W/"v1""#], 412), ([#"If-Match: "v1""#], 412), (["If-Match: *"], 200),
    ])
    func `a weak tag never matches strongly`(fields: [String], status: Int) async throws {
        try await TestServer.serving(stub: Self.stub(tag: #"W/\"v1\""#)) { server throws in
            let answer = try server.request("GET", "/a", fields)
            #expect(answer.status == status)
        }
    }

    @Test func `other methods and other statuses have no conditions, and empty responses have them`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/any"}, "response": {"headers": ["ETag: \"v1\""], "body": "a"}},
              {"request": {"urlPath": "/created"}, "response": {"status": 201, "headers": ["ETag: \"v1\""], "body": "a"}},
              {"request": {"urlPath": "/empty"}, "response": {"headers": ["ETag: \"v1\""]}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            for (method, target, status) in [
                ("GET", "/any", 304), ("POST", "/any", 200), ("GET", "/created", 201), ("GET", "/empty", 304),
            ] {
                let answer = try client.request(method, target, [#"If-None-Match: "v1""#, "Range: bytes=0-0"])
                #expect(answer.status == status, "\(method) \(target)")
            }
        }
    }

    @Test func `a stub that answers just these headers is not second-guessed`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/a"}, "response": {"headers": ["ETag: \"v1\""], "body": "a"}},
              {"request": {"urlPath": "/a", "headers": {"If-None-Match": {"equalTo": "\"v1\""}}},
               "response": {"status": 418, "body": "tea"}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let answer = try server.get("/a", #"If-None-Match: "v1""#)
            #expect(answer.status == 418)
        }
    }

    @Test func `a plain file, small or large, is known by the tag and date it came with`() async throws {
        let directory = try TemporaryDirectory(["small.txt": "hello"])
        try directory.write("large.bin", [UInt8](repeating: 1, count: 100_000))
        try await TestServer.serving(directory) { server throws in
            for target in ["/small.txt", "/large.bin"] {
                let whole = try server.get(target)
                let tag = try #require(whole["ETag"])
                let date = try #require(whole["Last-Modified"])
                let same = try server.get(target, "If-None-Match: \(tag)")
                #expect(same.status == 304)
                #expect(same.fields.map(\.name) == ["ETag", "Last-Modified", "Cache-Control", "Date"])
                #expect(try server.get(target, "If-Modified-Since: \(date)").status == 304)
                #expect(try server.get(target, "If-Match: \(tag)").status == 200)
                #expect(try server.get(target, #"If-Match: "other""#).status == 412)
                #expect(try server.get(target, "If-Unmodified-Since: \(Self.earlier)").status == 412)
            }
        }
    }
}
