// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

extension ContractRequirements {
    private static let many = 50

    static let concurrency = [
        Requirement(
            "concurrent.50", "50 requests at once are all answered", expected: "50 answers",
            { step in
                step.times = many
                step.timeout = 30
            },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok", delay: .milliseconds(50))] }
        ) { evidence in
            allAnswered(evidence)
        }
    ]

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
                return connections == 1 ? .pass : .fail("\(connections) connections")
            }
        },
        ofTheWire(
            "h2.streams", "no more streams are opened at once than the server allows",
            expected: "\(streamLimit) streams at most, and every answer",
            { step in
                step.times = many
                step.timeout = 30
            },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok", delay: .milliseconds(50))] }
        ) { evidence in
            onHTTP2(evidence) {
                let most = mostAtOnce(evidence.entries)
                return most <= streamLimit ? allAnswered(evidence) : .fail("\(most) streams at once")
            }
        },
        ofTheWire(
            "h2.cancel", "a cancelled request resets its stream with CANCEL", expected: "RST_STREAM with CANCEL (8)",
            cancelled, stubs: late
        ) { evidence in
            onHTTP2(evidence) {
                switch evidence.entries.first?.abandonment {
                case .streamReset(code: 8): .pass
                case .streamReset(let code): .fail("RST_STREAM with \(code)")
                case .connectionClosed: .fail("the connection was closed")
                case nil: .fail("the server still sends")
                }
            }
        },
        ofTheWire(
            "h2.goaway", "a request that GOAWAY says was not handled is sent again",
            expected: "200 at the second attempt",
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(inTurn: [
                        StubAnswer(fault: .goAway(afterThisStream: false)), StubAnswer(body: "again"),
                    ])
                ]
            }
        ) { evidence in
            onHTTP2(evidence) {
                guard evidence.entries.count == 2 else {
                    return .fail(
                        "\(evidence.entries.count) requests; \(evidence.outcomes.first?.summary ?? "nothing reported")")
                }
                return Judging.answer(evidence, 200, Array("again".utf8))
            }
        },
        ofTheWire(
            "h2.goaway.handled", "a request that GOAWAY says was handled is not sent again",
            expected: "one request, 200",
            stubs: { [RequestMatch.any($0.path).respond(body: "once", fault: .goAway(afterThisStream: true))] }
        ) { evidence in
            onHTTP2(evidence) {
                Judging.request(evidence) { _ in Judging.answer(evidence, 200, Array("once".utf8)) }
            }
        },
    ]

    private static func allAnswered(_ evidence: StepEvidence) -> Judgement {
        let good = evidence.outcomes.filter { $0.status == 200 && $0.body == Array("ok".utf8) }.count
        if good == many { return .pass }
        let failure = evidence.outcomes.first { $0.failure != nil }.map { ", else \($0.summary)" } ?? ""
        return .fail("\(good) \(good == 1 ? "answer" : "answers")\(failure)")
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
        guard !evidence.entries.isEmpty else { return Judging.request(evidence) { _ in .pass } }
        return evidence.speaksHTTP2 ? judge() : .notApplicable("the client speaks HTTP/1.1")
    }

    /// How many answers of one connection were under way at once, from a request's last byte to the wait before its answer.
    private static func mostAtOnce(_ entries: [JournalEntry]) -> Int {
        // A little less than the wait, so that a timer's rounding adds no stream.
        let delay = 0.045
        return Dictionary(grouping: entries, by: \.connection).values.map { entries in
            let starts = entries.map(\.receivedAt).sorted()
            return starts.enumerated().map { index, start in starts[...index].count { $0 + delay > start } }.max() ?? 0
        }.max() ?? 0
    }
}
