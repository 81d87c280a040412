// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// One exchange on its way into the store: the new stub, compared with the present one.
struct Recording {
    let exchange: Exchange
    let request: DerivedRequest
    let derived: DerivedResponse
    /// Places that further responses to the request showed to be volatile.
    var sampled: [VolatilePath]
    /// Names of header lines that they showed to be so.
    var sampledLines: [String] = []
    /// Places that were volatile, and had the same value in enough responses.
    var steady: [VolatilePath] = []
    /// How many responses to the request came before this one in the same session.
    let step: Int
    /// The stub that is recorded for the request already.
    let existing: RecordedStub?
    /// The timestamp of the recording, in RFC 3339 form.
    let timestamp: String

    /// The volatile places of the bodies, from now on.
    var volatile: [VolatilePath] {
        (existing?.volatile ?? []).filter { !steady.contains($0) } + newMarks
    }

    /// The volatile places that the stub does not name.
    var newMarks: [VolatilePath] {
        let known = existing?.volatile ?? []
        return sampled.filter { new in !known.contains { $0.path == new.path } }
    }

    /// The names of the volatile header fields, from now on.
    var volatileLines: [String] {
        var names = existing?.volatileLines ?? []
        for name in sampledLines where !names.contains(where: { $0.lowercased() == name.lowercased() }) {
            names.append(name)
        }
        return names
    }

    /// The step that is there for this response: the last if there are fewer.
    private var current: RecordedResponse? { existing?.response(of: step) }

    /// The differences between the response and the recorded one; nil if nothing is recorded.
    var changes: ResponseChanges? {
        current.map { ResponseChanges(from: $0, to: derived.response, volatile: volatile, lines: volatileLines) }
    }

    /// The JSON paths of the values that have changed, if nothing else has.
    var changedPlaces: [String] {
        guard let current, changes?.notes.count == 1 else { return [] }
        return ResponseChanges.valuePlaces(current, derived.response, volatile: volatile)
    }

    /// Whether the recording knows of volatile places that the stub does not name, or that are not volatile any more.
    var marksVolatile: Bool {
        !newMarks.isEmpty || !steady.isEmpty || volatileLines.count > (existing?.volatileLines.count ?? 0)
    }

    /// Whether the service has ranges and the stub has none, or the other way round: that is of the service, and so of all its steps.
    var marksRanges: Bool {
        guard let given = exchange.givesRanges else { return false }
        return existing?.steps.contains { $0.response.hasRanges != given } ?? false
    }

    /// Whether the response is one more than the stub has.
    var isFurtherStep: Bool { existing.map { step >= $0.steps.count } ?? false }

    /// The steps of the stub from now on: those before this one as they are written, then this one.
    ///
    /// Those before are as many as there were requests: a sequence repeats its last step.
    /// - Parameters:
    ///   - response: nil if all steps stay as they are.
    ///   - folder: the absolute path of the stub file's folder.
    func steps(with response: RecordedResponse?, folder: String) -> [RecordedStep] {
        var known = existing?.steps ?? []
        if let given = exchange.givesRanges, marksRanges {
            known = known.map { step in
                var response = step.response
                response.hasRanges = given
                return RecordedStep(response, keeping: step.node, folder: folder)
            }
        }
        guard let response else { return known }
        guard let last = known.last else { return [RecordedStep(response, folder: folder)] }
        let repeated = Array(repeating: last, count: max(0, step - known.count))
        let old = known.indices.contains(step) ? known[step].node : nil
        return known.prefix(step) + repeated + [RecordedStep(response, keeping: old, folder: folder)]
    }

    // MARK: Nodes

    func recordedNode(bodyFile: String?) -> JSONNode {
        var recorded = ObjectWriter()
        recorded.add(.from, text: exchange.origin)
        recorded.add(.request, text: request.label)
        recorded.add(.headers, texts: request.headers)
        recorded.add(.bodyFile, text: bodyFile)
        recorded.add(.key, text: request.key)
        if !request.places.isEmpty, request.sender == nil {
            recorded.add(.base, text: request.base)
            recorded.add(.by, texts: request.places.map(\.text))
            recorded.add(.selects, texts: request.places.filter(request.selected.contains).map(\.text))
        }
        recorded.add(.varies, texts: request.varying)
        if let existing, existing.key == request.key {
            let known = existing.node["recorded"]
            recorded.add(.beside, known?[KeyName.beside.rawValue])
            recorded.add(.sent, known?[KeyName.sent.rawValue])
        }
        recorded.add(.at, text: timestamp)
        recorded.add(
            .protocol, text: exchange.head.version == .http2 ? "h2" : exchange.head.version.rawValue.lowercased())
        recorded.add(.contentEncoding, text: derived.undoneCoding)
        recorded.add(.pretty, if: derived.isPretty)
        for name in volatileHeaders {
            var mark = ObjectWriter()
            mark.add(.header, text: name)
            recorded.append(mark.node, to: .volatile)
        }
        for path in volatile { recorded.append(path.node, to: .volatile) }
        return recorded.node
    }

    /// The names of lines whose values are of the moment.
    private var volatileHeaders: [String] {
        var names: [String] = []
        for line in derived.response.headers {
            let isVolatile = ResponseHeaders.treatment(of: line.name.lowercased()) == .volatile
            if isVolatile, !names.contains(line.name) { names.append(line.name) }
        }
        return names + volatileLines.filter { line in !names.contains { $0.lowercased() == line.lowercased() } }
    }
}
