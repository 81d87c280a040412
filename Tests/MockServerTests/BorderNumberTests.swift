// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Numbers at the ends of the ranges of their types, in every place where a number comes from outside: none of them ends the process.
@Suite(.supervised) struct BorderNumberTests {
    private static let numbers = [
        "0", "-0", "1", "-1", "0.5", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775806",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "1e18", "1e19", "1e308", "-1e308", "1e400", "1e-400",
        "1e9223372036854775807", "1e-9223372036854775808",
    ]

    /// Stubs with a number where `#` stands.
    private static let stubs = [
        #"{"priority": #, "request": {}, "response": {}}"#,
        #"{"request": {}, "response": {"status": #}}"#,
        #"{"request": {}, "response": {"contentLength": #}}"#,
        #"{"request": {"method": "HEAD"}, "response": {"contentLength": #, "fault": "WRONG_CONTENT_LENGTH"}}"#,
        #"{"request": {}, "response": {"fixedDelayMilliseconds": #}}"#,
        #"{"request": {}, "response": {"chunkedDribbleDelay": {"numberOfChunks": #, "totalDuration": 5}}}"#,
        #"{"request": {}, "response": {"chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": #}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "fixed", "milliseconds": #}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "uniform", "lower": 0, "upper": #}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "uniform", "lower": #, "upper": #}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "lognormal", "median": #, "sigma": 0.1}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "lognormal", "median": 5, "sigma": #}}}"#,
        #"{"request": {}, "response": {"delayDistribution": {"type": "lognormal", "median": 5, "sigma": 1, "maxValue": #}}}"#,
        #"{"request": {}, "response": {"fault": "TRUNCATE_BODY", "afterBytes": #}}"#,
        #"{"request": {}, "response": {"fault": "SLOW_BODY", "bytesPerSecond": #}}"#,
        #"{"request": {}, "response": {"fault": "RST_STREAM", "errorCode": #, "afterBytes": #}}"#,
        #"{"request": {}, "response": {"fault": "GOAWAY", "errorCode": #}}"#,
        #"{"request": {}, "response": {"fault": "STALL", "afterBytes": #}}"#,
        #"{"request": {"bodyPatterns": [{"equalToJson": #}]}, "response": {}}"#,
        #"{"request": {}, "response": {"jsonBody": #}}"#,
    ]

    /// Requests with a number where `#` stands.
    private static let requests = [
        "POST /small.txt HTTP/1.1\r\nHost: a\r\nContent-Length: #\r\n\r\n",
        "POST /small.txt HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n#\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a:#\r\n\r\n", "GET http://a:#/small.txt HTTP/1.1\r\nHost: a:#\r\n\r\n",
        "GET /small.txt HTTP/#\r\nHost: a\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=#-\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=-#\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=0-#,#-#\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip;q=#\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nIf-Modified-Since: Sun, 06 Nov # 08:49:37 GMT\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nIf-Modified-Since: Sun, # Nov 1994 08:49:37 GMT\r\n\r\n",
        "GET /small.txt HTTP/1.1\r\nHost: a\r\nIf-Modified-Since: Sunday, 06-Nov-# 08:49:37 GMT\r\n\r\n",
        "GET /__admin/requests?limit=# HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /__admin/requests?since=#-01-01T00:00:00Z HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /__admin/requests?since=2026-01-01T00:00:00.#Z HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /__admin/mappings?limit=#&offset=# HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /__admin/requests/00000000-0000-4000-8000-# HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]

    @Test func `no number of a stub ends the process`() {
        var taken = 0
        for (ordinal, text) in Self.stubs.enumerated() {
            for number in Self.numbers {
                let bytes = Array(text.replacing("#", with: number).utf8)
                let added = AddedStub(bytes, label: "x.stub.json", number: ordinal, root: "")
                // What is not taken says why.
                #expect(added.stub != nil || !added.findings.isEmpty)
                guard let stub = added.stub else { continue }
                taken += 1
                for response in stub.responses { deliver(response) }
            }
        }
        #expect(taken > Self.stubs.count)
    }

    /// Sends a response on paper, as long as it has pieces, in both protocols.
    private func deliver(_ response: StubResponse) {
        guard let prepared = PreparedDelivery(response, salt: 0) else { return }
        for version in [HTTPVersion.http11, .http2] {
            var head = RequestHead()
            head.version = version
            let length = response.contentLength ?? 3
            var sent = Response(
                head: ResponseHead(status: response.status, fields: [], framing: .length(length)),
                body: .bytes(Array("abc".utf8)))
            prepared.apply(to: &sent, for: head, on: DeliveryOccasion(seed: 1))
            #expect(FixtureResponse(sent).duration <= 2 * 86_400_000_000_000 + 1_000_000_000_000_000_000)
            guard let delivery = sent.delivery else { continue }
            let total = min(sent.body.count, delivery.bodyLimit ?? .max)
            let schedule = DeliverySchedule(delivery, total: total, now: 1)
            var now: UInt64 = 1
            for _ in 0..<5 {
                if let allowed = schedule.allowance(at: now) { #expect((0...total).contains(allowed)) }
                guard let next = schedule.next(after: now) else { break }
                #expect(next > now)
                now = next
            }
        }
    }

    @Test func `no number of a request ends the process`() async throws {
        let directory = try TemporaryDirectory(["small.txt": "a small file"])
        let answers = try FixtureResponder(fixtures: directory.path, stubs: [], configuration: .init())
        for request in Self.requests {
            for number in Self.numbers {
                let message = request.replacing("#", with: number)
                let answer = answers.respond(to: Array(message.utf8), isSecure: false)
                #expect((200...599).contains(answer.status), "\(message)")
            }
        }
    }
}
