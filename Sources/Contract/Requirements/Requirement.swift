// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// Something that a client has to do right, and how that is found out.
package struct Requirement: Sendable {
    /// Such as `method.patch`.
    package let id: String
    package let title: String
    /// What is expected, in words.
    package let expected: String
    package let step: Step
    /// What the server answers the step with.
    package let stubs: [MockStub]
    package let judge: @Sendable (StepEvidence) -> Judgement
    /// Where an error is expected: of which kinds it may be.
    package var failures: Set<StepOutcome.Failure> = []
    /// Whether it is about connections and streams, so that a client without any is not concerned.
    package var isOfTheWire = false

    package init(
        _ id: String, _ title: String, expected: String, _ change: (inout Step) -> Void = { _ in },
        stubs: (Step) -> [MockStub] = { [RequestMatch.any($0.path).respond(body: "ok")] },
        judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) {
        self.id = id
        self.title = title
        self.expected = expected
        var step = Step(id)
        change(&step)
        self.step = step
        self.stubs = stubs(step)
        self.judge = judge
    }

    package func verdict(_ evidence: StepEvidence) -> Verdict {
        switch judge(evidence) {
        case .pass: Verdict(id, title, .pass, expected: expected)
        case .fail(let seen): Verdict(id, title, .fail, expected: expected, seen: seen)
        case .notApplicable(let why): Verdict(id, title, .notApplicable, expected: expected, seen: why)
        }
    }
}
