// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an expectation says does not depend on when its request is answered; it does on how it came.
@Suite(.supervised) struct ExpectationTimesTests {
    private static let forms = ExpectationFormsTests.lines + ExpectationFormsTests.bodies

    /// How a request is answered that has come.
    enum Answer: CaseIterable {
        case held, late, computed, stalled

        var stub: MockStub {
            switch self {
            case .held: RequestMatch.anyURL().respond(204).hold("answer")
            case .late: RequestMatch.anyURL().respond(204, delay: .seconds(3600))
            case .computed:
                RequestMatch.anyURL().respond { _ in
                    try await Task.sleep(for: .seconds(3600))
                    return MockResponse(204)
                }
            case .stalled: RequestMatch.anyURL().respond(body: "x", fault: .stall())
            }
        }
    }

    @Test(arguments: Answer.allCases, [0, 1]) func `each form is judged when its request comes`(
        answer: Answer, count: Int
    ) async throws {
        let server = try await MockServer.start(stubs: [answer.stub])
        for form in Self.forms { server.expect(form.match, .times(count), at: CallSite()) }
        let asked = ExpectationFormsTests.Asked(nil)
        let client = try WireClient(port: server.baseURL.port ?? 0)
        let head = ["\(asked.method) \(asked.target) HTTP/1.1"] + asked.lines
        try client.send(
            head.joined(separator: "\r\n") + "\r\nContent-Length: \(asked.body.utf8.count)\r\n\r\n" + asked.body)
        try await server.expect(.anyURL("POST"), .once, within: .seconds(60), at: CallSite())
        let results = server.verification(allowsUnmatched: true)
        #expect(results.count == Self.forms.count + 1)
        for (form, result) in zip(Self.forms, results) {
            #expect((result.failure == nil) == (count == 1), "\(form.match): \(result.failure?.text ?? "met")")
        }
        await server.stop()
    }

    @Test(arguments: [WireProtocol.http1, .http2]) func `a form over a protocol fails over the other`(
        asked: WireProtocol
    ) async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.anyURL().respond(204)])
        let matches: [RequestMatch] = [
            .anyURL(), .anyURL("GET"), .any("/a/b"), .get("/a/b"), .get("/a/{id}"), .get("/a/**"), .get("/a/b?c=1"),
            .url("/a/b?c=1"), .url(matching: "/a/.*"), .path(matching: "/a/."),
            .get("/a/b").query("c", .matches("[12]")), .get("/a/b").header("X-A", "1"), .get("/a/b").body(.absent),
        ]
        let wires: [WireProtocol?] = [nil, .http1, .http2]
        for match in matches {
            for wire in wires { server.expect(match, .once, over: wire, at: CallSite()) }
        }
        let port = server.baseURL.port ?? 0
        let status =
            switch asked {
            case .http1: try WireClient(port: port).request("GET", "/a/b?c=1", ["X-A: 1"]).status
            case .http2: try FrameClient(port: port).get("/a/b?c=1", [("x-a", "1")]).status
            }
        #expect(status == 204)
        let results = server.verification(allowsUnmatched: true)
        for (number, result) in results.enumerated() {
            let wire = wires[number % wires.count]
            let text =
                "\(matches[number / wires.count]) over \(wire?.rawValue ?? "any"): \(result.failure?.text ?? "met")"
            #expect((result.failure == nil) == (wire == nil || wire == asked), "\(text)")
        }
        #expect(results.count == matches.count * wires.count)
        await server.stop()
    }

    @Test func `forty megabytes are judged to the last byte`() async throws {
        var configuration = MockServer.Configuration()
        configuration.maxBody = 64 * 1024 * 1024
        let server = try await MockServer.start(
            stubs: [RequestMatch.post("/up").respond(204)], configuration: configuration)
        let body = String(repeating: "0123456789abcdef", count: 2_500_000) + "the end"
        let held: [ValueMatch] = [
            .contains("the end"), .doesNotContain("the End"), .present,
            .sha256("2cd3a6a1f063b250cb0be0ca528ce155b21f2969a7bf7074a610978e79cefc47"),
        ]
        let broken: [ValueMatch] = [
            .contains("the End"), .doesNotContain("the end"), .absent,
            .sha256("89e78675b181760747ff90cb9d75b739e8920a29ecf8156d193c36561cc4d8cf"),
        ]
        for value in held + broken { server.expect(.post("/up").body(value), .once, at: CallSite()) }
        let port = server.baseURL.port ?? 0
        #expect(try await blocking { try WireClient(port: port).request("POST", "/up", [], body: body).status } == 204)
        let results = server.verification(allowsUnmatched: false)
        for (number, result) in results.enumerated() {
            #expect(
                (result.failure == nil) == (number < held.count),
                "\(number): \(result.failure?.text.prefix(200) ?? "met")")
        }
        #expect(results.count == held.count + broken.count)
        await server.stop()
    }
}
