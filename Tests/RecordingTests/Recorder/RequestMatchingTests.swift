// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What a stub asks of a request, derived from one that was sent.
@Suite(.supervised) struct RequestMatchingTests {
    private func request(
        _ method: String, _ target: String, fields: [UpstreamField] = [], body: String = "",
        _ answer: Answer = .json("{}")
    ) async throws -> JSONNode {
        let directory = try TemporaryDirectory()
        let outcome = try await Session(directory).record(method, target, fields: fields, body: body, answer)
        let stub = try #require(outcome.files.first)
        return try #require(try JSONParser.parse(directory.bytes(stub))["request"])
    }

    @Test func `parameters are matched decoded, repeats in full, others refused`() async throws {
        let node = try await request("GET", "/a%2Fb?x=1+2&y=a&y=%C3%A9&flag")
        #expect(
            String(decoding: JSONWriter.compact(node), as: UTF8.self)
                == #"{"method":"GET","urlPath":"/a%2Fb","queryParameters":{"x":{"equalTo":"1 2"},"y":{"hasExactly":[{"equalTo":"a"},{"equalTo":"é"}]},"flag":{"equalTo":""}},"otherQueryParameters":"refuse"}"#
        )
    }

    @Test func `a query that is not a list of parameters is matched as it is`() async throws {
        let node = try await request("GET", "/a?=%FF")
        #expect(node["url"]?.string == "/a?=%FF")
        #expect(node["urlPath"] == nil)
    }

    @Test func `secrets in a query that is not a list of parameters are matched as present and told by nobody`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let token = "kR7" + "tQ2mZ9" + "pLw4"
        let outcome = try await Session(directory).record("GET", "/a.b?x=%FF&access_token=\(token)&y=1", .json("{}"))
        #expect(outcome.kind == .new)
        #expect(outcome.request == "GET /a.b?x=%FF&access_token=redacted.query.access_token&y=1")
        let stub = directory.text(try #require(outcome.files.first))
        #expect(!stub.contains(token))
        let request = try JSONParser.parse(Array(stub.utf8))["request"]
        #expect(request?["urlPattern"]?.string == #"/a\.b\?x=%FF&access_token=[^&]+&y=1"#)
    }

    @Test func `credentials are matched as present, cookies and conditions not at all`() async throws {
        let node = try await request(
            "GET", "/a",
            fields: [
                UpstreamField("Authorization", "Bearer abcdefgh12345678"), UpstreamField("Cookie", "a=bcdefghijkl"),
                UpstreamField("Accept", "application/json"), UpstreamField("User-Agent", "x"),
            ])
        #expect(
            String(decoding: JSONWriter.compact(node["headers"] ?? .null), as: UTF8.self)
                == #"{"Authorization":{"matches":".+"}}"#)
    }

    @Test func `credentials that are empty or no text are matched as such`() async throws {
        let node = try await request(
            "GET", "/a",
            fields: [
                UpstreamField("Authorization", ""),
                UpstreamField("X-Api-Key", bytes: Array("k\u{E9}y".unicodeScalars.map { UInt8($0.value) })),
            ])
        #expect(
            String(decoding: JSONWriter.compact(node["headers"] ?? .null), as: UTF8.self)
                == #"{"Authorization":{"equalTo":""},"X-Api-Key":{"not":{"absent":true}}}"#)
    }

    /// A form as a browser of old sends it: names and values in Latin-1.
    private static let oldForm = latin1(
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"gr\u{F6}\u{DF}e.txt\"\r\n\r\ntext\r\n--b--\r\n"
    )

    @Test(arguments: [
        ("POST", [UpstreamField("Content-Type", "multipart/form-data; boundary=b")], oldForm),
        (
            "POST", [UpstreamField("Content-Type", bytes: latin1("text/plain; x=\"\u{E9}\""))],
            Array("x".utf8)
        ),
        ("POST", [UpstreamField("Content-Type", bytes: [0xE9])], Array("x".utf8)),
        (
            "POST", [UpstreamField("Content-Type", "multipart/mixed; boundary=\"b\"")],
            Array("--b\r\n\r\n1\r\n--b\r\nh: 1\r\n\r\n--b--\r\n".utf8)
        ),
        ("GET", [UpstreamField("Cookie", "si d=k9Trw4Zmul; a=1; a=2"), UpstreamField("Cookie", "a=3; b = 4")], []),
        ("GET", [UpstreamField("Authorization", "")], []),
        ("GET", [UpstreamField("Authorization", bytes: latin1("Token caf\u{E9}"))], []),
        ("GET", [UpstreamField("Accept-Language", bytes: [0xE9, 0x64, 0x65])], []),
    ])
    func `a stub answers the request that it was recorded from`(
        method: String, fields: [UpstreamField], body: [UInt8]
    ) async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let answer = Answer.json("{}", UpstreamField("Vary", "Accept-Language"))
        let exchange = try answer.exchange(
            method, "/a", fields: fields, body: body, origin: "https://api.example.com", directory: directory.path)
        #expect(await session.recorder.record(exchange).kind == .new)
        let server = try await MockServer.start(fixtures: directory.path)
        let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
        var bytes = Array("\(method) /a HTTP/1.1\r\nHost: localhost\r\n".utf8)
        for field in fields { bytes += Array("\(field.name): ".utf8) + field.bytes + Array("\r\n".utf8) }
        bytes += Array((body.isEmpty ? "\r\n" : "Content-Length: \(body.count)\r\n\r\n").utf8) + body
        let status = try await blocking { [bytes] in
            let client = try WireClient(port: port)
            try client.send(bytes)
            return try client.response().status
        }
        #expect(status == 200, "\(directory.text(directory.visible().first { $0.hasSuffix(".stub.json") } ?? ""))")
        await server.stop()
    }

    @Test func `a line that the response varies by is asked for once another value is answered otherwise`() async throws
    {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        for language in ["de", "en"] {
            let fields = [UpstreamField("Accept-Language", language), UpstreamField("Accept", "*/*")]
            try await session.record(
                "GET", "/a", fields: fields,
                .json("\"\(language)\"", UpstreamField("Vary", "accept, Accept-Language, Accept-Encoding")))
            let node = try JSONParser.parse(directory.bytes("a.stub.json"))["request"]?["headers"]
            #expect(
                node.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) }
                    == (language == "de" ? nil : #"{"Accept-Language":{"equalTo":"de"}}"#))
        }
    }

    @Test func `bytes that are not text are matched by their bytes and stored beside`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let exchange = try Answer.json("{}").exchange(
            "PUT", "/a", fields: [UpstreamField("Content-Type", "application/octet-stream")], body: [0, 1, 2, 0xFF],
            origin: "https://api.example.com", directory: directory.path)
        let outcome = await session.recorder.record(exchange)
        #expect(outcome.files == ["a.PUT.stub.json", "a.PUT.json", "a.PUT.request.bin"])
        let stub = try JSONParser.parse(directory.bytes("a.PUT.stub.json"))
        #expect(stub["request"]?["bodyPatterns"]?.array?.first?["binaryEqualTo"]?.string == "AAEC/w==")
        #expect(stub["recorded"]?["bodyFile"]?.string == "a.PUT.request.bin")
        #expect(directory.bytes("a.PUT.request.bin") == [0, 1, 2, 0xFF])
    }

    @Test func `a multipart body is matched part by part and stored with a boundary that is always the same`()
        async throws
    {
        let directory = try TemporaryDirectory()
        func body(_ boundary: String) -> String {
            """
            --\(boundary)\r
            Content-Disposition: form-data; name="title"\r
            \r
            A wave\r
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="a.txt"\r
            Content-Type: text/plain\r
            \r
            text\r
            --\(boundary)--\r

            """
        }
        func fields(_ boundary: String) -> [UpstreamField] {
            [UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)")]
        }
        let session = try Session(directory)
        try await session.record("POST", "/a", fields: fields("x1"), body: body("x1"), .json("{}"))
        #expect(directory.text("a.POST.request.multipart") == body("boundary"))
        let again = try await session.record("POST", "/a", fields: fields("y2"), body: body("y2"), .json("{}"))
        #expect(again.kind == .unchanged)
        _ = await session.recorder.finish()
        let server = try await MockServer.start(fixtures: directory.path)
        let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
        let text = body("z3")
        let status = try await blocking {
            let client = try WireClient(port: port)
            try client.send(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=z3\r\n"
                    + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
            return try client.response().status
        }
        #expect(status == 200)
        await server.stop()
    }

    @Test(arguments: [(70, true), (71, false)])
    func `a multipart boundary is as long as it may be`(count: Int, isRead: Bool) async throws {
        let boundary = String(repeating: "b", count: count)
        let body = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--\(boundary)--\r\n"
        let type = UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)")
        let node = try await request("POST", "/m", fields: [type], body: body)
        let patterns = try #require(node["bodyPatterns"]?.array)
        #expect(patterns.contains { $0["contains"] != nil } == isRead)
    }
}
