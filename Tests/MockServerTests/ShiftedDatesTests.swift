// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates in recorded bodies, which are as far away at replay as they were.
@Suite(.supervised) struct ShiftedDatesTests {
    /// 2026-11-20T10:00:00Z.
    private static let recordedAt = 1_795_168_800
    private static let day = 86_400

    @Test(arguments: [
        ("2026-11-20T11:00:00Z", "2027-12-25T11:00:00Z"),
        ("2026-11-20t12:00:00.123456+01:00", "2027-12-25t12:00:00.123456+01:00"),
        ("2026-11-20T10:59:59.5z", "2027-12-25T10:59:59.5z"),
        ("Fri, 20 Nov 2026 11:00:00 GMT", "Sat, 25 Dec 2027 11:00:00 GMT"),
        (
            #"{"exp":1795172400,"expires_at" : 1795172400123}"#, #"{"exp":1829732400,"expires_at" : 1829732400123}"#
        ),
        (#"{"validUntil": "1795172400"}"#, #"{"validUntil": "1829732400"}"#),
        (#"{"exp":1795172400.25}"#, #"{"exp":1829732400.25}"#),
        ("see 2026-12-31T23:59:59Z, or", "see 2028-02-04T23:59:59Z, or"),
        // What was past stays, and what only looks like a date.
        ("2026-11-20T09:59:59Z", "2026-11-20T09:59:59Z"), ("1795168799", "1795168799"),
        ("Fri, 20 Nov 2026 09:00:00 GMT", "Fri, 20 Nov 2026 09:00:00 GMT"), ("id-1795172400", "id-1795172400"),
        ("1795172400-a", "1795172400-a"), ("17951724001", "17951724001"), ("a1795172400", "a1795172400"),
        ("9795172400", "9795172400"), ("2026-13-20T11:00:00Z", "2026-13-20T11:00:00Z"), ("2026-12-20", "2026-12-20"),
        // Any number may have as many digits.
        (#"{"id":1795172400,"exp":[1795172400]}"#, #"{"id":1795172400,"exp":[1795172400]}"#),
        (#"["exp",1795172400]"#, #"["exp",1795172400]"#), ("exp:1795172400", "exp:1795172400"),
        (#"{"phone": "1795172400", "no": 1795172400123}"#, #"{"phone": "1795172400", "no": 1795172400123}"#),
        ("2026-11-20T11:00:00", "2026-11-20T11:00:00"), ("", ""), ("Mon", "Mon"),
    ]) func `a date that was in the future keeps its distance and its form`(text: String, expected: String) {
        let dates = ShiftedDates(from: Self.recordedAt, by: 400 * Self.day)
        #expect(String(decoding: dates.moved(Array(text.utf8)), as: UTF8.self) == expected)
        #expect(dates.moved(Array("1795172400".utf8), isEnd: true) == Array("1829732400".utf8))
        #expect(ShiftedDates(from: Self.recordedAt, by: 0).moved(Array(text.utf8)) == Array(text.utf8))
    }

    @Test func `a text of more than 1 MiB stays as it is`() {
        let dates = ShiftedDates(from: Self.recordedAt, by: 400 * Self.day)
        let date = Array("2026-11-20T11:00:00Z".utf8)
        let space = [UInt8](repeating: 0x20, count: ShiftedDates.limit - date.count)
        #expect(dates.moved(date + space) == Array("2027-12-25T11:00:00Z".utf8) + space)
        #expect(dates.moved(date + space + [0x20]) == date + space + [0x20])
    }

    @Test func `what was rendered is not rendered again`() throws {
        let text =
            #"{"request": {"urlPath": "/a"}, "response": {"transformers": ["response-template"], "body": "{{request.path}}"}}"#
        let directory = try TemporaryDirectory(["a.stub.json": text])
        let stub = try #require(try FixtureLoader.load(root: directory.path).stubs.first)
        let response = try #require(stub.responses.first)
        let original = PreparedResponse(response: response, salt: 0)
        #expect(original.templated != nil)
        #expect(PreparedResponse(response: response, salt: 0, rendered: original).templated == nil)
    }

    @Test func `a server whose clock stands has moved the dates of recordings, and its own`() async throws {
        let stub = { (dates: String) in
            """
            {"request": {"urlPath": "/\(dates.isEmpty ? "b" : "a")"}, "response": {"headers": ["Content-Type: application/json",
              "Set-Cookie: sid=1; Expires=Fri, 20 Nov 2026 11:00:00 GMT", "Expires: Fri, 20 Nov 2026 10:01:00 GMT"],
              "body": "{\\"expires_at\\": \\"2026-11-20T11:00:00Z\\"}"\(dates)},
             "recorded": {"from": "https://api.example.com", "at": "2026-11-20T10:00:00Z"}}
            """
        }
        let directory = try TemporaryDirectory(["a.stub.json": stub(#", "dates": "shift""#), "b.stub.json": stub("")])
        try directory.write(
            "c.stub.json",
            """
            {"request": {"urlPath": "/c"}, "response": {"body": "{\\"path\\": \\"{{request.path}}\\", \\"expires_at\\": \\"2026-11-20T11:00:00Z\\"}",
              "transformers": ["response-template"], "dates": "shift"},
             "recorded": {"from": "https://api.example.com", "at": "2026-11-20T10:00:00Z"}}
            """)
        var configuration = MockServer.Configuration()
        configuration.tls = nil
        configuration.now = .init(timeIntervalSince1970: Double(Self.recordedAt + 400 * Self.day))
        let server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        let port = server.address.split(separator: ":").last.flatMap { Int($0) } ?? 0
        for _ in 0..<2 {
            for (path, date) in [("/a", "2027-12-25T11:00:00Z"), ("/b", "2026-11-20T11:00:00Z")] {
                let response = try await blocking { try WireClient(port: port).request("GET", path) }
                #expect(response.text == "{\"expires_at\": \"\(date)\"}")
                #expect(response["Set-Cookie"] == "sid=1; Expires=Sat, 25 Dec 2027 11:00:00 GMT")
                #expect(response["Expires"] == "Sat, 25 Dec 2027 10:01:00 GMT")
                #expect(response["Date"] == "Sat, 25 Dec 2027 10:00:00 GMT")
            }
            let http2 = try await blocking { try FrameClient(port: port).get("/a") }
            #expect(http2["Date"] == "Sat, 25 Dec 2027 10:00:00 GMT")
            let rendered = try await blocking { try WireClient(port: port).request("GET", "/c") }
            #expect(rendered.text == "{\"path\": \"/c\", \"expires_at\": \"2027-12-25T11:00:00Z\"}")
            // What is read again has the same clock.
            _ = try await blocking { try WireClient(port: port).request("POST", "/__admin/reset") }
        }
        await server.stop()
    }
}
