// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

/// A stub's answers, made ready.
struct PreparedStub: Sendable {
    /// The only answer, or the first of a sequence: here rather than in a list, since it is what nearly every request is after.
    let first: PreparedResponse
    let sequence: PreparedSequence?

    init(_ stub: Stub, counter: StepCounter?) {
        let steps = stub.responses.map(PreparedResponse.init(response:))
        first = steps.first ?? PreparedResponse(response: StubResponse())
        sequence =
            stub.isSequence
            ? PreparedSequence(steps: steps, afterLast: stub.afterLast, counter: counter ?? StepCounter()) : nil
    }
}
