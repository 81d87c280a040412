// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiUpstream

// Notes and outcomes that are reported for an exchange.
extension Recorder {
    /// Notes on the samples that are left out, since they do not show which values differ each time.
    static func notes(of samples: [Exchange], to exchange: Exchange) -> [String] {
        samples.compactMap { sample in
            if sample.isOutdated { return "a sample is left out: a request before it may have changed the response" }
            if sample.head.status == exchange.head.status { return nil }
            return "a sample was answered \(sample.head.status), and is left out"
        }
    }

    /// The note on a new request whose response is that of another, which differs in random-looking values only; nil
    /// for none.
    func likeness(_ recording: Recording) -> String? {
        let origin = recording.exchange.origin
        guard recording.existing == nil, let shape = RequestShape(recording.request.node, origin: origin),
            let other = store.like(shape).flatMap(Likeness.init),
            other.key != recording.request.key, let otherShape = RequestShape(other.request, origin: origin),
            ResponseChanges(
                from: other.response, to: recording.derived.response, volatile: other.volatile, lines: other.lines
            ).isEmpty
        else { return nil }
        return shape.note(beside: otherShape, of: other.label, selecting: options.selecting)
    }

    /// The notes on places that are to select the response and cannot, since a secret stands there.
    func unselected(_ sent: SentRequest) -> [String] {
        options.selecting.hidden(in: sent) { Contrast.isUsable($0, at: $1, redactor) }.map { place in
            let start = "\(place.text) is a secret here, which selects nothing:"
            if case .member = place {
                return
                    "\(start) record the response that gives it to the client in the same recording, or allow the value at \(place.text)"
            }
            return
                "\(start) record the response that gives it to the client in the same recording, or select by another place"
        }
    }

    /// The most volatile places that are listed; the rest is a number. 6.
    private static let markLimit = 6

    func changeNotes(_ recording: Recording) -> [String] {
        var notes = recording.changes?.notes ?? []
        let echoed = recording.derived.echoed
        if recording.existing == nil, !echoed.isEmpty {
            notes.append("\(Self.list(echoed)) of the response is of the request, and a template of it")
        }
        if let first = notes.first, recording.isFurtherStep { notes[0] = "answer \(recording.step + 1): \(first)" }
        if recording.marksRanges {
            notes.append("the service has \(recording.derived.response.hasRanges ? "" : "no ")ranges")
        }
        if recording.marksVolatile {
            let lines = recording.volatileLines.dropFirst(recording.existing?.volatileLines.count ?? 0)
            let marks =
                lines.map { "\($0) (header)" }
                + recording.newMarks.map {
                    $0.kind == .text
                        ? "white space, escapes and order of members" : "\($0.path) (\($0.kind.rawValue))"
                }
            if !marks.isEmpty { notes.append("volatile: " + Self.list(marks)) }
            let steady = recording.steady.map(\.path)
            if !steady.isEmpty { notes.append("volatile no longer: " + Self.list(steady)) }
        }
        return notes
    }

    static func list(_ marks: [String]) -> String {
        let others = marks.count > markLimit ? ["and \(marks.count - markLimit) more"] : []
        return (marks.prefix(markLimit) + others).joined(separator: ", ")
    }

    func outcome(
        _ kind: RecordingOutcome.Kind, _ exchange: Exchange, _ request: DerivedRequest, _ recording: Recording? = nil,
        files: [String] = [], notes: [String] = []
    ) -> RecordingOutcome {
        let response = recording?.derived.response
        var notes = notes + request.notes + (recording?.derived.notes ?? [])
        if let note = exchange.content.note { notes.append(note) }
        let redacted = request.redacted + (recording?.derived.redacted ?? [])
        return RecordingOutcome(
            kind, request: request.label, origin: exchange.origin, files: files, status: exchange.head.status,
            mediaType: response.map { MediaTypeName.short($0.mediaType) } ?? "", coding: exchange.content.decodedFrom,
            size: response?.body.count ?? 0, redacted: redacted.unique, notes: notes)
    }
}

/// A recorded request that differs from another, which is compared with it, in random-looking values only.
private struct Likeness {
    let key: String
    let request: JSONNode
    let label: String
    let response: RecordedResponse
    let volatile: [VolatilePath]
    let lines: [String]

    init?(_ stub: RecordedStub) {
        guard let request = stub.request, let response = stub.steps.first?.response else { return nil }
        key = stub.key
        self.request = request
        label = stub.node["recorded"]?["request"]?.string ?? stub.path
        self.response = response
        volatile = stub.volatile
        lines = stub.volatileLines
    }
}

extension [String] {
    /// Without repeats, in their order.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
