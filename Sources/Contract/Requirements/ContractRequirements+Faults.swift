// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

extension ContractRequirements {
    static let faults = [
        fault("fault.empty", "an answer that does not come is an error", .emptyResponse, [.connection, .protocol]),
        fault("fault.reset", "a reset connection is an error", .connectionReset, [.connection, .protocol]),
        fault(
            "fault.truncated", "half of a body is an error, not a body", .truncatedBody(afterBytes: 100),
            [.connection, .protocol]),
        fault(
            "fault.length", "a body shorter than announced is an error", .wrongContentLength, [.connection, .protocol]),
        fault("fault.chunk", "a broken chunk is an error", .malformedChunk, [.protocol, .connection, .decoding]),
        fault("fault.garbage", "what is not HTTP is an error", .randomData, [.protocol, .connection]),
        fault("fault.gzip", "content that cannot be decoded is an error", .badGzip, [.decoding, .protocol]),
        fault(
            "fault.stall", "an answer that never ends is a time-out", .stall(afterBytes: 100), [.timeout], timeout: 1),
        Requirement(
            "fault.slow", "a slow answer arrives whole", expected: "200, 3,000 bytes", { $0.timeout = 10 },
            stubs: { step in
                let body = StubAnswer.Content.text(String(repeating: "s", count: 3_000))
                return [RequestMatch.any(step.path).respond(body: body, fault: .slowBody(bytesPerSecond: 10_000))]
            }
        ) { Judging.answer($0, 200, Array(repeating: UInt8(ascii: "s"), count: 3_000)) },
    ]

    private static func fault(
        _ id: String, _ title: String, _ fault: StubFault, _ kinds: Set<StepOutcome.Failure>, timeout: Int = 5
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "an error: \(kinds.map(\.rawValue).sorted().joined(separator: " or "))",
            { $0.timeout = timeout },
            stubs: { step in
                let body = StubAnswer.Content.text(String(repeating: "f", count: 1_000))
                return [RequestMatch.any(step.path).respond(body: body, fault: fault)]
            }
        ) { Judging.failure($0, kinds) }
        requirement.failures = kinds
        return requirement
    }

    /// A step whose request is cancelled.
    static func cancelled(_ step: inout Step) {
        step.cancellation = .whenItHasArrived
        step.timeout = 30
    }

    /// An answer that is not waited for.
    static func late(_ step: Step) -> [MockStub] {
        [RequestMatch.any(step.path).respond(body: "late", delay: .seconds(60))]
    }

    static let cancellation = [
        ofTheWire(
            "cancel.ends", "a cancelled request ends its connection or stream", expected: "the server is told",
            cancelled, stubs: late
        ) { evidence in
            Judging.request(evidence) { entry in
                // A client without another way gives a request up by its time-out.
                guard let failure = evidence.outcomes.first?.failure, [.cancelled, .timeout].contains(failure) else {
                    return .fail(evidence.outcomes.first?.summary ?? "the client reported nothing")
                }
                return entry.abandonment == nil ? .fail("the server still sends") : .pass
            }
        }
    ]
}
