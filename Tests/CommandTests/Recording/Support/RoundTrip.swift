// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Records what a server answers, serves the recording, and compares what clients then see with what the server itself answers.
struct RoundTrip {
    /// How the requests come to be recorded.
    enum Way: CaseIterable, Sendable {
        case direct
        case proxyByCurl
        case proxyByURLSession
    }

    /// The server, without a slash at its end.
    let base: String
    let asks: [Ask]
    /// What curl is told of the server.
    var curl: [String] = []
    /// What `record` is told of it.
    var options: [String] = []

    /// Lines of a response that a recording does not keep, as docs/recording.md names them, where our servers send them.
    private static let notKept: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "date",
    ]

    /// Records in one way, and then again.
    func run(_ way: Way) async throws {
        let into = try TemporaryDirectory()
        let asks = way == .proxyByURLSession ? asks.filter { !$0.isOdd } : asks
        let expected = try await Curl.fetch(base, asks, curl + ["--compressed"])
        for (ask, seen) in zip(asks, expected) { #expect(seen.code == 0 && seen.status > 0, "\(ask.label)") }
        let first = try await record(asks, into, way, expected)
        let count = Set(asks.map { "\($0.label) \($0.body ?? [])" }).count
        #expect(RecordSummary(first.output) == RecordSummary(new: count), "\(first)")
        try await expectNoFinding(into)
        try await expectReplay(asks, into, expected)
        try await expectQuiet(asks, into, way, expected)
    }

    // MARK: Recording

    private func record(
        _ asks: [Ask], _ into: TemporaryDirectory, _ way: Way, _ expected: [Seen]
    ) async throws -> Command.End {
        let end: Command.End
        if way == .direct {
            let requests = try RequestsDocument(asks, base: base)
            end = try await Command(
                ["record", base, "--into", into.path, "--requests", requests.path] + options
            ).end()
        } else {
            let command = try Command(["record", base, "--into", into.path, "--port", "0"] + options)
            let proxy = "http://127.0.0.1:\(try await command.port())"
            let answers =
                way == .proxyByCurl
                ? try await Curl.fetch(proxy, asks, ["--compressed"]) : try await SessionClient.fetch(proxy, asks)
            for ((ask, answer), seen) in zip(zip(asks, answers), expected) {
                let isSame = answer.status == seen.status && (answer.body == seen.body || hidesBody(answer))
                #expect(isSame, "\(ask.label): \(answer.summary), not \(seen.summary)")
            }
            command.send(SIGTERM)
            end = try await command.end()
        }
        // On a busy machine it says how many answers it still writes.
        let errors = end.errors.split(separator: "\n").filter { !$0.hasPrefix("writing ") }
        try #require(end.code == 0 && errors.isEmpty, "\(end)")
        return end
    }

    // MARK: Replay

    private func expectNoFinding(_ into: TemporaryDirectory) async throws {
        let check = try await Command.run("check", into.path)
        #expect(check.code == 0 && check.output.isEmpty, "\(check)")
    }

    private func expectReplay(_ asks: [Ask], _ into: TemporaryDirectory, _ expected: [Seen]) async throws {
        let server = try Command(["serve", into.path, "--port", "0", "--quiet"])
        let replay = "http://127.0.0.1:\(try await server.port())"
        for version in ["--http1.1", "--http2-prior-knowledge"] {
            let seen = try await Curl.fetch(replay, asks, [version, "--compressed"])
            for ((ask, replayed), original) in zip(zip(asks, seen), expected) {
                expectSame(replayed, original, replay, "\(ask.label) \(version)")
            }
            try await expectConditions(asks, expected, replay, version)
        }
        let tidy = zip(asks, expected).filter { !$0.0.isOdd }
        let seen = try await SessionClient.fetch(replay, tidy.map(\.0))
        for ((ask, original), replayed) in zip(tidy, seen) {
            let isSame = replayed.status == original.status && (replayed.body == original.body || hidesBody(replayed))
            #expect(isSame, "\(ask.label) by URLSession: \(replayed.summary), not \(original.summary)")
            #expect(replayed.all("Content-Type") == original.all("Content-Type"), "\(ask.label) by URLSession")
        }
    }

    /// URLSession gives no content of a redirect that it does not follow.
    private func hidesBody(_ seen: Seen) -> Bool { (300..<400).contains(seen.status) && seen.body.isEmpty }

    private func expectSame(_ replayed: Seen, _ original: Seen, _ replay: String, _ label: String) {
        #expect(replayed.code == 0, "\(label)")
        let isSameProtocol = replayed.reason.isEmpty == original.reason.isEmpty
        #expect(!isSameProtocol || replayed.reason == original.reason, "\(label)")
        let isSame = replayed.status == original.status && replayed.body == original.body
        #expect(isSame, "\(label): \(replayed.summary), not \(original.summary)")
        #expect(
            lines(replayed) == lines(original).map { $0.replacing(base, with: replay) }, "\(label)")
    }

    /// The lines that are kept, names in lower case, since HTTP/2 has no others, and cookies without their values, and without what a replay
    /// over http leaves out.
    private func lines(_ seen: Seen) -> [String] {
        seen.fields.filter { !Self.notKept.contains($0.name.lowercased()) }.map { name, value in
            guard name.lowercased() == "set-cookie" else { return "\(name.lowercased()): \(value)" }
            let attributes = value.drop { $0 != ";" }.split(separator: "; ").filter {
                $0 != "Secure" && $0 != "SameSite=None"
            }
            return "set-cookie: \(value.prefix { $0 != "=" })=…\(attributes.joined(separator: "; "))"
        }
    }

    /// A client that has a response already gets a 304 wherever it gets one of the server.
    private func expectConditions(_ asks: [Ask], _ expected: [Seen], _ replay: String, _ version: String) async throws {
        let again = zip(asks, expected).compactMap { ask, seen -> Ask? in
            // docs/fixture-format.md: a 200 with a body.
            guard ask.method == "GET", seen.status == 200, !seen.body.isEmpty else { return nil }
            var ask = ask
            if let tag = seen.all("ETag").first {
                ask.fields.append("If-None-Match: \(tag)")
            } else if let date = seen.all("Last-Modified").first {
                ask.fields.append("If-Modified-Since: \(date)")
            } else {
                return nil
            }
            return ask
        }
        guard !again.isEmpty else { return }
        let original = try await Curl.fetch(base, again, curl + ["--compressed"]).map(\.status)
        let replayed = try await Curl.fetch(replay, again, [version, "--compressed"]).map(\.status)
        #expect(original.contains(304))
        for ((ask, replayed), original) in zip(zip(again, replayed), original) {
            #expect(replayed == original, "\(ask.label) \(ask.fields) \(version)")
        }
    }

    // MARK: Again

    /// The same responses at another second and in another order change no byte, and leave no file.
    private func expectQuiet(_ asks: [Ask], _ into: TemporaryDirectory, _ way: Way, _ expected: [Seen]) async throws {
        let git = GitDirectory(into)
        try await git.commit()
        let begun = time(nil)
        #expect(try await until({ time(nil) }, { $0 > begun }))
        let second = try await record(asks.reversed(), into, way, expected.reversed())
        #expect(RecordSummary(second.output) == RecordSummary(new: 0), "\(second)")
        #expect(try await git.status() == "")
        try await expectNoFinding(into)
    }
}
