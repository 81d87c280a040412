// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
package import MockServer

/// Judgements that several requirements make.
package enum Judging {
    static let ok = Array("ok".utf8)

    /// The one request that came, and that the client has its response; a step with more of them, or none, is not judged further.
    package static func request(
        _ evidence: StepEvidence, response body: [UInt8]? = ok, _ judge: (JournalEntry) -> Judgement
    ) -> Judgement {
        guard let entry = evidence.entries.first else { return none(evidence) }
        guard evidence.entries.count == 1 else { return .fail(count(evidence.entries)) }
        let judgement = judge(entry)
        guard judgement == .pass else { return judgement }
        return outcome(evidence) { outcome in
            guard outcome.hasStatus(200) else {
                return .fail("the request as it should be; the client says \(outcome.summary)")
            }
            return body.map { bytes(outcome.body, $0) } ?? .pass
        }
    }

    /// That no request came.
    static func none(_ evidence: StepEvidence) -> Judgement {
        .fail("no request came\(evidence.outcomes.first.map { "; the client says \($0.summary)" } ?? "")")
    }

    /// The one outcome that was reported.
    package static func outcome(_ evidence: StepEvidence, _ judge: (StepOutcome) -> Judgement) -> Judgement {
        guard let outcome = evidence.outcomes.first else { return .fail("the client reported nothing") }
        return judge(outcome)
    }

    /// `1 request came`, `3 requests came`.
    package static func count(_ entries: [JournalEntry]) -> String {
        Counts.count(entries.count, "request") + " came"
    }

    /// `POST /a, GET /b`; five at most.
    static func targets(_ entries: [JournalEntry]) -> String {
        let texts = entries.prefix(5).map { "\($0.method) \($0.target)" }
        return texts.isEmpty ? "nothing" : texts.joined(separator: ", ") + (entries.count > 5 ? ", …" : "")
    }

    /// The same text byte for byte: Swift's own `==` takes characters that are composed in other ways for the same.
    package static func equal(_ seen: String, _ expected: String) -> Judgement {
        if seen.utf8.elementsEqual(expected.utf8) { return .pass }
        guard seen == expected else { return .fail(seen.isEmpty ? "nothing" : seen) }
        return .fail(
            "\(seen), which is composed of other code points: \(seen.utf8.count) bytes for \(expected.utf8.count)")
    }

    /// Passes for the same bytes, or reports the difference.
    package static func bytes(_ seen: [UInt8], _ expected: [UInt8]) -> Judgement {
        if seen == expected { return .pass }
        let place = zip(seen, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let difference = place.map { ", the first other byte at \($0)" } ?? ""
        return .fail("\(Counts.count(seen.count, "byte")) in the place of \(expected.count)\(difference)")
    }

    /// A response with a status and, if they are given, bytes.
    package static func response(_ evidence: StepEvidence, _ status: Int, _ body: [UInt8]? = nil) -> Judgement {
        outcome(evidence) { outcome in
            guard outcome.hasStatus(status) else { return .fail(outcome.summary) }
            return body.map { bytes(outcome.body, $0) } ?? .pass
        }
    }

    /// The failures that a client may report for a broken or cut-off response: where it sees the break depends on how it reads.
    static let broken: Set<StepOutcome.Failure> = [.connection, .protocol, .decoding]

    /// A failure of one of these kinds, of a request that came.
    package static func failure(_ evidence: StepEvidence, _ kinds: Set<StepOutcome.Failure>) -> Judgement {
        guard !evidence.entries.isEmpty else { return none(evidence) }
        return outcome(evidence) { outcome in
            guard let failure = outcome.failure else { return .fail("a response: \(outcome.summary)") }
            if kinds.contains(failure) { return .pass }
            guard !evidence.tellsKinds else { return .fail(outcome.summary) }
            if broken.contains(failure), !kinds.isDisjoint(with: broken) {
                return .advice("an error of another kind than \(names(kinds)): \(outcome.summary)")
            }
            guard failure == .other else { return .fail(outcome.summary) }
            return .advice("an error, of a kind that the client does not report: \(outcome.summary)")
        }
    }

    /// `connection or protocol`.
    static func names(_ kinds: Set<StepOutcome.Failure>) -> String {
        kinds.map(\.rawValue).sorted().joined(separator: " or ")
    }

    /// A judgement that is met, if the client was done in time; if nobody knows its end, the time is not judged.
    ///
    /// - Parameter limit: seconds behind the step's last request.
    static func inTime(_ evidence: StepEvidence, within limit: Double, _ judgement: Judgement) -> Judgement {
        switch judgement {
        case .fail, .notApplicable: return judgement
        case .pass, .advice: break
        }
        guard let begun = evidence.entries.last?.receivedAt, let ended = evidence.endedAt, ended - begun > limit else {
            return judgement
        }
        return .fail("\(evidence.outcomes.first?.summary ?? "an end") after \(Int((ended - begun).rounded())) s")
    }

    /// The judgement on the parts that a client reads; it says nothing about a driver that leaves them out.
    static func used(_ name: String, _ evidence: StepEvidence, _ judgement: Judgement) -> Judgement {
        guard !evidence.outcomes.isEmpty, !evidence.outcomes.contains(where: { $0.used.contains(name) }) else {
            return judgement
        }
        return evidence.entries.isEmpty
            ? judgement : .notApplicable("the driver does not use \"\(name)\" of the plan")
    }

    /// That the client said nothing; nil if it did.
    static func silence(_ evidence: StepEvidence) -> Judgement? {
        evidence.outcomes.isEmpty ? .fail("the client reported nothing") : nil
    }

    /// The judgement of a requirement on HTTP/1.1 only, once a request came and a report too.
    static func onHTTP1(_ evidence: StepEvidence, _ judge: () -> Judgement) -> Judgement {
        guard !evidence.entries.isEmpty else { return none(evidence) }
        if let silence = silence(evidence) { return silence }
        return evidence.speaksHTTP2 ? .notApplicable("the client speaks HTTP/2") : judge()
    }
}
