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

/// Numbers at the ends of their ranges, which no check of the fixtures may have seen.
@Suite(.supervised) struct ExtremeDeliveryTests {
    @Test(arguments: [
        (ResponseDelay.Distribution.lognormal(median: 5, sigma: 0.1, maximum: -5), 0...0),
        (.lognormal(median: .infinity, sigma: .infinity, maximum: .nan), 86_400_000...86_400_000),
        (.lognormal(median: -.infinity, sigma: 1, maximum: nil), 86_400_000...86_400_000),
        (.uniform(lower: .min, upper: .max), 0...86_400_000), (.uniform(lower: .max, upper: .min), 0...86_400_000),
        (.fixed(.max), 86_400_000...86_400_000), (.fixed(.min), 0...0),
    ])
    func `a delay is from nothing to a day`(distribution: ResponseDelay.Distribution, range: ClosedRange<Int>) {
        for number in 0..<100 {
            var draw = SeededDraw(seed: 1, salt: 2, number: UInt64(number))
            #expect(range.contains(draw.milliseconds(distribution)))
        }
        var response = StubResponse()
        response.delay.fixedMilliseconds = .max
        response.delay.distribution = distribution
        response.delay.dribble = ResponseDelay.Dribble(chunks: 1, milliseconds: .max)
        var sent = Response(head: ResponseHead(status: 200, fields: [], framing: .none))
        PreparedDelivery(response, salt: 0)?.apply(to: &sent, for: RequestHead(), on: DeliveryOccasion(seed: 0))
        #expect((sent.delivery?.delay ?? 0) >= 86_400_000_000_000)
    }

    @Test func `a content length that has no successor is announced wrong all the same`() async throws {
        let stub = """
            {"request": {"method": "HEAD", "urlPath": "/h"},
             "response": {"status": 200, "contentLength": 9223372036854775807, "fault": "WRONG_CONTENT_LENGTH"}}
            """
        try await TestServer.serving(stub: stub) { server in
            let answer = try await blocking { try server.request("HEAD", "/h") }
            #expect(answer["Content-Length"] == "9223372036854775806")
        }
    }

    @Test func `a request in the process may announce any length`() throws {
        let directory = try TemporaryDirectory([:])
        let answers = try FixtureResponder(fixtures: directory.path, stubs: [], configuration: .init())
        for length in ["9223372036854775807", "9223372036854775808", "99999999999999999999"] {
            let message = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
            let answer = answers.respond(to: Array(message.utf8), isSecure: false)
            #expect(answer.status == (Int(length) == nil ? 400 : 413))
        }
    }

    @Test func `durations beyond all sense are long, not a trap`() {
        #expect(Duration.seconds(Int64.max).nanoseconds == 3_153_600_000_000_000_000)
        #expect(Duration.seconds(Int64.min).nanoseconds == 0)
        _ = MockResponse(delay: .seconds(Int64.max))
        _ = MockResponse(delay: .seconds(Int64.min))
    }
}
