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

/// Verdicts on random requests are those that a list of all requests gives, however many loops there are and however little is kept.
@Suite(.supervised) struct VerdictPropertyTests {
    /// A request as the list has it.
    private struct Asked {
        let method: String
        let path: String
        let connection: Int
        var isMiss: Bool { path.hasPrefix("/none") }
    }

    private enum Kind {
        case count(String, String, ClosedRange<Int>, overHTTP2: Bool)
        case order([String])
        case oneConnection(String)

        /// Whether it comes true, by the list.
        func isMet(by all: [Asked]) -> Bool {
            switch self {
            case .count(let method, let path, let range, let overHTTP2):
                return range.contains(overHTTP2 ? 0 : all.count { $0.method == method && $0.path == path })
            case .order(let paths):
                var rest = paths[...]
                for asked in all where asked.method == "GET" && asked.path == rest.first { rest = rest.dropFirst() }
                return rest.isEmpty
            case .oneConnection(let path):
                return Set(all.filter { $0.method == "GET" && $0.path == path }.map(\.connection)).count == 1
            }
        }

        /// Whether it asks for this request of the list, which then is no miss.
        func asks(for asked: Asked, at index: Int, of all: [Asked]) -> Bool {
            switch self {
            case .count(let method, let path, _, let overHTTP2):
                return !overHTTP2 && asked.method == method && asked.path == path
            case .order(let paths):
                var rest = paths[...]
                for (place, one) in all.enumerated() where one.method == "GET" && one.path == rest.first {
                    if place == index { return true }
                    rest = rest.dropFirst()
                }
                return false
            case .oneConnection(let path): return asked.method == "GET" && asked.path == path
            }
        }

        func expect(of server: MockServer) {
            let site = CallSite()
            switch self {
            case .count(let method, let path, let range, let overHTTP2):
                server.expect(
                    RequestMatch(method, path), RequestCount(range), over: overHTTP2 ? .http2 : nil, at: site)
            case .order(let paths): server.expectInOrder(paths.map { .get($0) }, at: site)
            case .oneConnection(let path): server.expectOneConnection(.get(path), at: site)
            }
        }
    }

    private static let paths = ["/a", "/b", "/none", "/none2"]

    /// What a server refuses: no Host, fields that are too long, a body that is too large.
    private static let refusals: [(text: String, status: Int)] = [
        ("GET /a HTTP/1.1\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n", 431),
        ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", 413),
    ]

    /// What forgets requests, or what has become of scenarios: a new chapter, and no verdict less.
    private static let resets = [
        ("DELETE", "/__admin/requests"), ("POST", "/__admin/requests/reset"), ("POST", "/__admin/scenarios/reset"),
    ]

    private static func kind(_ random: inout SplitMix) -> Kind {
        let path = paths[random.below(4)]
        switch random.below(6) {
        case 0: return .order((0...random.below(3)).map { _ in paths[random.below(4)] })
        case 1: return .oneConnection(path)
        default:
            let method = ["GET", "HEAD", "POST"][random.below(3)]
            let least = random.below(4)
            let range = [0...0, least...least + random.below(3), least...Int.max, 0...least][random.below(4)]
            return .count(method, path, range, overHTTP2: random.below(8) == 0)
        }
    }

    @Test(arguments: 1...UInt64(Thoroughness.rounds(24, thorough: 1_000)))
    func `the verdict is that of a list of all requests`(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        var configuration = MockServer.Configuration()
        configuration.journalLimit = [0, 1, 1 << 20, 16 << 20][random.below(4)]
        let server = try MockServer(LoadedFixtures.none, configuration, loops: 1 + random.below(16))
        try server.add(RequestMatch(nil, "/a").respond(200), RequestMatch(nil, "/b").respond(200))
        var kinds: [Kind] = (0..<random.below(4)).map { _ in Self.kind(&random) }
        for kind in kinds { kind.expect(of: server) }
        let early = kinds.count
        let port = server.baseURL.port ?? 0
        var clients: [WireClient] = []
        for _ in 0..<4 { clients.append(try WireClient(port: port)) }
        var all: [Asked] = []
        var refused = 0
        func ask(_ method: String, _ path: String, _ size: Int) throws {
            let connection = random.below(clients.count)
            _ = try clients[connection].request(
                method, path, body: method == "POST" ? String(repeating: "x", count: size) : "")
            all.append(Asked(method: method, path: path, connection: connection))
        }
        for _ in 0..<random.below(30) {
            switch random.below(12) {
            case 0:
                let client = try WireClient(port: port)
                let (text, status) = Self.refusals[random.below(Self.refusals.count)]
                try client.send(text)
                #expect(try client.response().status == status)
                refused += 1
            case 1:
                let (method, path) = Self.resets[random.below(Self.resets.count)]
                #expect(try clients[0].request(method, path).status == 200)
            case 2:
                // Four clients at once: none of these requests differs from another but by its connection.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await blocking {
                                let peer = try WireClient(port: port)
                                let body = String(repeating: "x", count: 40_000)
                                for _ in 0..<10 { _ = try peer.request("POST", "/b", body: body) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for peer in 0..<40 { all.append(Asked(method: "POST", path: "/b", connection: 1000 + peer % 4)) }
            case 3:
                kinds.append(Self.kind(&random))
                kinds[kinds.count - 1].expect(of: server)
            default: try ask(["GET", "GET", "HEAD", "POST"][random.below(4)], Self.paths[random.below(4)], 10)
            }
        }
        let results = server.verification(allowsUnmatched: false)
        for (index, kind) in kinds.enumerated() {
            let failure = results[index].failure
            let isUndecided = failure?.text.contains("cannot be judged") == true
            // What was expected before anything came is always decided.
            #expect(index >= early || !isUndecided, "seed \(seed), \(kind)")
            if !isUndecided {
                #expect((failure == nil) == kind.isMet(by: all), "seed \(seed), \(kind): \(failure?.text ?? "")")
            }
        }
        let failures = results.dropFirst(kinds.count).compactMap(\.failure)
        #expect(failures.count { $0.kind == .refused } == refused, "seed \(seed)")
        let misses = all.enumerated().count { index, asked in
            asked.isMiss && !kinds.contains { $0.asks(for: asked, at: index, of: all) }
        }
        #expect(failures.count { $0.kind == .unmatched } == misses, "seed \(seed)")
        await server.stop()
    }
}
