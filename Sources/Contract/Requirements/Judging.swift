// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// Judgements that several requirements make.
package enum Judging {
    /// The one request that came; a step with more of them, or none, is not judged further.
    package static func request(_ evidence: StepEvidence, _ judge: (JournalEntry) -> Judgement) -> Judgement {
        guard let entry = evidence.entries.first else {
            return .fail("no request came\(evidence.outcomes.first.map { "; the client says \($0.summary)" } ?? "")")
        }
        guard evidence.entries.count == 1 else { return .fail(Judging.count(evidence.entries)) }
        return judge(entry)
    }

    /// The one outcome that was reported.
    package static func outcome(_ evidence: StepEvidence, _ judge: (StepOutcome) -> Judgement) -> Judgement {
        guard let outcome = evidence.outcomes.first else { return .fail("the client reported nothing") }
        return judge(outcome)
    }

    /// `1 request came`, `3 requests came`.
    package static func count(_ entries: [JournalEntry]) -> String {
        "\(entries.count) \(entries.count == 1 ? "request" : "requests") came"
    }

    package static func equal(_ seen: String, _ expected: String) -> Judgement {
        seen == expected ? .pass : .fail(seen.isEmpty ? "nothing" : seen)
    }

    /// The same bytes, or what differs of them.
    package static func bytes(_ seen: [UInt8], _ expected: [UInt8]) -> Judgement {
        if seen == expected { return .pass }
        let place = zip(seen, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let difference = place.map { ", the first other byte at \($0)" } ?? ""
        return .fail("\(seen.count) bytes in the place of \(expected.count)\(difference)")
    }

    /// An answer with a status and, where they are given, bytes.
    package static func answer(_ evidence: StepEvidence, _ status: Int, _ body: [UInt8]? = nil) -> Judgement {
        outcome(evidence) { outcome in
            guard outcome.failure == nil, outcome.status == status else { return .fail(outcome.summary) }
            return body.map { bytes(outcome.body, $0) } ?? .pass
        }
    }

    /// A failure of one of these kinds.
    package static func failure(_ evidence: StepEvidence, _ kinds: Set<StepOutcome.Failure>) -> Judgement {
        outcome(evidence) { outcome in
            guard let failure = outcome.failure else { return .fail("an answer: \(outcome.summary)") }
            return kinds.contains(failure) ? .pass : .fail(outcome.summary)
        }
    }
}
