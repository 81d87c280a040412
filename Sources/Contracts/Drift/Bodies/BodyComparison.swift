// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Compares the bodies of recorded responses with those of live ones, as far as their media types say how.
struct BodyComparison {
    private(set) var findings: [DriftFinding] = []
    /// The live bodies as JSON values, if they are such.
    private(set) var documents: [JSONNode] = []
    /// The recorded bodies and the live ones as JSON values, if they are to be looked at; nil if they are not JSON.
    private(set) var places: [JSONNode]?
    private let recorded: [ResponseSample]
    private let live: [ResponseSample]
    private var noise: Noise

    /// Bytes of a body in which places are looked for. 1 MiB.
    private static let placeLimit = 1024 * 1024

    init(_ recorded: [ResponseSample], _ live: [ResponseSample], noise: Noise) {
        self.recorded = recorded.filter { !$0.isWithoutBody }
        self.live = live.filter { !$0.isWithoutBody }
        self.noise = noise
    }

    private mutating func add(_ level: DriftLevel, _ id: DriftID, _ old: String?, _ new: String?) {
        findings.append(
            DriftFinding(
                level, id, at: "", recorded: old, received: new, sample: recorded.first?.index ?? 0,
                site: .body(offset: 0)))
    }

    /// Compares the bodies.
    ///
    /// - Parameters:
    ///   - keepsDocuments: whether the live values are asked for.
    ///   - keepsPlaces: whether the places of the values are asked for.
    mutating func compare(keepsDocuments: Bool, keepsPlaces: Bool) -> BodyOutcome {
        guard let first = recorded.first, let response = live.first, !(recorded + live).contains(where: \.isBodyOpen)
        else { return .compared(ComparedParts()) }
        if let broken = live.first(where: { $0.brokenCoding != nil }) {
            add(.breaking, .bodyMalformed, known(first.mediaType), "bytes that are not \(broken.brokenCoding ?? "")")
            return .compared(\.values)
        }
        if let coding = live.lazy.compactMap(\.unknownCoding).first {
            return blocked("the response has the content coding \(coding), which is unknown here")
        }
        let withContent = recorded.filter { !$0.body.isEmpty }
        guard let known = withContent.first else {
            if let more = live.first(where: { !$0.body.isEmpty }) {
                add(.info, .bodyAdded, "no body", "\(more.body.count) bytes")
            }
            return .compared(ComparedParts())
        }
        let kind = ComparableBody.kind(of: known)
        if live.contains(where: \.body.isEmpty) {
            // No line and no event is an empty list.
            if ComparableBody.isList(kind) {
                add(.info, .itemsEmpty, "\(known.body.count) bytes", "none")
            } else if withContent.count == recorded.count {
                add(.breaking, .bodyMissing, "\(first.body.count) bytes", "no body")
            }
            return .compared(\.values)
        }
        if let reason = withContent.lazy.compactMap({ BodyObstacle.ofAny($0.body, kind) }).first {
            return blocked(reason)
        }
        let newKind = ComparableBody.kind(of: response)
        guard isReadable(kind) else { return .compared(\.values) }
        switch kind {
        case .json, .jsonLines, .events, .form, .xml, .yaml:
            return compareValues(withContent, kind, newKind, keepsDocuments, keepsPlaces)
        case .table: return best(withContent) { $0.compareTables() }
        case .image, .binary: return best(withContent) { $0.compareBytes() }
        case .message: return compareMessages(withContent)
        case .svg: return best(withContent) { $0.compareDrawings() }
        case .html, .text:
            let isPage = kind == .html
            let isAlways = withContent.allSatisfy { BodyLook.isMarkup($0.body) == isPage }
            if isAlways, let other = live.first(where: { BodyLook.isMarkup($0.body) != isPage }) {
                add(.breaking, .bodyMalformed, known.mediaType, Self.shown(other.body))
            }
            return .compared(\.texts)
        }
    }

    private func known(_ type: String) -> String? { type.isEmpty ? nil : type }

    /// The reason not to compare, unless the live bytes are the recorded bytes themselves.
    private func blocked(_ reason: String) -> BodyOutcome {
        let bodies = Set(recorded.map(\.body))
        let isSame = live.allSatisfy { $0.unknownCoding == nil && bodies.contains($0.body) }
        return isSame ? .compared(\.files) : .blocked(reason)
    }

    /// Compares each response with the recorded one that it fits best.
    private mutating func best(
        _ known: [ResponseSample], _ compare: (inout FileComparison) -> BodyOutcome
    ) -> BodyOutcome {
        var told: Set<DriftFinding> = []
        var parts = ComparedParts()
        for (index, response) in live.enumerated() {
            var best: (findings: [DriftFinding], parts: ComparedParts)?
            var reason: String?
            for sample in known {
                var one = FileComparison(sample, response, noise: noise)
                switch compare(&one) {
                case .blocked(let why): reason = why
                case .compared(let parts):
                    let isBetter =
                        best.map { DriftFinding.weight(one.findings) < DriftFinding.weight($0.findings) } ?? true
                    if isBetter { best = (one.findings, parts) }
                }
            }
            guard let best else { return blocked(reason ?? "nothing is recorded") }
            if index == 0 { parts = best.parts }
            for finding in best.findings where told.insert(finding).inserted { findings.append(finding) }
        }
        return .compared(parts)
    }

    /// Whether texts that were UTF-8 are so still.
    private mutating func isReadable(_ kind: ComparableBody.Kind) -> Bool {
        switch kind {
        case .image, .binary, .message: return true
        default: break
        }
        guard recorded.allSatisfy({ String(validating: $0.body, as: UTF8.self) != nil }) else {
            // XML names its own encoding, and the line Content-Type may name one.
            let isSaid = (recorded + live).contains { $0.charset != nil } || kind == .xml || kind == .svg
            if !isSaid, live.contains(where: BodyObstacle.isWideUTF8) {
                add(.warning, .encodingChanged, "bytes that are not UTF-8", "UTF-8")
            }
            return true
        }
        if let wide = live.first(where: { BodyObstacle.isUTF16($0.body) }) {
            add(
                .breaking, .encodingChanged, "UTF-8",
                wide.body[0] == 0xFF || wide.body[0] == 0xFE ? "UTF-16 with a mark" : "UTF-16")
            return false
        }
        if live.contains(where: { String(validating: $0.body, as: UTF8.self) == nil }) {
            add(.breaking, .encodingChanged, "UTF-8", "bytes that are not UTF-8")
            return false
        }
        let hadMark = recorded.contains { ComparableBody.hasByteOrderMark($0.body) }
        if !hadMark, live.contains(where: { ComparableBody.hasByteOrderMark($0.body) }) {
            add(.warning, .byteOrderMarkAdded, nil, "EF BB BF")
        }
        return true
    }

    static func shown(_ body: [UInt8]) -> String {
        Sighting.text(.string(String(decoding: body.prefix(Sighting.shownLimit), as: UTF8.self)))
    }

    // MARK: Values

    private mutating func compareValues(
        _ known: [ResponseSample], _ kind: ComparableBody.Kind, _ newKind: ComparableBody.Kind,
        _ keepsDocuments: Bool, _ keepsPlaces: Bool
    ) -> BodyOutcome {
        let looks = keepsPlaces && kind != .xml && (known + live).allSatisfy { $0.body.count <= Self.placeLimit }
        let old = Shape()
        var before = XMLNames()
        var hasErrors = false
        var all: [JSONNode] = []
        var (events, newEvents): (Set<String>, Set<String>) = ([], [])
        for sample in known {
            let folded = FoldedArrays()
            guard let values = Self.values(of: sample, kind, folded, isWhole: looks, &before) else {
                return blocked(BodyObstacle.ofValues(sample.body, kind))
            }
            for value in values {
                old.add(value, sample: sample.index, folded: folded)
                hasErrors = hasErrors || Self.hasErrors(value)
                if kind == .events, let name = value["event"]?.string { events.insert(name) }
            }
            if looks { all.append(Self.document(values, kind)) }
        }
        if ComparableBody.isList(kind), old.count == 0 { return blocked("the fixture's own body has no item") }
        let new = Shape()
        var after = XMLNames()
        var kept: [JSONNode] = []
        let keeps = keepsDocuments || looks || live.count > 1
        // Clients drop an event that does not end; a recording by hand may lack the blank line.
        let isStream = kind == .events && known.allSatisfy { ComparableBody.endsAsStream($0.body) }
        for sample in live {
            let asked = kind == .form && newKind == .json ? newKind : kind
            let folded = FoldedArrays()
            guard let values = Self.values(of: sample, asked, folded, isWhole: keeps, isStream: isStream, &after)
            else {
                add(.breaking, .bodyMalformed, "\(kind)", Self.shown(sample.body))
                return .compared(\.values)
            }
            for value in values {
                new.add(value, sample: sample.index, folded: folded)
                if kind == .events, let name = value["event"]?.string { newEvents.insert(name) }
                if kind == .json, !hasErrors, Self.hasErrors(value) { graphQL(value, known[0]) }
            }
            if keeps { kept.append(Self.document(values, kind)) }
        }
        if live.count > 1 { noise.learn(from: kept) }
        if keepsDocuments { documents = kept }
        if looks { places = all + kept }
        if let flaw = after.flaw, before.flaw == nil { add(.breaking, .bodyMalformed, "\(kind)", flaw) }
        if let entity = (before.entity ?? after.entity) {
            return blocked("the entity &\(entity); of its document type is not resolved")
        }
        findings += before.differences(to: after, sample: known[0].index)
        let noise = noise
        var comparison = ShapeComparison(isMarked: { noise.isMarked($0) }, isNoise: { noise.contains($0) })
        if ComparableBody.isList(kind), new.count == 0 {
            add(.info, .itemsEmpty, "\(old.count) items", "none")
        }
        comparison.compare(old, new, at: ComparableBody.isList(kind) ? "/*" : "")
        findings += kind == .xml ? comparison.findings.compactMap(\.inXML) : comparison.findings
        if let name = newEvents.subtracting(events).min(), !findings.contains(where: { $0.id == .variantAdded }) {
            add(.info, .variantAdded, events.sorted().joined(separator: ", "), name)
        }
        return comparison.fields > 0
            ? .compared(ComparedParts(\.fields, comparison.fields)) : .compared(\.values)
    }

    /// The values of a body as one document.
    private static func document(_ values: [JSONNode], _ kind: ComparableBody.Kind) -> JSONNode {
        ComparableBody.isList(kind) ? .array(values) : values.first ?? .null
    }

    /// A body as JSON values; of a large one the elements of long arrays are folded, unless it is asked for as a whole.
    private static func values(
        of sample: ResponseSample, _ kind: ComparableBody.Kind, _ folded: FoldedArrays, isWhole: Bool,
        isStream: Bool = false, _ names: inout XMLNames
    ) -> [JSONNode]? {
        if kind == .xml {
            guard let document = XMLDocument.parse(sample.body) else { return nil }
            names.formUnion(document.names)
            return [document.node]
        }
        guard kind == .json, !isWhole, sample.body.count > FoldedArrays.limit else {
            return ComparableBody.documents(sample.body, kind, isWhole: isStream)
        }
        return (try? folded.parse(sample.body, sample: sample.index)).map { [$0] }
    }

    /// Whether a response of GraphQL has errors (GraphQL specification §7.1): JSON:API has them in the place of data.
    private static func hasErrors(_ node: JSONNode) -> Bool {
        guard let object = node.object, object["data"] != nil, let errors = object["errors"]?.array else {
            return false
        }
        return !errors.isEmpty
    }

    private mutating func graphQL(_ node: JSONNode, _ sample: ResponseSample) {
        guard !findings.contains(where: { $0.id == .graphQLErrors }) else { return }
        let message = node["errors"]?.array?.first?["message"].map(Sighting.text)
        findings.append(
            DriftFinding(
                .breaking, .graphQLErrors, at: "/errors", received: message ?? "errors", sample: sample.index,
                site: .body(offset: 0)))
    }

    // MARK: Messages

    private mutating func compareMessages(_ known: [ResponseSample]) -> BodyOutcome {
        var old = WireMessage()
        let others = known.filter { !old.add($0.body) }
        let before = findings.count
        let outcome = best(known) { $0.compareBytes() }
        guard findings.count == before else { return outcome }
        var new = WireMessage()
        guard others.isEmpty else {
            let isNow = live.contains { new.add($0.body) }
            return isNow ? blocked("the fixture's own body cannot be read as a message of protobuf") : outcome
        }
        for response in live where !new.add(response.body) {
            add(.breaking, .bodyMalformed, "a message of protobuf", Self.shown(response.body))
            return .compared(\.values)
        }
        findings += old.differences(to: new, sample: known[0].index)
        return .compared(ComparedParts(\.fields, max(1, old.fields.count)))
    }
}
