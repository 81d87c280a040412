// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.supervised) struct ContentCodingResponseTests {
    private static let text = String(repeating: "hello, coding. ", count: 100)

    private static func files(_ coding: String) -> KeyValuePairs<String, String> {
        [
            "x.stub.json": #"""
            {"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: text/plain", "ETag: \"v1\""],
             "bodyFile": "a.txt", "contentEncoding": "\#(coding)"}}
            """#, "a.txt": text,
        ]
    }

    @Test(arguments: ["gzip", "deflate", "br"])
    func `a client that accepts the coding gets it, and it decodes`(coding: String) async throws {
        try await TestServer.serving(Self.files(coding)) { server async throws in
            let answer = try server.get("/a", "Accept-Encoding: \(coding)")
            #expect(answer["Content-Encoding"] == coding)
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer["ETag"] == #""v1""#)
            #expect(answer["Content-Length"] == "\(answer.body.count)")
            #expect(answer.body.count < Self.text.utf8.count / 4)
            let decoded = try await Tool.curl(["--compressed", "\(server.base)/a"]).text
            #expect(decoded == Self.text)
        }
    }

    @Test func `zstd is a frame of its own format`() async throws {
        try await TestServer.serving(Self.files("zstd")) { server async throws in
            let answer = try server.get("/a", "Accept-Encoding: br, zstd")
            #expect(answer["Content-Encoding"] == "zstd")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer["Content-Length"] == "\(answer.body.count)")
            // RFC 8878 §3.1.1.
            #expect(answer.body.starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
            #expect(answer.body.count < 100)
            #expect(try server.get("/a", "Accept-Encoding: gzip, br").text == Self.text)
        }
    }

    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.1", true),
            ("*", true),
            ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false), ("*;q=0, identity", false),
            ("*;q=0, gzip", true),
            ("identity", false), ("deflate, *;q=0.5", true), ("gzip;q=0, *", false),
        ] as [(String?, Bool)])
    func `the coding is sent where it is accepted, else the body as it is`(accept: String?, coded: Bool) async throws {
        try await TestServer.serving(Self.files("gzip")) { server async throws in
            let answer = try server.request("GET", "/a", accept.map { ["Accept-Encoding: \($0)"] } ?? [])
            #expect(answer.status == 200)
            #expect(answer["Content-Encoding"] == (coded ? "gzip" : nil))
            #expect(answer["Vary"] == "Accept-Encoding")
            // Two codings must not share a strong tag.
            #expect(answer["ETag"] == (coded ? #""v1""# : #"W/"v1""#))
            #expect((answer.text == Self.text) == !coded)
        }
    }

    @Test(arguments: ["identity;q=0", "*;q=0", "br, identity;q=0"])
    func `where coding and identity are both ruled out the response is 406`(accept: String) async throws {
        try await TestServer.serving(Self.files("gzip")) { server async throws in
            let answer = try server.get("/a", "Accept-Encoding: \(accept)")
            #expect(answer.status == 406)
            #expect(
                answer.text
                    == "this response exists uncoded and in the coding gzip; Accept-Encoding rules out both\n")
        }
    }

    @Test func `HEAD, conditions and ranges go by the coded bytes`() async throws {
        try await TestServer.serving(Self.files("gzip")) { server async throws in
            let client = try server.connect()
            let gzip = "Accept-Encoding: gzip"
            let whole = try client.request("GET", "/a", [gzip])
            let head = try client.request("HEAD", "/a", [gzip])
            #expect(head["Content-Length"] == whole["Content-Length"])
            #expect(try client.request("HEAD", "/a")["Content-Length"] == "\(Self.text.utf8.count)")
            let part = try client.request("GET", "/a", [gzip, "Range: bytes=0-3"])
            #expect(part.status == 206)
            #expect(part["Content-Encoding"] == "gzip")
            #expect(part["Content-Range"] == "bytes 0-3/\(whole.body.count)")
            #expect(part.body == Array(whole.body[..<4]))
            let same = try client.request("GET", "/a", [gzip, #"If-None-Match: "v1""#])
            #expect(same.status == 304)
            #expect(same["Vary"] == "Accept-Encoding")
            #expect(try client.request("GET", "/a", [#"If-Match: "v1""#]).status == 412)
        }
    }

    @Test func `a Vary line that names Accept-Encoding is left alone`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/a"},
               "response": {"headers": ["Vary: accept-encoding, Accept"], "body": "a", "contentEncoding": "gzip"}},
              {"request": {"urlPath": "/b"}, "response": {"headers": ["Vary: Accept"], "body": "b", "contentEncoding": "gzip"}}]}
            """#
        try await TestServer.serving(stub: stub) { server async throws in
            #expect(try server.get("/a").all("Vary") == ["accept-encoding, Accept"])
            #expect(try server.get("/b").all("Vary") == ["Accept", "Accept-Encoding"])
        }
    }
}
