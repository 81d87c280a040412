// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A response, whatever stub it is of and by whatever way it comes, ends where its own head says, and is the same over both protocols.
@Suite(.supervised) struct StrictPairsTests {
    private struct Stub {
        let path: String
        let status: Int
        let json: String
    }

    private struct Pair: Sendable, CustomStringConvertible {
        let method: String
        let path: String
        let status: Int
        let fields: [(name: String, value: String)]

        var description: String { "\(method) \(path) \(fields.map { "\($0.name): \($0.value)" })" }
    }

    private struct Answer: Equatable {
        let status: Int
        let body: [UInt8]
        let trailers: [String]

        init(_ response: WireResponse) {
            status = response.status
            body = response.body
            trailers = response.trailers.map { "\($0.name.lowercased()): \($0.value)" }
        }
    }

    private static let statuses = [200, 201, 204, 205, 206, 304, 404, 412, 500]
    private static let bodies = [
        ("none", ""), ("empty", #", "body": """#), ("text", #", "body": "xyz""#), ("file", #", "bodyFile": "s.txt""#),
        ("gzip", #", "contentEncoding": "gzip", "body": "\#(String(repeating: "z", count: 4000))""#),
        ("rendered", #", "transformers": ["response-template"], "body": "{{request.method}} {{request.url}}""#),
    ]
    private static let paces = [
        ("now", ""), ("delayed", #", "fixedDelayMilliseconds": 1"#),
        ("dribbled", #", "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 2}"#),
    ]
    private static let trailers = [("bare", ""), ("trailers", #", "trailers": {"X-T": "1"}"#)]

    /// Stubs below a path: every status, content and pace, with trailers and without. Each says lines that are the server's own, too.
    private static func stubs(below root: String) -> [Stub] {
        statuses.flatMap { status in
            bodies.flatMap { body in
                paces.flatMap { pace in
                    trailers.map { trailer in
                        let path = "\(root)/\(status)/\(body.0)/\(pace.0)/\(trailer.0)"
                        let headers = #"["ETag: \"e\"", "Content-Length: 99", "Transfer-Encoding: chunked"]"#
                        let response = #""status": \#(status), "headers": \#(headers)\#(body.1)\#(pace.1)\#(trailer.1)"#
                        return Stub(
                            path: path, status: status,
                            json: #"{"request": {"method": "ANY", "urlPath": "\#(path)"}, "response": {\#(response)}}"#)
                    }
                }
            }
        }
    }

    private static let fieldSets: [[(name: String, value: String)]] = [
        [], [("te", "trailers")], [("te", "trailers"), ("accept-encoding", "gzip")], [("range", "bytes=0-1")],
        [("if-none-match", "\"e\"")],
    ]

    /// Requests of every method and field set for paths.
    private static func pairs(_ stubs: [Stub]) -> [Pair] {
        stubs.flatMap { stub in
            ["GET", "HEAD", "POST"].flatMap { method in
                fieldSets.map { Pair(method: method, path: stub.path, status: stub.status, fields: $0) }
            }
        }
    }

    private static func files(_ stubs: [Stub]) -> KeyValuePairs<String, String> {
        ["x.stub.json": #"{"stubs": [\#(stubs.map(\.json).joined(separator: ","))]}"#, "s.txt": "8 bytes\n"]
    }

    @Test func `by every way and over both protocols, a response ends where it says`() async throws {
        let local = Self.stubs(below: "/file")
        // What is added has its content with it.
        let added = Self.stubs(below: "/added").filter { !$0.json.contains("bodyFile") }
        let upstream = Self.stubs(below: "/other")
        try await TestServer.serving(Self.files(upstream)) { other async throws in
            let proxied =
                #"{"request": {"method": "ANY", "urlPathPattern": "/other/.*"}, "#
                + #""response": {"proxyBaseUrl": "\#(other.base)"}}"#
            let forwarded = Stub(path: "/other", status: 200, json: proxied)
            try await TestServer.serving(Self.files(local + [forwarded]), { $0.forwarder = StubProxy() }) { server in
                try Self.add(added, to: server)
                let computed = try Self.compute(server)
                var random = SplitMix(seed: 4860)
                let all = (Self.pairs(local + added + upstream) + computed).shuffled(using: &random)
                let some = Array(all.prefix(Thoroughness.rounds(1_200, thorough: all.count)))
                try await Self.compare(some, on: server)
            }
        }
    }

    /// Adds stubs by the admin API.
    private static func add(_ stubs: [Stub], to server: TestServer) throws {
        let body = #"{"mappings": [\#(stubs.map(\.json).joined(separator: ","))]}"#
        let response = try server.request("POST", "/__admin/mappings/import", body: body)
        #expect(response.status == 200, "\(response.text.prefix(500))")
    }

    /// Adds stubs whose responses are computed by code, which says lines that are the server's own.
    private static func compute(_ server: TestServer) throws -> [Pair] {
        try statuses.flatMap { status in
            let path = "/computed/\(status)"
            try server.server.add(
                RequestMatch.any(path).respond { _ in
                    MockResponse(
                        status, headers: ["Content-Length": "99", "Transfer-Encoding": "chunked"], body: "computed")
                })
            return pairs([Stub(path: path, status: status, json: "")])
        }
    }

    /// Asks for all pairs over each protocol, by connections side by side, and compares what comes.
    private static func compare(_ pairs: [Pair], on server: TestServer) async throws {
        let ways = 6
        try await withThrowingTaskGroup(of: Void.self) { group in
            for way in 0..<ways {
                let part = pairs.indices.filter { $0 % ways == way }.map { pairs[$0] }
                group.addTask {
                    try await blocking {
                        let first = try overHTTP1(part, port: server.port)
                        let second = try overHTTP2(part, port: server.port)
                        for (pair, answers) in zip(part, zip(first, second)) {
                            #expect(answers.0 == answers.1, "\(pair)")
                            judge(answers.0, to: pair)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func judge(_ answer: Answer, to pair: Pair) {
        // A range or a condition makes something else of a 200 alone.
        let isSelected = pair.status == 200 && pair.method != "POST"
        #expect(answer.status == pair.status || isSelected && [206, 304].contains(answer.status), "\(pair)")
        if pair.method == "HEAD" || [204, 205, 304].contains(answer.status) {
            #expect(answer.body.isEmpty && answer.trailers.isEmpty, "\(pair)")
        }
        let takesTrailers = pair.fields.contains { $0.name == "te" }
        #expect(answer.trailers.isEmpty || takesTrailers, "\(pair)")
    }

    /// Sends requests one behind the other, without waiting, and reads the responses by no length but their own.
    private static func overHTTP1(_ pairs: [Pair], port: Int) throws -> [Answer] {
        let client = try WireClient(port: port)
        var answers: [Answer] = []
        for start in stride(from: 0, to: pairs.count, by: 20) {
            let batch = pairs[start..<min(start + 20, pairs.count)]
            let text = batch.map { pair in
                let fields = pair.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                let length = pair.method == "POST" ? "Content-Length: 0\r\n" : ""
                return "\(pair.method) \(pair.path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\(length)\r\n"
            }
            try client.send(text.joined())
            for pair in batch {
                let response = try client.response(isHead: pair.method == "HEAD")
                let lengths = response.all("Content-Length") + response.all("Transfer-Encoding")
                #expect(lengths.count <= 1 && response.version == "HTTP/1.1", "\(pair)")
                if response.status == 204 { #expect(lengths.isEmpty, "\(pair)") }
                answers.append(Answer(response))
            }
        }
        return answers
    }

    private static func overHTTP2(_ pairs: [Pair], port: Int) throws -> [Answer] {
        let client = try FrameClient(port: port)
        return try pairs.map { pair in
            let response = try client.request(pair.method, pair.path, pair.fields.map { ($0.name, $0.value) })
            if let length = response["content-length"], pair.method != "HEAD", response.status != 304 {
                #expect(length == "\(response.body.count)", "\(pair)")
            }
            return Answer(response)
        }
    }
}
