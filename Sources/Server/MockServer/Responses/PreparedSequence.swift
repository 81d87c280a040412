// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Responses that are given one after the other.
final class PreparedSequence: Sendable {
    let counter: StepCounter
    let steps: [PreparedResponse]
    private let afterLast: Stub.SequenceEnd

    init(steps: [PreparedResponse], afterLast: Stub.SequenceEnd, counter: StepCounter) {
        self.steps = steps
        self.afterLast = afterLast
        self.counter = counter
    }

    /// Whether one of the responses is rendered for each request.
    var hasTemplates: Bool { steps.contains { $0.templated != nil } }

    /// - Parameter known: the steps that were recorded of the request; nil if it is not known.
    func claim(peeks: Bool, among known: [Int]?) -> PreparedResponse? {
        guard let known else {
            return counter.claim(of: steps.count, afterLast: afterLast, peeks: peeks).map { steps[$0] }
        }
        return counter.claim(among: known, afterLast: afterLast, peeks: peeks).map { steps[$0] }
    }
}
