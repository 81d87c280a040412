// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

extension ContractRequirements {
    private static let many = 50

    static let concurrency = [
        Requirement(
            "concurrent.50", "50 requests at once are all answered, each by its own response",
            expected: "50 responses, each that of its request",
            { step in
                step.times = many
                step.isNumbered = true
                step.timeout = 30
            },
            stubs: { step in
                numbered(step, delay: .milliseconds(50)) + [
                    RequestMatch.any(step.path).respond(body: "ok", delay: .milliseconds(50))
                ]
            }
        ) { evidence in
            guard evidence.entries.contains(where: { $0.target.contains("?n=") }) else {
                let judgement = allSucceeded(evidence)
                guard judgement == .pass else { return judgement }
                return .advice("one URL was requested 50 times: swapped responses would not be seen (\"urls\")")
            }
            return eachSucceeded(evidence)
        }
    ]

    /// One request shows nothing about connections; all steps together do, if the driver uses one client for them.
    static let connections = [
        ofTheWire(
            "connection.reuse", "requests one after the other share a connection (RFC 9112 §9.3)",
            expected: "a connection that is used again",
            { step in step.warmUp = step.path + "/before" },
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(302, headers: ["Location": "\(step.path)/there"]),
                    RequestMatch.any(step.path + "/there").respond(body: "ok"),
                    RequestMatch.any(step.path + "/before").respond(body: "ok"),
                ]
            }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            if let failure = evidence.outcomes.first(where: { $0.failure != nil }) { return .fail(failure.summary) }
            // Connections that the server ended, or that many requests asked for at once, could not be used again.
            let whole = evidence.run.filter { $0.fault == nil && $0.abandonment == nil && $0.statusOfStub < 500 }
            let connections = Set(whole.map(\.connection)).count
            let seen =
                "\(Counts.count(whole.count, "request")) on \(Counts.count(connections, "connection"))"
            if evidence.tellsKinds { return connections == 1 ? .pass : .fail(seen) }
            if whole.count < fewRequests, connections == whole.count { return .notApplicable("\(seen) decide nothing") }
            let own = evidence.entries.first { $0.origin == evidence.step.path }
            let before = evidence.entries.first { $0.origin == evidence.step.path + "/before" }
            if let before, before.connection == own?.connection { return .pass }
            // Redirections do not count: a driver with a new client for each step can share a connection only among them.
            let firsts = evidence.firstOfSteps.filter {
                $0.fault == nil && $0.abandonment == nil && $0.statusOfStub < 500
            }
            guard Set(firsts.map(\.connection)).count == firsts.count else { return .pass }
            if before == nil, firsts.count < fewRequests { return connections < whole.count ? .pass : .fail(seen) }
            return .fail("each of \(firsts.count) steps came on a connection of its own")
        }
    ]

    /// Fewer requests than these need not share a connection: a client may end a connection that redirects it. 5.
    private static let fewRequests = 5

    /// A pool that keeps a place for each request that was cancelled is full some day, and serves nobody (encode/httpcore#1093). The server is one that
    /// the client has not asked yet: with an idle connection at hand some pools find their places again.
    private static var pool: Requirement {
        var requirement = ofTheWire(
            "cancel.pool", "a client goes on after many cancellations",
            expected: "10 responses, each that of its request",
            { step in
                step.times = 10
                step.timeout = 30
                step.isNumbered = true
                // At once, before a connection is there, when some are, and when the requests have arrived: which moment costs a place is
                // the client's secret, and a round may cost a few of many.
                step.cancelledRounds = [0, 0, 1, 2, 5, 10, 30, 300]
            },
            stubs: { step in
                numbered(step, delay: .zero) + [
                    RequestMatch.any(step.cancelledPath).respond(body: "late", delay: .seconds(60)),
                    RequestMatch.any(step.path).respond(body: "ok"),
                ]
            }
        ) { evidence in
            if let silence = Judging.silence(evidence) { return silence }
            // If a client's pool is full from the first round on, none of these arrives.
            let arrives = evidence.entries.contains { $0.origin == evidence.step.cancelledPath }
            guard arrives || evidence.outcomes.contains(where: { $0.used.contains("cancelled") }) else {
                return .notApplicable("the driver does not use \"cancelled\" of the plan")
            }
            return eachSucceeded(evidence)
        }
        requirement.place = .own
        requirement.isOfOtherProcesses = true
        return requirement
    }

    /// The last of a run: a client whose pool is full makes no further request.
    static let pools = [pool]

    private static func numbered(_ index: Int) -> String { "answer \(index)" }

    private static func numbered(_ step: Step, delay: Duration) -> [MockStub] {
        (0..<step.times).map { index in
            RequestMatch.any(step.target(index)).respond(body: .text(numbered(index)), delay: delay, priority: 1)
        }
    }

    private static func eachSucceeded(_ evidence: StepEvidence) -> Judgement {
        if evidence.outcomes.contains(where: { $0.index == nil }) {
            return .fail("reports that do not say which of the requests they are of (\"index\")")
        }
        let successes = evidence.outcomes.filter { $0.hasStatus(200) }
        let own = successes.filter { $0.body == Array(numbered($0.index ?? 0).utf8) }
        let good = Set(own.compactMap(\.index)).count
        if good == evidence.step.times, successes.count == evidence.step.times { return .pass }
        let foreign = successes.count - own.count
        let mixed = foreign == 0 ? "" : ", \(Counts.count(foreign, "response")) of another request"
        let failure = evidence.outcomes.first { $0.failure != nil }.map { ", else \($0.summary)" } ?? ""
        return .fail("\(Counts.count(good, "response"))\(mixed)\(failure)")
    }

    static let http2 = [
        ofTheWire(
            "h2.connection", "requests at once share a connection", expected: "1 connection",
            { step in
                // Fewer than the server allows, beyond which a client may open another connection.
                step.times = streamLimit - 2
                step.timeout = 30
            },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok", delay: .milliseconds(50))] }
        ) { evidence in
            onHTTP2(evidence) {
                let connections = Set(evidence.entries.map(\.connection)).count
                guard connections == 1 else { return .fail("\(connections) connections") }
                let good = evidence.outcomes.count { $0.hasStatus(200) && $0.body == Judging.ok }
                return good == evidence.step.times
                    ? .pass : .fail("1 connection, and \(Counts.count(good, "response"))")
            }
        },
        ofTheWire(
            "h2.streams", "no more streams are opened at once than the server allows",
            expected: "\(streamLimit) streams at most, and every response",
            { step in
                step.times = many
                step.timeout = 30
            },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok", delay: .milliseconds(50))] }
        ) { evidence in
            onHTTP2(evidence) {
                let most = mostAtOnce(evidence.entries, each: 0.045)
                return most <= streamLimit ? allSucceeded(evidence) : .fail("\(most) streams at once")
            }
        },
        ofTheWire(
            "h2.cancel", "a cancelled request resets its stream with CANCEL", expected: "RST_STREAM with CANCEL (8)",
            { step in
                cancelled(&step)
                step.times = 2
                step.isNumbered = true
            },
            stubs: { step in
                [
                    RequestMatch.any(step.target(1)).respond(
                        body: "ok", delay: .milliseconds(1_500), priority: 1),
                    RequestMatch.any(step.path).respond(body: "late", delay: .seconds(60)),
                ]
            }
        ) { evidence in
            onHTTP2(evidence) { Judging.inTime(evidence, within: cancellationLimit, cancelledStream(evidence)) }
        },
        ofTheWire(
            "h2.goaway", "a request that GOAWAY says was not handled is sent again",
            expected: "200 at the second attempt",
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(inTurn: [
                        MockResponse(fault: .goAway(afterThisStream: false)), MockResponse(body: "again"),
                    ])
                ]
            }
        ) { evidence in
            onHTTP2(evidence) {
                guard evidence.entries.count == 2 else {
                    return .fail(
                        "\(evidence.entries.count) requests; \(evidence.outcomes.first?.summary ?? "nothing reported")")
                }
                return Judging.response(evidence, 200, Array("again".utf8))
            }
        },
        lowered, refused, reset,
        ofTheWire(
            "h2.goaway.handled", "a request that GOAWAY says was handled is not sent again",
            expected: "one request, 200",
            // The response comes in pieces, and GOAWAY after its head.
            stubs: { step in
                let pieces = #""chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 200}"#
                return [
                    MockStub(
                        json: #"{"request": {"urlPath": "\#(step.path)"}, "#
                            + #""response": {"body": "once", "fault": "GOAWAY", \#(pieces)}}"#)
                ]
            }
        ) { evidence in
            onHTTP2(evidence) {
                Judging.request(evidence, response: Array("once".utf8)) { _ in .pass }
            }
        },
    ]

    /// How many streams have to be open at once before `h2.settings` lowers their number. 20.
    private static let crowd = 20

    /// A client that reads no responses until as few streams are left waits for ever (pydantic/httpx2#1217).
    private static var lowered: Requirement {
        var requirement = ofTheWire(
            "h2.settings", "responses arrive when the server lowers the number of streams (RFC 9113 §6.5.2)",
            expected: "every response",
            { step in
                step.times = crowd
                step.fewerStreams = 2
            },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok", delay: .milliseconds(300))] }
        ) { evidence in
            onHTTP2(evidence) {
                let judgement = allSucceeded(evidence)
                // The server lowers the number when so many streams are open; it has no reason to before.
                guard judgement == .pass, mostAtOnce(evidence.entries, each: 0.295) < crowd else { return judgement }
                return .notApplicable("the client opens fewer than \(crowd) streams at once")
            }
        }
        requirement.place = .own
        return requirement
    }

    /// A request that the server did not begin is sent again, even a POST (RFC 9113 §8.7).
    private static let refused = ofTheWire(
        "h2.refused", "a request that REFUSED_STREAM refuses is sent again (RFC 9113 §8.7)",
        expected: "200 at the second attempt",
        stubs: { step in
            [
                RequestMatch.any(step.path).respond(inTurn: [
                    MockResponse(fault: .refusedStream), MockResponse(body: "again"),
                ])
            ]
        }
    ) { evidence in
        onHTTP2(evidence) {
            evidence.entries.count == 2
                ? Judging.response(evidence, 200, Array("again".utf8))
                : .fail(
                    "\(Judging.count(evidence.entries)); \(evidence.outcomes.first?.summary ?? "nothing reported")")
        }
    }

    /// A stream that ends behind the head and some of the content is not a response.
    private static var reset: Requirement {
        var requirement = ofTheWire(
            "h2.reset", "a stream that is reset behind its head is an error (RFC 9113 §8.1)",
            expected: "an error: \(Judging.names([.connection, .protocol]))", { $0.timeout = 5 },
            stubs: { [RequestMatch.any($0.path).respond(body: "half of it", fault: .resetStream(afterBytes: 4))] }
        ) { evidence in
            onHTTP2(evidence) { Judging.failure(evidence, [.connection, .protocol]) }
        }
        requirement.failures = [.connection, .protocol]
        return requirement
    }

    /// The judgement on two streams; the client cancels the first.
    private static func cancelledStream(_ evidence: StepEvidence) -> Judgement {
        guard let first = evidence.entries.first(where: { !$0.target.hasSuffix("?n=1") }) else {
            return Judging.none(evidence)
        }
        if evidence.endsLate { return .fail("the server still sends") }
        let other = evidence.outcomes.first { $0.index == 1 }
        switch first.abandonment {
        case .streamReset(code: 8): break
        case .streamReset(let code): return .fail("RST_STREAM with \(code)")
        case .connectionClosed where other?.failure.map { [.cancelled, .timeout].contains($0) } ?? true:
            // Nothing else was to come by it, so that closing it is as good.
            return evidence.outcomes.isEmpty
                ? .fail("the client reported nothing")
                : .notApplicable("the client closed the connection, which nothing else needed")
        case .connectionClosed:
            return .fail("the connection was closed, with another request on it: \(other?.summary ?? "no report")")
        case nil: return .fail("the server still sends")
        }
        guard evidence.outcomes.contains(where: { isGivenUp($0, evidence) }) else {
            return .fail(evidence.outcomes.first?.summary ?? "the client reported nothing")
        }
        guard let other, ![.cancelled, .timeout].contains(other.failure) else { return .pass }
        return other.hasStatus(200) ? .pass : .fail("the other request went wrong: \(other.summary)")
    }

    private static func allSucceeded(_ evidence: StepEvidence) -> Judgement {
        let good = evidence.outcomes.count { $0.hasStatus(200) && $0.body == Judging.ok }
        if good == evidence.step.times { return .pass }
        let failure = evidence.outcomes.first { $0.failure != nil }.map { ", else \($0.summary)" } ?? ""
        return .fail("\(Counts.count(good, "response"))\(failure)")
    }

    /// A requirement on connections and streams.
    static func ofTheWire(
        _ id: String, _ title: String, expected: String, _ change: (inout Step) -> Void = { _ in },
        stubs: (Step) -> [MockStub], judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) -> Requirement {
        var requirement = Requirement(id, title, expected: expected, change, stubs: stubs, judge: judge)
        requirement.isOfTheWire = true
        return requirement
    }

    private static func onHTTP2(_ evidence: StepEvidence, _ judge: () -> Judgement) -> Judgement {
        if evidence.outcomes.isEmpty { return .fail("the client reported nothing") }
        // A client whose request did not come has shown by its others which protocol it speaks.
        if !evidence.run.isEmpty, !evidence.speaksHTTP2 { return .notApplicable("the client speaks HTTP/1.1") }
        return evidence.entries.isEmpty ? Judging.none(evidence) : judge()
    }

    /// How many responses of one connection were under way at once, from a request's last byte to the wait before its response.
    ///
    /// - Parameter delay: a little less than that wait, in seconds, so that a timer's rounding adds no stream.
    private static func mostAtOnce(_ entries: [JournalEntry], each delay: Double) -> Int {
        Dictionary(grouping: entries, by: \.connection).values.map { entries in
            let starts = entries.map(\.receivedAt).sorted()
            return starts.enumerated().map { index, start in starts[...index].count { $0 + delay > start } }.max() ?? 0
        }.max() ?? 0
    }
}
