// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Content of a request that is too long to be read in a stub: a file beside it, which its matcher reads.
@Suite(.supervised) struct LongContentTests {
    private static let limit = 16 * 1024
    private static let csv = [UpstreamField("Content-Type", "text/csv")]
    private static let json = [UpstreamField("Content-Type", "application/json")]
    private static let form = [UpstreamField("Content-Type", "application/x-www-form-urlencoded")]

    private static func rows(_ bytes: Int) -> String {
        var rows: [UInt8] = []
        var number = 1
        while rows.count < bytes {
            rows += Array("row \(number),blue\n".utf8)
            number += 1
        }
        return String(decoding: rows.prefix(bytes), as: UTF8.self)
    }

    private static func items(_ count: Int, _ name: (Int) -> String = { "name \($0)" }) -> String {
        #"{"items":["#
            + (0..<count).map { #"{"id":\#($0),"name":"\#(name($0))","isOpen":true}"# }
            .joined(separator: ",") + "]}"
    }

    private func stub(_ directory: TemporaryDirectory, _ path: String) throws -> JSONNode {
        try JSONParser.parse(directory.bytes(path))
    }

    private func matcher(_ directory: TemporaryDirectory, _ path: String) throws -> JSONNode? {
        try stub(directory, path)["request"]?["bodyPatterns"]?.array?.first
    }

    @Test(arguments: [(-1, false), (0, false), (1, true)])
    func `a text of more than 16 KiB is a file`(more: Int, isFile: Bool) async throws {
        let directory = try TemporaryDirectory()
        let body = Self.rows(Self.limit + more)
        let outcome = try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.csv, body: body, .json("{}"))
        }
        let own = isFile ? ["upload.POST.request.csv"] : []
        #expect(outcome.files == ["upload.POST.stub.json", "upload.POST.json"] + own)
        #expect(outcome.content?.path == own.first)
        let matcher = try #require(try matcher(directory, "upload.POST.stub.json"))
        #expect(matcher[isFile ? "equalToFile" : "equalTo"]?.string == (isFile ? "upload.POST.request.csv" : body))
        if isFile { #expect(directory.text("upload.POST.request.csv") == body) }
        #expect(try stub(directory, "upload.POST.stub.json")["recorded"]?["bodyFile"] == nil)
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/upload", Self.csv, body: body) == "200 {}")
            #expect(try await replay.answer("POST", "/upload", Self.csv, body: body + "x").status == 404)
        }
    }

    @Test func `a table of 1 MB is matched byte for byte, and a miss says where another differs`() async throws {
        let directory = try TemporaryDirectory()
        let body = Self.rows(1_000_000)
        try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.csv, body: body, .json("{}"))
        }
        #expect(directory.bytes("upload.POST.stub.json").count < 1024)
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/upload", Self.csv, body: body) == "200 {}")
            let changed = body.replacing("row 40000,blue", with: "row 40000,pink")
            let miss = try await replay.text("POST", "/upload", Self.csv, body: changed)
            #expect(miss.hasPrefix("404"))
            #expect(
                miss.contains(
                    "expected the 1000000 bytes of upload.POST.request.csv, found 1000000 bytes that differ from line 40000, column 11 on"
                ), "\(miss.prefix(2000))")
        }
        let before = directory.snapshot()
        let again = try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.csv, body: body, .json("{}"))
        }
        #expect(again.kind == .unchanged)
        #expect(directory.snapshot() == before)
    }

    @Test func `JSON of 1.2 MB is compared as JSON, and a miss names the place`() async throws {
        let directory = try TemporaryDirectory()
        let body = Self.items(27_000)
        #expect(body.utf8.count > 1_200_000)
        try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.json, body: body, .json("{}"))
        }
        #expect(
            try matcher(directory, "upload.POST.stub.json")?["equalToJsonFile"]?.string == "upload.POST.request.json")
        #expect(directory.bytes("upload.POST.stub.json").count < 1024)
        let spaced = body.replacing(#""id":"#, with: #""id" : "#).replacing("true", with: " true")
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/upload", Self.json, body: spaced) == "200 {}")
            let miss = try await replay.text(
                "POST", "/upload", Self.json, body: Self.items(27_000) { $0 == 700 ? "other" : "name \($0)" })
            #expect(miss.hasPrefix("404"))
            #expect(miss.contains(#"body /items/700/name: expected "name 700", found "other""#), "\(miss.prefix(2000))")
        }
        let before = directory.snapshot()
        let again = try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.json, body: spaced, .json("{}"))
        }
        #expect(again.kind == .unchanged)
        #expect(directory.snapshot() == before)
    }

    @Test func `XML is compared as XML`() async throws {
        let directory = try TemporaryDirectory()
        let fields = [UpstreamField("Content-Type", "application/xml")]
        let body = "<a>" + (1...2000).map { "<b n=\"\($0)\">text</b>" }.joined() + "</a>"
        try await directory.inSession {
            try await $0.record("POST", "/upload", fields: fields, body: body, .json("{}"))
        }
        #expect(try matcher(directory, "upload.POST.stub.json")?["equalToXmlFile"]?.string == "upload.POST.request.xml")
        try await Replay.of(directory) { (replay: Replay) async throws in
            let spaced = body.replacing("<b", with: "\n  <b")
            #expect(try await replay.text("POST", "/upload", fields, body: spaced) == "200 {}")
            let other = body.replacing("\"700\"", with: "\"7\"")
            let miss = try await replay.text("POST", "/upload", fields, body: other)
            #expect(miss.hasPrefix("404") && miss.contains("what upload.POST.request.xml holds"), "\(miss)")
        }
    }

    @Test func `a form is a file whole; with a secret its long fields are matched as present`() async throws {
        let directory = try TemporaryDirectory()
        let long = String(repeating: "x", count: 20_000)
        let token = "kR7" + "tQ2mZ9" + "pLw4"
        try await directory.inSession { session in
            try await session.record("POST", "/plain", fields: Self.form, body: "a=\(long)&b=1", .json("{}"))
            try await session.record(
                "POST", "/secret", fields: Self.form, body: "a=\(long)&password=\(token)&b=1", .json("{}"))
        }
        #expect(try matcher(directory, "plain.POST.stub.json")?["equalToFile"] != nil)
        #expect(directory.bytes("secret.POST.stub.json").count < 2048)
        #expect(!directory.text("secret.POST.stub.json").contains(token))
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/plain", Self.form, body: "a=\(long)&b=1") == "200 {}")
            #expect(try await replay.answer("POST", "/plain", Self.form, body: "a=\(long)y&b=1").status == 404)
            #expect(
                try await replay.text("POST", "/secret", Self.form, body: "b=1&a=\(long)&password=other") == "200 {}")
            #expect(
                try await replay.answer("POST", "/secret", Self.form, body: "b=2&a=\(long)&password=x").status == 404)
        }
    }

    @Test func `a secret is not in the file, and a client with another value still meets the stub`() async throws {
        let directory = try TemporaryDirectory()
        let token = "kR7" + "tQ2mZ9" + "pLw4"
        func body(_ password: String) -> String {
            #"{"password":"\#(password)","list":"# + Self.items(1000) + "}"
        }
        try await directory.inSession {
            try await $0.record("POST", "/in", fields: Self.json, body: body(token), .json("{}"))
        }
        let file = directory.text("in.POST.request.json")
        #expect(!file.contains(token) && file.contains("${json-unit.any-string}"))
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/in", Self.json, body: body("another")) == "200 {}")
        }
        let before = directory.snapshot()
        let again = try await directory.inSession {
            try await $0.record("POST", "/in", fields: Self.json, body: body("third"), .json("{}"))
        }
        #expect(again.kind == .unchanged)
        #expect(directory.snapshot() == before)
    }

    @Test(arguments: [true, false])
    func `a secret that is learnt later leaves the file`(isJSON: Bool) async throws {
        let directory = try TemporaryDirectory()
        let value = "k9" + "Trw4-Zq81mB"
        let type = isJSON ? Self.json : [UpstreamField("Content-Type", "text/plain")]
        func body(_ value: String) -> String {
            isJSON ? #"{"note":"\#(value)","list":\#(Self.items(1000))}"# : "of \(value)\n" + Self.rows(20_000)
        }
        try await directory.inSession { session in
            try await session.record("POST", "/in", fields: type, body: body(value), .json("{}"))
            try await session.record(
                "GET", "/a", fields: [UpstreamField("Authorization", "Bearer \(value)")], .json("{}"))
        }
        for (path, bytes) in directory.snapshot() {
            #expect(!String(decoding: bytes, as: UTF8.self).contains(value), "\(path)")
        }
        let stub = try stub(directory, "in.POST.stub.json")
        #expect((stub["request"]?["bodyPatterns"] != nil) == isJSON)
        try await Replay.of(directory) { (replay: Replay) async throws in
            #expect(try await replay.text("POST", "/in", type, body: body("another-value")) == "200 {}")
        }
    }

    @Test func `two contents of one target are two stubs, with a file each`() async throws {
        let directory = try TemporaryDirectory()
        let bodies = [Self.rows(20_000), Self.rows(20_001)]
        try await directory.inSession { session in
            for (number, body) in bodies.enumerated() {
                try await session.record("POST", "/upload", fields: Self.csv, body: body, .json("\(number)"))
            }
        }
        let files = directory.visible().filter { $0.hasSuffix(".csv") }
        #expect(files.count == 2)
        try await Replay.of(directory) { (replay: Replay) async throws in
            for (number, body) in bodies.enumerated() {
                #expect(try await replay.text("POST", "/upload", Self.csv, body: body) == "200 \(number)")
            }
        }
        let before = directory.snapshot()
        try await directory.inSession { session in
            for (number, body) in bodies.enumerated().reversed() {
                let again = try await session.record(
                    "POST", "/upload", fields: Self.csv, body: body, .json("\(number)"))
                #expect(again.kind == .unchanged)
            }
        }
        #expect(directory.snapshot() == before)
    }

    @Test func `requests that a line tells apart have a file each`() async throws {
        let directory = try TemporaryDirectory()
        let body = Self.rows(20_000)
        func fields(_ language: String) -> [UpstreamField] { Self.csv + [UpstreamField("Accept-Language", language)] }
        try await directory.inSession { session in
            for language in ["de", "en", "de"] {
                try await session.record(
                    "POST", "/upload", fields: fields(language), body: body,
                    .json("\"\(language)\"", UpstreamField("Vary", "Accept-Language")))
            }
        }
        try await Replay.of(directory) { (replay: Replay) async throws in
            for language in ["de", "en"] {
                #expect(
                    try await replay.text("POST", "/upload", fields(language), body: body) == "200 \"\(language)\"")
                #expect(try await replay.answer("POST", "/upload", fields(language), body: body + "x").status == 404)
            }
        }
    }

    @Test func `what a recording of before has in its stub stays there`() async throws {
        let directory = try TemporaryDirectory()
        let body = Self.rows(20_000)
        try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.csv, body: body, .json("{}"))
        }
        let text = directory.text("upload.POST.stub.json").replacing(
            #""equalToFile": "upload.POST.request.csv""#,
            with: #""equalTo": \#(String(decoding: JSONWriter.compact(.string(body)), as: UTF8.self))"#)
        try directory.write("upload.POST.stub.json", text)
        directory.remove("upload.POST.request.csv")
        let again = try await directory.inSession {
            try await $0.record("POST", "/upload", fields: Self.csv, body: body, .json(#"{"a":1}"#))
        }
        #expect(again.kind == .changed)
        #expect(try matcher(directory, "upload.POST.stub.json")?["equalTo"]?.string == body)
        #expect(!directory.visible().contains("upload.POST.request.csv"))
    }

    @Test func `text in an old coding is kept byte for byte`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let body = Array(repeating: latin1("gr\u{FC}n;\u{E4}\n"), count: 20_000).flatMap(\.self)
        let exchange = try Answer.json("{}").exchange(
            "POST", "/upload", fields: Self.csv, body: body, origin: "https://api.example.com",
            directory: directory.path)
        #expect(await session.recorder.record(exchange).kind == .new)
        _ = await session.recorder.finish()
        #expect(try matcher(directory, "upload.POST.stub.json")?["equalToFile"]?.string == "upload.POST.request.csv")
        #expect(directory.bytes("upload.POST.request.csv") == body)
    }
}
