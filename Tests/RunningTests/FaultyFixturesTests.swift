// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiRunning

/// Each fault at each kind of response: what is spoiled, and what stays.
@Suite(.supervised) struct FaultyFixturesTests {
    private static let json = HeaderLine("content-type", "application/json")
    private static let page = HeaderLine("Content-Type", "Text/HTML; charset=utf-8")
    private static let other = HeaderLine("X-Other", "1")

    private static func response(_ text: String, _ status: Int = 200, _ lines: [HeaderLine] = [json]) -> StubResponse {
        StubResponse(
            status: status, headers: [other] + lines, body: text.isEmpty ? .empty : .bytes(Array(text.utf8)),
            fault: .badGzip, faultEndsConnection: true)
    }

    private static let responses = [
        response(#"{"a": [1, 2], "b": "}"}"#), response("[1]\r\n \t"), response("17"), response("17\n"),
        response("\"a}\""), response("{"), response("a text\n", 200, [page]), response("x", 201, []), response(""),
        response("{}", 204), response("{}", 304), response("{}", 203), response("[]", 404), response("{}", 199),
        response(String(repeating: "[", count: 50) + String(repeating: "]", count: 50)),
    ]

    private static func set(_ response: StubResponse) -> FixtureSet {
        let stubs = (0..<3).map { number in
            Stub(
                uuid: StubID.made(UInt64(number + 1)), name: "s\(number)",
                place: Place(path: "\(number).stub.json", line: 1, column: 1), priority: number + 2,
                request: RequestPattern(url: .path("/\(number)")), responses: [response, StubResponse(status: 202)])
        }
        let file = PlainFile(
            path: "f.json", requestPaths: ["/f.json", "/f"], body: response.body, mediaType: "text/html",
            lastModified: 0)
        return FixtureSet(root: "/", dialect: .mockapi, stubs: stubs, files: [file])
    }

    private static func used(_ subject: UsedResponse.Subject, method: String = "GET", isHTTP2: Bool) -> UsedResponse {
        UsedResponse(
            subject: subject, file: "1.stub.json", line: 3, name: "n", path: "/f", method: method, isHTTP2: isHTTP2)
    }

    private static func path(of stub: Stub) -> String? {
        if case .path(let path) = stub.request.url { path } else { nil }
    }

    /// The fault without the place of its cut.
    private static func kind(_ fault: Fault?) -> String {
        switch fault {
        case nil: "none"
        case .truncateBody: "truncateBody"
        case .truncateChunks: "truncateChunks"
        case .resetStream(let code, .some): "resetStream \(code) in the body"
        case .stall(.some): "stall in the body"
        case .some(let fault): "\(fault)"
        }
    }

    private static func cut(_ fault: Fault?) -> Int? {
        switch fault {
        case .truncateBody(let bytes), .truncateChunks(let bytes): bytes
        case .resetStream(_, let bytes), .stall(let bytes): bytes
        default: nil
        }
    }

    /// Status, content, type and fault; or the reason why there is none.
    private static func expected(_ fault: FaultName, _ response: StubResponse, hasContent: Bool, isHTTP2: Bool)
        -> [String]
    {
        let text = String(decoding: response.body.held, as: UTF8.self)
        let type = response.headers.dropFirst().first?.value ?? "-"
        let isWith =
            hasContent && response.status >= 200 && response.status != 204 && response.status != 304 && text != ""
        func spoiled(_ status: Int? = nil, _ body: String? = nil, type other: String? = nil, _ fault: String = "none")
            -> [String]
        { ["\(status ?? response.status)", body ?? text, other ?? type, fault] }
        func inContent(_ name: String, _ body: String? = nil) -> [String] {
            isWith ? spoiled(nil, body, name) : ["the response has no content"]
        }
        if fault.rawValue.hasPrefix("h2-"), !isHTTP2 { return ["the client speaks HTTP/1.1"] }
        switch fault {
        case .timeout: return spoiled("stall(afterBytes: nil)")
        case .refused: return spoiled("emptyResponse")
        case .reset: return spoiled("connectionResetByPeer")
        case .resetInBody: return inContent("resetStream 2 in the body")
        case .truncated: return inContent("truncateBody")
        case .truncatedNoLength: return inContent("truncateChunks")
        case .stalledWindow: return inContent("stall in the body")
        case .badGzip: return inContent("badGzip")
        case .empty: return inContent("none", "")
        case .slow:
            let isJSON = (try? JSONParser.parse(text)) != nil
            var trimmed = text
            while isJSON, trimmed.last?.isWhitespace == true { trimmed.removeLast() }
            return inContent("slowBody(bytesPerSecond: \(max(1, text.utf8.count / 2)))", trimmed)
        case .malformedJSON:
            if !isWith { return ["the response has no content"] }
            guard let node = try? JSONParser.parse(text) else { return ["the response is not JSON"] }
            if node.object == nil, node.array == nil { return spoiled(nil, "{" + text) }
            var cut = text
            while let last = cut.popLast(), last != "}", last != "]" {}
            return spoiled(nil, cut)
        case .wrongType:
            return spoiled(type: type.lowercased().hasPrefix("text/html") ? "application/octet-stream" : "text/html")
        case .internalError: return spoiled(500, "internal server error\n", type: "text/plain; charset=utf-8")
        case .tooManyRequests: return spoiled(429, "too many requests\n", type: "text/plain; charset=utf-8")
        case .unavailable: return spoiled(503, "service unavailable\n", type: "text/plain; charset=utf-8")
        case .badGatewayPage:
            return spoiled(502, "<html><body><h1>502 Bad Gateway</h1></body></html>\n", type: "text/html")
        case .redirectLoop: return spoiled(302, "", type: "-")
        case .resetStream: return spoiled("resetStream(code: 2, afterBytes: nil)")
        case .refusedStream: return spoiled("refusedStream")
        case .goAway: return spoiled("goAway(code: 0, afterThisStream: false)")
        }

        func spoiled(_ fault: String) -> [String] { spoiled(nil, nil, type: nil, fault) }
        func spoiled(_ status: Int?, _ body: String?, _ fault: String) -> [String] {
            spoiled(status, body, type: nil, fault)
        }
    }

    private static func seen(_ response: StubResponse) -> [String] {
        let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value
        return [
            "\(response.status)", String(decoding: response.body.held, as: UTF8.self), type ?? "-",
            kind(response.fault),
        ]
    }

    @Test(arguments: FaultName.allCases)
    func `a response of a stub is spoiled as the fault says, and once`(fault: FaultName) throws {
        for response in Self.responses {
            let set = Self.set(response)
            for (method, isHTTP2) in [("GET", true), ("GET", false), ("HEAD", true), ("POST", true)] {
                let expected = Self.expected(fault, response, hasContent: method != "HEAD", isHTTP2: isHTTP2)
                let used = Self.used(.stub(1), method: method, isHTTP2: isHTTP2)
                let faulty: FaultyFixtures
                do throws(FaultyFixtures.Inapplicable) {
                    faulty = try FaultyFixtures(fault, at: used, of: set, seed: 7)
                } catch {
                    #expect([error.reason] == expected, "\(response.body)")
                    continue
                }
                let stubs = faulty.set.stubs
                #expect(stubs.count == (fault == .redirectLoop ? 5 : 4))
                #expect(stubs[0..<2].map(\.id) == set.stubs[0..<2].map(\.id) && stubs[3].id == set.stubs[2].id)
                let stub = stubs[2]
                #expect(stub.uuid == FaultyFixtures.stubID && stub.priority == 3 && stub.afterLast == .unmatched)
                #expect(stub.name == "s1" && stub.place == set.stubs[1].place && stub.responses.count == 1)
                let spoiled = try #require(stub.responses.first)
                #expect(Self.seen(spoiled) == expected, "\(response.body)")
                #expect(!spoiled.faultEndsConnection)
                let isAnother = ["500", "502-html", "429", "503", "redirect-loop"].contains(fault.rawValue)
                #expect(spoiled.headers.contains(Self.other) != isAnother)
                let retry = spoiled.headers.first { $0.name == "Retry-After" }?.value
                #expect(retry == (["429", "503"].contains(fault.rawValue) ? "1" : nil))
                if let cut = Self.cut(spoiled.fault) {
                    // In the middle half.
                    let count = response.body.count
                    #expect(cut >= count / 4 && cut < count / 4 + max(1, count / 2))
                }
                if fault == .redirectLoop {
                    let location = spoiled.headers.first { $0.name == "Location" }?.value
                    #expect(Self.path(of: stubs[4]) == location && stubs[4].priority == 1)
                    #expect(stubs[4].responses.map(Self.seen) == [Self.seen(spoiled)])
                }
            }
        }
    }

    @Test func `a file is spoiled by a stub for the path that was asked for`() throws {
        let set = Self.set(Self.response("{\"a\": 1}"))
        let used = Self.used(.file(0), isHTTP2: false)
        let faulty = try FaultyFixtures(.wrongType, at: used, of: set, seed: 1)
        let stub = try #require(faulty.set.stubs.last)
        #expect(stub.uuid == FaultyFixtures.stubID && stub.priority == .max && stub.afterLast == .unmatched)
        #expect(Self.path(of: stub) == "/f" && stub.place.path == "1.stub.json" && stub.place.line == 1)
        let response = try #require(stub.responses.first)
        #expect(Self.seen(response) == ["200", "{\"a\": 1}", "application/octet-stream", "none"])
        #expect(response.headers.contains(HeaderLine("ETag", set.files[0].entityTag)))
    }

    @Test func `the place of a cut is drawn from the seed, the fault and the place of the response`() throws {
        let set = Self.set(Self.response(String(repeating: "x", count: 4000)))
        func cut(_ seed: UInt64, _ fault: FaultName, line: Int = 3) throws -> Int? {
            let used = UsedResponse(
                subject: .stub(1), file: "a", line: line, name: nil, path: "/", method: "GET", isHTTP2: true)
            return Self.cut(try FaultyFixtures(fault, at: used, of: set, seed: seed).set.stubs[2].responses[0].fault)
        }
        let cuts = [
            try cut(1, .truncated), try cut(2, .truncated), try cut(1, .stalledWindow), try cut(1, .truncated, line: 4),
        ]
        #expect(Set(cuts).count == cuts.count)
        #expect(try cut(1, .truncated) == cuts[0])
    }

    @Test func `a response that is asked for by a whole URL has the path of that`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try await MockServer.start(fixtures: directory.path, configuration: .init())
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        #expect(try WireClient(port: port).request("GET", "\(server.address)/a.txt?b").text == "a")
        #expect(UsedResponse.all(in: server.journal.entries, of: server.fixtures.set).map(\.path) == ["/a.txt"])
        await server.stop()
    }

    @Test func `a response is called by its file, by its file and line, or by its name`() {
        let used = Self.used(.stub(0), isHTTP2: false)
        for (text, isCalled) in [
            ("1.stub.json", true), ("1.stub.json:3", true), ("n", true), ("1.stub.json:1", false), ("", false),
            ("s", false),
        ] {
            #expect(used.isCalled(text) == isCalled, "\(text)")
        }
    }

    @Test func `what is done again and what is lost differs from fault to fault`() {
        let whole: Set<FaultName> = [.slow, .wrongType]
        let lost: Set<FaultName> = [
            .timeout, .resetInBody, .truncated, .truncatedNoLength, .stalledWindow, .malformedJSON, .empty, .badGzip,
        ]
        for fault in FaultName.allCases {
            #expect(fault.leavesContentWhole == whole.contains(fault) && fault.losesAnswerOnly == lost.contains(fault))
        }
    }
}
