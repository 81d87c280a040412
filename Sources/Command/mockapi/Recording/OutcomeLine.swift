// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiRecording

/// The line on the outcome of an exchange.
enum OutcomeLine {
    /// Files stand in a column of so many letters.
    private static let column = 52

    /// - Parameter main: the origin that needs no mention.
    static func text(_ outcome: RecordingOutcome, main: String) -> String {
        let place = outcome.origin == main ? outcome.request : "\(outcome.request) (\(outcome.origin))"
        let subject = (outcome.files.isEmpty ? place : outcome.files.joined(separator: "  ")).printable
        let details = details(of: outcome).filter { !$0.isEmpty }.joined(separator: "  ").printable
        let padding = String(repeating: " ", count: max(0, column - subject.count))
        return details.isEmpty
            ? "  \(sign(outcome.kind)) \(subject)" : "  \(sign(outcome.kind)) \(subject)\(padding)  \(details)"
    }

    private static func sign(_ kind: RecordingOutcome.Kind) -> String {
        switch kind {
        case .new: "+"
        case .changed, .renamed: "~"
        case .unchanged: "="
        case .leftOut: "-"
        case .refused, .failed: "!"
        }
    }

    private static func details(of outcome: RecordingOutcome) -> [String] {
        let redacted = outcome.redacted.isEmpty ? [] : ["redacted: " + redacted(in: outcome)]
        let notes = (content(of: outcome) + outcome.notes + redacted + advice(outcome)).joined(separator: "; ")
        switch outcome.kind {
        case .new: return [outcome.status.map(String.init) ?? "", outcome.mediaType, size(of: outcome), notes]
        case .changed, .renamed: return [notes.isEmpty ? "changed" : notes]
        case .unchanged: return ["unchanged", outcome.notes.joined(separator: "; ")]
        case .leftOut: return [outcome.status.map(String.init) ?? "", notes]
        case .refused, .failed: return [notes]
        }
    }

    private static func content(of outcome: RecordingOutcome) -> [String] {
        outcome.content.map { ["request body of \(ByteCount.text($0.size)) in \($0.path)"] } ?? []
    }

    private static func advice(_ outcome: RecordingOutcome) -> [String] {
        switch outcome.advice {
        case .answerPreflights: ["with --cors the proxy answers preflights itself"]
        case .markVolatile(let places):
            ["if it differs each time: " + places.map { "--volatile \($0.shellWord)" }.joined(separator: " ")]
        case nil: []
        }
    }

    /// How many places are reported; the rest is a number. 4.
    private static let redactedLimit = 4

    /// The places whose values were replaced.
    private static func redacted(in outcome: RecordingOutcome) -> String {
        var places = outcome.redacted.prefix(redactedLimit).map {
            $0.hasPrefix("redacted.") ? String($0.dropFirst(9)) : $0
        }
        let others = outcome.redacted.count - places.count
        if others > 0 { places.append("and \(others) more") }
        return places.joined(separator: ", ")
    }

    private static func size(of outcome: RecordingOutcome) -> String {
        guard outcome.size > 0 else { return "" }
        return (outcome.coding.map { $0 + "→" } ?? "") + ByteCount.text(outcome.size)
    }
}
