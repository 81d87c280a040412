// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Delays: lower bounds of times are no races, since nothing may come early.
@Suite(.supervised) struct DelayTests {
    private let clock = ContinuousClock()

    private func times(_ response: String, seed: UInt64 = 0, count: Int = 1) async throws -> [[Duration]] {
        var times: [[Duration]] = []
        try await TestServer.serving(
            ["x.stub.json": #"{"response": {"body": "0123456789", \#(response)}}"#], { $0.seed = seed }
        ) { server throws in
            let plain = try server.connect()
            let client = try FrameClient(port: server.port)
            for _ in 0..<count {
                let start = clock.now
                #expect(try plain.request("GET", "/").text == "0123456789")
                let middle = clock.now
                #expect(try client.get("/").text == "0123456789")
                times.append([middle - start, clock.now - middle])
            }
        }
        return times
    }

    @Test func `a fixed delay is waited for`() async throws {
        for time in try await times(#""fixedDelayMilliseconds": 80"#).joined() { #expect(time >= .milliseconds(80)) }
    }

    @Test func `fixed and random delays add up`() async throws {
        let response =
            #""fixedDelayMilliseconds": 40, "delayDistribution": {"type": "uniform", "lower": 50, "upper": 60}"#
        for time in try await times(response).joined() { #expect(time >= .milliseconds(90)) }
    }

    @Test func `a body is dribbled over its time`() async throws {
        let response = #""chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 90}"#
        for time in try await times(response).joined() { #expect(time >= .milliseconds(90)) }
    }

    @Test func `a delay holds up its own stream alone`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}},
              {"request": {"urlPath": "/fast"}, "response": {"body": "now"}}
            ]}
            """
        try await TestServer.serving(stub: stubs) { server throws in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/slow"), .request(stream: 3, "/fast"))
            #expect(try client.response(stream: 3).text == "now")
        }
    }

    @Test func `pipelined requests behind a delay are answered in their order`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/slow"}, "response": {"body": "1", "fixedDelayMilliseconds": 50}},
              {"request": {"urlPath": "/fast"}, "response": {"body": "2"}}
            ]}
            """
        try await TestServer.serving(stub: stubs) { server throws in
            let client = try server.connect()
            let requests = ["/slow", "/fast", "/slow", "/fast"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            try client.send(requests.joined())
            for text in ["1", "2", "1", "2"] { #expect(try client.response().text == text) }
        }
    }

    /// The delays that a server adds, as its journal tells them.
    private func delays(_ distribution: String, seed: UInt64, count: Int) async throws -> [Duration] {
        var delays: [Duration] = []
        try await TestServer.serving(
            ["x.stub.json": #"{"response": {"delayDistribution": \#(distribution)}}"#], { $0.seed = seed }
        ) { server async throws in
            let client = try FrameClient(port: server.port)
            for number in 0..<count { try client.send(.request(stream: UInt32(2 * number + 1), "/")) }
            #expect(try await until({ server.journal.entries.count }, is: count))
            delays = server.journal.entries.map(\.addedDelay)
        }
        return delays
    }

    @Test(arguments: [
        #"{"type": "uniform", "lower": 1000, "upper": 9000}"#, #"{"type": "lognormal", "median": 1000, "sigma": 0.5}"#,
    ])
    func `the same seed draws the same delays, another draws others`(distribution: String) async throws {
        let first = try await delays(distribution, seed: 7, count: 20)
        #expect(try await delays(distribution, seed: 7, count: 20) == first)
        #expect(try await delays(distribution, seed: 8, count: 20) != first)
        #expect(Set(first).count > 10)
    }

    @Test func `a uniform delay has both of its bounds and nothing beyond them`() async throws {
        let delays = try await delays(#"{"type": "uniform", "lower": 1000, "upper": 1003}"#, seed: 1, count: 100)
        #expect(Set(delays) == Set((1000...1003).map { .milliseconds($0) }))
    }

    @Test func `a lognormal delay has its median and keeps below its most`() async throws {
        let delays = try await delays(
            #"{"type": "lognormal", "median": 10000, "sigma": 0.4, "maxValue": 15000}"#, seed: 1, count: 100
        ).sorted()
        #expect(delays[99] <= .seconds(15))
        #expect(delays[50] > .seconds(8) && delays[50] < .seconds(12))
    }

    @Test func `the delay of the settings reaches stubs of every kind, and no file`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/plain"}, "response": {"body": "a"}},
              {"request": {"urlPath": "/rendered"},
               "response": {"transformers": ["response-template"], "body": "{{request.method}}"}},
              {"request": {"urlPath": "/broken"},
               "response": {"transformers": ["response-template"], "status": "{{request.method}}", "body": "a"}},
              {"request": {"urlPath": "/own"}, "response": {"fixedDelayMilliseconds": 70, "body": "a"}}]}
            """
        try await TestServer.serving([
            "x.stub.json": stubs, "a.txt": "a",
            "u.stub.json": #"{"resource": {"collection": "/users", "from": "u.json"}}"#,
            "u.json": #"[{"id": "1"}]"#,
        ]) { server throws in
            let settings = try server.request("POST", "/__admin/settings", body: #"{"fixedDelay": 60}"#)
            #expect(settings.status == 200)
            let client = try server.connect()
            for (path, status) in [
                ("/plain", 200), ("/rendered", 200), ("/broken", 500), ("/own", 200), ("/users", 200),
            ] {
                let start = clock.now
                #expect(try client.request("GET", path).status == status)
                #expect(clock.now - start >= .milliseconds(60), "\(path)")
            }
            #expect(try client.request("GET", "/a.txt").status == 200)
            let delays = server.journal.entries.map(\.addedDelay)
            #expect(delays == [60, 60, 60, 70, 60, 0].map { .milliseconds($0) })
        }
    }
}
