// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@Suite(.supervised) struct DeliveryReadingTests {
    private func response(_ text: String) throws -> StubResponse {
        let directory = try TemporaryDirectory(["x.stub.json": #"{"response": {\#(text)}}"#])
        let set = try directory.load()
        #expect(set.findings.map(\.description) == [])
        return try #require(set.stubs.first?.responses.first)
    }

    @Test(arguments: [
        (#""fault": "EMPTY_RESPONSE""#, Fault.emptyResponse),
        (#""fault": "CONNECTION_RESET_BY_PEER""#, .connectionResetByPeer),
        (#""fault": "MALFORMED_RESPONSE_CHUNK""#, .malformedResponseChunk),
        (#""fault": "RANDOM_DATA_THEN_CLOSE""#, .randomDataThenClose),
        (#""fault": "TRUNCATE_BODY", "afterBytes": 3"#, .truncateBody(afterBytes: 3)),
        (#""fault": "SLOW_BODY", "bytesPerSecond": 3"#, .slowBody(bytesPerSecond: 3)),
        (#""fault": "WRONG_CONTENT_LENGTH""#, .wrongContentLength), (#""fault": "BAD_GZIP""#, .badGzip),
        (#""fault": "RST_STREAM""#, .resetStream(code: 2, afterBytes: nil)),
        (#""fault": "RST_STREAM", "errorCode": "CANCEL", "afterBytes": 0"#, .resetStream(code: 8, afterBytes: 0)),
        (#""fault": "RST_STREAM", "errorCode": 4294967295"#, .resetStream(code: .max, afterBytes: nil)),
        (#""fault": "REFUSED_STREAM""#, .refusedStream),
        (#""fault": "GOAWAY""#, .goAway(code: 0, afterThisStream: true)),
        (#""fault": "GOAWAY", "errorCode": 11, "afterThisStream": false"#, .goAway(code: 11, afterThisStream: false)),
        (#""fault": "STALL""#, .stall(afterBytes: nil)),
        (#""fault": "STALL", "afterBytes": 9"#, .stall(afterBytes: 9)),
    ])
    func `a fault is read`(text: String, fault: Fault) throws {
        #expect(try response(text).fault == fault)
    }

    @Test func `delays are read`() throws {
        let response = try response(
            #""fixedDelayMilliseconds": 5, "delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4, "maxValue": 500}, "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 90}"#
        )
        #expect(response.delay.fixedMilliseconds == 5)
        #expect(response.delay.distribution == .lognormal(median: 80, sigma: 0.4, maximum: 500))
        #expect(response.delay.dribble?.chunks == 3 && response.delay.dribble?.milliseconds == 90)
    }

    @Test(arguments: [
        (
            #""fault": "TIMEOUT""#,
            #"expected "EMPTY_RESPONSE" or "CONNECTION_RESET_BY_PEER" or "MALFORMED_RESPONSE_CHUNK" or "RANDOM_DATA_THEN_CLOSE" or "TRUNCATE_BODY" or "SLOW_BODY" or "WRONG_CONTENT_LENGTH" or "BAD_GZIP" or "RST_STREAM" or "REFUSED_STREAM" or "GOAWAY" or "STALL", found "TIMEOUT" (/response/fault)"#
        ),
        (#""fault": "TRUNCATE_BODY""#, #"TRUNCATE_BODY needs "afterBytes" beside it (/response/fault)"#),
        (#""fault": "SLOW_BODY""#, #"SLOW_BODY needs "bytesPerSecond" beside it (/response/fault)"#),
        (
            #""fault": "STALL", "scope": "connection""#,
            #""scope" has no meaning here; it goes with the faults EMPTY_RESPONSE, CONNECTION_RESET_BY_PEER, MALFORMED_RESPONSE_CHUNK, RANDOM_DATA_THEN_CLOSE (/response/scope)"#
        ),
        (
            #""afterBytes": 3"#,
            #""afterBytes" has no meaning here; it goes with the faults TRUNCATE_BODY, RST_STREAM, STALL (/response/afterBytes)"#
        ),
        (
            #""delayDistribution": {"type": "uniform", "lower": 2, "upper": 1}"#,
            #""lower" is 2 and "upper" 1: "lower" must not be greater (/response/delayDistribution)"#
        ),
        (
            #""delayDistribution": {"type": "uniform", "lower": 2}"#,
            #""upper" is missing (/response/delayDistribution)"#
        ),
        (
            #""delayDistribution": {"lower": 2}"#,
            #""delayDistribution" needs "type": "fixed", "uniform" or "lognormal" (/response/delayDistribution)"#
        ),
        (
            #""delayDistribution": {"type": "lognormal", "median": 2, "sigma": -1}"#,
            #""sigma" is less than 0 (/response/delayDistribution/sigma)"#
        ),
        (
            #""delayDistribution": {"type": "lognormal", "median": 2, "sigma": 1, "maxValue": -5}"#,
            #""maxValue" is less than 0 (/response/delayDistribution/maxValue)"#
        ),
        (
            #""chunkedDribbleDelay": {"numberOfChunks": 2}"#,
            #""totalDuration" is missing (/response/chunkedDribbleDelay)"#
        ),
        (
            #""fixedDelayMilliseconds": -1"#,
            "expected a whole number from 0 to 86400000, found -1 (/response/fixedDelayMilliseconds)"
        ),
    ])
    func `what cannot be is told`(text: String, finding: String) throws {
        let findings = try TemporaryDirectory.findings(ofStub: #"{"response": {\#(text)}}"#)
        #expect(findings.count == 1 && findings[0].hasSuffix(": error: " + finding), "\(findings)")
    }
}
