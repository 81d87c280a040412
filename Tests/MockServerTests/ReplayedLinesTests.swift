// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// What was recorded, served to a client at another place and another time.
@Suite(.supervised) struct ReplayedLinesTests {
    private static func stub(_ lines: [String], recorded: Bool = true, _ rest: String = #", "body": "a""#) -> String {
        let quoted = lines.map { "\"\($0)\"" }.joined(separator: ", ")
        let mark = recorded ? #", "recorded": {"from": "https://api.example.com", "at": "2020-01-01T00:00:00Z"}"# : ""
        return #"{"request": {"urlPath": "/a"}, "response": {"headers": [\#(quoted)]\#(rest)}\#(mark)}"#
    }

    private static let cookie = "sid=x; Path=/; Domain=example.com; Secure; SameSite=None"

    @Test func `a recorded cookie is one that a client without TLS keeps`() async throws {
        try await TestServer.serving(stub: Self.stub(["Set-Cookie: \(Self.cookie)", "Set-Cookie: b=1"])) {
            server async throws in
            for method in ["GET", "HEAD"] {
                let response = try server.request(method, "/a")
                #expect(response.all("Set-Cookie") == ["sid=x; Path=/", "b=1"])
            }
        }
        try await TestServer.serving(stub: Self.stub(["Set-Cookie: \(Self.cookie)"], recorded: false)) {
            server async throws in
            #expect(try server.request("GET", "/a")["Set-Cookie"] == Self.cookie)
        }
    }

    @Test func `a recorded cookie with a prefix is one that each client keeps`() async throws {
        let lines = ["Set-Cookie: __Host-a=1; Path=/; Secure", "Set-Cookie: b=2"]
        try await TestServer.serving(stub: Self.stub(lines)) { server async throws in
            #expect(
                try server.get("/a").all("Set-Cookie") == ["__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/", "b=2"])
        }
    }

    @Test func `with TLS it keeps all but the domain`() throws {
        let loaded = try Self.loaded(Self.stub(["Set-Cookie: \(Self.cookie)"]))
        let stub = try #require(loaded)
        let prepared = PreparedStub(stub).first
        #expect(prepared.fields.value(of: "set-cookie") == "sid=x; Path=/; Secure; SameSite=None")
        #expect(prepared.withoutTLS?.fields.value(of: "set-cookie") == "sid=x; Path=/")
    }

    @Test func `a recorded response never binds the host to TLS`() async throws {
        let line = "Strict-Transport-Security: max-age=31536000"
        try await TestServer.serving(stub: Self.stub([line])) { server async throws in
            #expect(try server.request("GET", "/a")["Strict-Transport-Security"] == nil)
        }
        try await TestServer.serving(stub: Self.stub([line], recorded: false)) { server async throws in
            #expect(try server.request("GET", "/a")["Strict-Transport-Security"] == "max-age=31536000")
        }
    }

    @Test func `what was to end an hour later ends an hour from now`() throws {
        let recorded = 1_577_836_800
        let lines = [
            "Set-Cookie: sid=x; Expires=\(HTTPDate.format(recorded + 3600))",
            "Set-Cookie: old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "Expires: \(HTTPDate.format(recorded + 3600))",
        ]
        let loaded = try Self.loaded(Self.stub(lines))
        let stub = try #require(loaded)
        let now = 1_900_000_000
        let replayed = try #require(ReplayedLines(stub, now: now))
        let response = try #require(stub.responses.first)
        let values = replayed.response(response, isSecure: false).headers.map(\.value)
        let end = HTTPDate.format(now + 3600)
        #expect(values.contains("sid=x; Expires=\(end)") && values.contains(end), "\(values)")
        #expect(values.contains("old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), "\(values)")
    }

    @Test func `a part and a rewritten body have no checksum of other bytes`() async throws {
        let lines = [
            "Content-Type: text/plain", "Content-MD5: x", "x-amz-checksum-crc32: y", "Repr-Digest: z",
            "ETag: \\\"t\\\"",
        ]
        try await TestServer.serving(stub: Self.stub(lines, #", "body": "abcdef""#)) { server async throws in
            let whole = try server.request("GET", "/a")
            #expect(whole["Content-MD5"] == "x" && whole["x-amz-checksum-crc32"] == "y")
            let part = try server.request("GET", "/a", ["Range: bytes=0-1"])
            #expect(part.status == 206)
            #expect(part["Content-MD5"] == nil && part["x-amz-checksum-crc32"] == nil && part["Repr-Digest"] == "z")
        }
        let rest = #", "body": "see https://api.example.com/x", "rewriteOrigins": ["https://api.example.com"]"#
        try await TestServer.serving(stub: Self.stub(lines, rest)) { server async throws in
            let response = try server.request("GET", "/a")
            #expect(response.text == "see http://localhost/x")
            #expect(response["Content-MD5"] == nil && response["x-amz-checksum-crc32"] == nil)
            #expect(response["Repr-Digest"] == nil && response["ETag"] == "\"t\"")
        }
    }

    @Test func `a URL of this server that a client sends back is the one that was recorded`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/a", "method": "GET"},
               "response": {"body": "https://api.example.com", "rewriteOrigins": ["https://api.example.com", "https://b.example"]}},
              {"request": {"urlPath": "/a", "method": "PUT", "queryParameters": {"u": {"equalTo": "https://api.example.com/q"}},
                           "headers": {"Destination": {"equalTo": "https://api.example.com/b"}},
                           "bodyPatterns": [{"equalToJson": {"self": "https://api.example.com/doc"}}]},
               "response": {"body": "kept"}}
            ]}
            """#
        try await TestServer.serving(stub: stub) { server async throws in
            for host in ["localhost:\(server.port)", "127.0.0.1:\(server.port)"] {
                let encoded = host.replacing(":", with: "%3A")
                let response = try server.request(
                    "PUT", "/a?u=http%3A%2F%2F\(encoded)%2Fq", ["Host: \(host)", "Destination: http://\(host)/b"],
                    body: #"{"self": "http://\#(host)/doc"}"#)
                #expect(response.text == "kept")
            }
            let other = try server.request(
                "PUT", "/a?u=1", ["Destination: http://elsewhere/b"], body: #"{"self": "http://localhost/doc"}"#)
            #expect(other.status == 404)
        }
    }

    private static func loaded(_ text: String) throws -> Stub? {
        let directory = try TemporaryDirectory(["a.stub.json": text])
        return try FixtureLoader.load(root: directory.path).stubs.first
    }
}
