// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests whose contents are the same to every server, though their bytes are not.
@Suite(.supervised) struct EqualContentTests {
    private func record(
        _ directory: TemporaryDirectory, _ contents: [[UInt8]], _ fields: [UpstreamField],
        _ answer: (Int) -> String = { _ in "1" }
    ) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for (number, content) in contents.enumerated() {
                let exchange = try Answer.json(answer(number)).exchange(
                    "POST", "/in", fields: fields, body: content, origin: "https://api.example.com",
                    directory: directory.path)
                outcomes.append(await session.recorder.record(exchange))
            }
            return outcomes
        }
    }

    private func ask(_ replay: Replay, _ content: [UInt8], _ fields: [UpstreamField]) async throws -> String {
        let lines = ["POST /in HTTP/1.1", "Host: localhost"] + fields.map { "\($0.name): \($0.value)" }
        let head = lines.joined(separator: "\r\n") + "\r\nContent-Length: \(content.count)\r\n\r\n"
        let answer = try await blocking { [port = replay.port] in
            let client = try WireClient(port: port)
            try client.send(Array(head.utf8) + content)
            return try client.response()
        }
        return answer.status == 200 ? answer.text : "\(answer.status)"
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `coded content is recorded decoded, and answered in whatever coding it comes`(coding: String) async throws {
        let directory = try TemporaryDirectory()
        let type = UpstreamField("Content-Type", "application/json")
        let coded = [UpstreamField("Content-Encoding", coding), type]
        let content = Array(#"{"a":1}"#.utf8)
        let outcomes = try await record(
            directory, [try #require(try Coded.bytes(content, coding)), Array(#"{ "a": 1 }"#.utf8)], coded)
        #expect(outcomes.map(\.kind) == [.new, .unchanged])
        #expect(directory.visible().filter { $0.contains("request") } == [])
        try await Replay.of(directory) { replay in
            let other = try #require(try Coded.bytes(Array(#"{"a": 1}"#.utf8), "gzip"))
            let gzip = [UpstreamField("Content-Encoding", "gzip"), type]
            for (content, fields) in [
                (try #require(try Coded.bytes(content, coding)), coded), (other, gzip), (content, [type]),
            ] {
                let text = try await ask(replay, content, fields)
                #expect(text == "1")
            }
        }
    }

    @Test func `a recorded token gets its own page, coded as gzip or written with an escape`() async throws {
        let directory = try TemporaryDirectory()
        let json = UpstreamField("Content-Type", "application/json")
        let tokens = ["zK07q7Rm2Vx9Tb4Wd8Lp3Hs00QmYr5Ew", "Qm14n8Bv2Xc6Zt0Yr5Ew9Ju37h5Gd1Sa"]
        try await directory.inSession { session in
            for (page, token) in ([""] + tokens).enumerated() {
                let next = page < tokens.count ? #","nextPageToken":"\#(tokens[page])""# : ""
                let asked = token.isEmpty ? "" : #","pageToken":"\#(token)""#
                let outcome = try await session.record(
                    "POST", "/in", fields: [json], body: #"{"limit":1\#(asked)}"#, .json(#"{"page":\#(page)\#(next)}"#))
                #expect(outcome.kind == .new)
            }
        }
        #expect(directory.visible().filter { $0.hasSuffix(".stub.json") }.count == 3)
        try await Replay.of(directory) { replay in
            for (page, token) in tokens.enumerated() {
                let first = String(token.utf8.first ?? 0, radix: 16)
                let plain = Array(#"{"limit":1,"pageToken":"\#(token)"}"#.utf8)
                let escaped = Array(#"{"limit": 1, "pageToken": "\u00\#(first)\#(token.dropFirst())"}"#.utf8)
                let coded = try #require(try Coded.bytes(escaped, "gzip"))
                for (content, fields) in [
                    (plain, [json]), (escaped, [json]), (coded, [UpstreamField("Content-Encoding", "gzip"), json]),
                ] {
                    let text = try await ask(replay, content, fields)
                    #expect(text.hasPrefix(#"{"page":\#(page + 1)"#))
                }
            }
            let unknown = try await ask(
                replay, Array(#"{"limit":1,"pageToken":"h5Gd1Sa7Kl3Pf9Mw2Nb6Vr48zK07q7Rm"}"#.utf8), [json])
            #expect(unknown == "404")
        }
    }

    // MARK: XML

    private static let xml = [UpstreamField("Content-Type", "text/xml; charset=utf-8")]
    private static let utility =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
    private static let secext = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

    private static func envelope(_ body: String, _ header: String = "") -> [UInt8] {
        let soap = "http://schemas.xmlsoap.org/soap/envelope/"
        return Array(
            "<s:Envelope xmlns:s=\"\(soap)\"><s:Header>\(header)</s:Header><s:Body>\(body)</s:Body></s:Envelope>".utf8)
    }

    /// A message with Web Services Security, as a client makes it again each time.
    private static func secured(_ body: String, _ number: Int) -> [UInt8] {
        envelope(
            body,
            """
            <w:Security xmlns:w="\(secext)" xmlns:u="\(utility)"><u:Timestamp u:Id="TS-\(number)"><u:Created>2026-11-2\(number)T10:00:00Z</u:Created>\
            <u:Expires>2026-11-2\(number)T11:00:00Z</u:Expires></u:Timestamp><w:UsernameToken u:Id="UT-\(number)">\
            <w:Username>ann</w:Username><w:Password>hunter\(number)pw</w:Password><w:Nonce>bm9uY2U\(number)bm9u==</w:Nonce>\
            </w:UsernameToken></w:Security><a:MessageID xmlns:a="http://www.w3.org/2005/08/addressing">urn:uuid:0\(number)</a:MessageID>
            """)
    }

    @Test func `XML is the same with other white space, order of attributes, declaration and comments`() async throws {
        let directory = try TemporaryDirectory()
        let contents = [
            "<order id=\"1\" at=\"x\"><item>tea</item><count>2</count></order>",
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- again -->\n<order at='x' id='1'>\n  <item> tea </item>\n  <count>2</count>\n</order>\n",
            "<order id=\"1\" at=\"x\"><count>2</count><item>tea</item></order>",
        ].map { Array($0.utf8) }
        #expect(try await record(directory, contents, Self.xml).map(\.kind) == [.new, .unchanged, .unchanged])
        let request = try JSONParser.parse(directory.bytes("in.POST.stub.json"))["request"]
        #expect(
            request?["bodyPatterns"]?.array?.first?["equalToXml"]?.string
                == "<order id=\"1\" at=\"x\"><item>tea</item><count>2</count></order>")
        try await Replay.of(directory) { replay in
            for content in contents {
                let text = try await ask(replay, content, Self.xml)
                #expect(text == "1")
            }
            let text = try await ask(replay, Array("<order id=\"2\" at=\"x\"/>".utf8), Self.xml)
            #expect(text == "404")
        }
        let before = directory.snapshot()
        #expect(try await record(directory, contents.reversed(), Self.xml).allSatisfy { $0.kind == .unchanged })
        #expect(directory.snapshot() == before)
    }

    @Test func `what a secured message has again each time is ignored, and no secret of it is written`() async throws {
        let directory = try TemporaryDirectory()
        let contents = [
            Self.secured("<get>1</get>", 1), Self.secured("<get>2</get>", 2), Self.secured("<get>1</get>", 3),
        ]
        let outcomes = try await record(directory, contents, Self.xml) { ["1", "2", "1"][$0] }
        #expect(outcomes.map(\.kind) == [.new, .new, .unchanged], "\(outcomes)")
        #expect(directory.visible().allSatisfy { !directory.text($0).contains("hunter") })
        try await Replay.of(directory) { replay in
            for (get, answer) in [("2", "2"), ("1", "1"), ("3", "404"), ("2", "2")] {
                let text = try await ask(replay, Self.secured("<get>\(get)</get>", 7), Self.xml)
                #expect(text == answer)
            }
        }
    }

    @Test func `a time in XML that tells two answers apart is asked for`() async throws {
        let directory = try TemporaryDirectory()
        let contents = ["2026-11-20T09:59:00Z", "2026-11-20T09:58:00Z"].map { Self.envelope("<since>\($0)</since>") }
        _ = try await record(directory, contents, Self.xml) { "\($0)" }
        try await Replay.of(directory) { replay in
            for number in [1, 0, 1] {
                let text = try await ask(replay, contents[number], Self.xml)
                #expect(text == "\(number)")
            }
        }
    }

    @Test func `XML in another order that is answered otherwise has a stub of its own`() async throws {
        let directory = try TemporaryDirectory()
        let contents = ["<a><x/><y/></a>", "<a><y/><x/></a>"].map { Array($0.utf8) }
        _ = try await record(directory, contents, Self.xml) { "\($0)" }
        try await Replay.of(directory) { replay in
            for number in [1, 0, 1] {
                let text = try await ask(replay, contents[number], Self.xml)
                #expect(text == "\(number)")
            }
        }
    }
}
