// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

extension ContractRequirements {
    static let faults = [
        fault("fault.empty", "a response that does not come is an error", .emptyResponse, [.connection, .protocol]),
        fault("fault.reset", "a reset connection is an error", .connectionReset, [.connection, .protocol]),
        fault(
            "fault.truncated", "half of a body is an error, not a body", .truncatedBody(afterBytes: 100),
            [.connection, .protocol]),
        fault(
            "fault.length", "a body shorter than announced is an error", .wrongContentLength, [.connection, .protocol]),
        fault("fault.chunk", "a broken chunk is an error", .malformedChunk, [.protocol, .connection, .decoding]),
        fault("fault.garbage", "what is not HTTP is an error", .randomData, [.protocol, .connection]),
        fault(
            "fault.gzip", "content that cannot be decoded is an error", .badGzip, [.decoding, .protocol], asking: true),
        fault(
            "fault.stall", "a response that never ends is a time-out", .stall(afterBytes: 100), [.timeout],
            timeout: judgedTimeout),
        fault(
            "fault.silence", "a response that never begins is a time-out", .stall(), [.timeout], timeout: judgedTimeout),
        Requirement(
            "fault.slow", "a slow response arrives whole", expected: "200, 3,000 bytes", { $0.timeout = 10 },
            stubs: { step in
                let body = MockResponse.Content.text(String(repeating: "s", count: 3_000))
                return [RequestMatch.any(step.path).respond(body: body, fault: .slowBody(bytesPerSecond: 2_000))]
            }
        ) { Judging.response($0, 200, Array(repeating: UInt8(ascii: "s"), count: 3_000)) },
    ]

    private static func fault(
        _ id: String, _ title: String, _ fault: StubFault, _ kinds: Set<StepOutcome.Failure>, timeout: Int = 5,
        asking asksForGzip: Bool = false
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "an error: \(Judging.names(kinds))",
            { $0.timeout = timeout },
            stubs: { step in
                let body = MockResponse.Content.text(String(repeating: "f", count: 1_000))
                return [RequestMatch.any(step.path).respond(body: body, fault: fault)]
            }
        ) { evidence in
            if asksForGzip { return asking("gzip", evidence) { Judging.failure(evidence, kinds) } }
            let judgement = Judging.failure(evidence, kinds)
            return kinds == [.timeout]
                ? Judging.inTime(evidence, within: patience(timeout), judgement) : judgement
        }
        requirement.failures = kinds
        return requirement
    }

    /// The time-out of the steps that judge when it is reported, in seconds. 2: within one, a busy machine may not have sent the request.
    static let judgedTimeout = 2

    /// How long after a request a client may report that its time was up, in seconds: a machine that is busy with much else is slow at both.
    static func patience(_ timeout: Int) -> Double { 3 * Double(timeout) + 5 }

    /// How long after a request a client may report that it was cancelled, at once or by `cancelAfterMilliseconds`. 8 s.
    static let cancellationLimit = 8.0

    /// A step whose request is cancelled.
    static func cancelled(_ step: inout Step) {
        step.cancellation = .whenAllHaveArrived
        step.timeout = 30
    }

    /// Whether the client says that it gave a request up; a client without another way does so by its time-out.
    static func isGivenUp(_ outcome: StepOutcome, _ evidence: StepEvidence) -> Bool {
        guard let failure = outcome.failure else { return false }
        return [.cancelled, .timeout].contains(failure) || failure == .other && !evidence.tellsKinds
    }

    /// A response that is not waited for.
    static func late(_ step: Step) -> [MockStub] {
        [RequestMatch.any(step.path).respond(body: "late", delay: .seconds(60))]
    }

    static let cancellation = [
        ofTheWire(
            "cancel.ends", "a cancelled request ends its connection or stream", expected: "the server sees it",
            cancelled, stubs: late
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            let judgement = Judging.outcome(evidence) { outcome in
                guard isGivenUp(outcome, evidence) else { return .fail(outcome.summary) }
                // One that is asked for again after a time-out may come twice (RFC 9110 §9.2.2).
                return evidence.isStillOpen(evidence.entries)
                    ? .fail("the server still sends") : .pass
            }
            return Judging.inTime(evidence, within: cancellationLimit, judgement)
        }
    ]
}
