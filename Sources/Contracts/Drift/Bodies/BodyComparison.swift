// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Compares the bodies of recorded responses with those of live ones, as far as their media types say how.
struct BodyComparison {
    private(set) var findings: [DriftFinding] = []
    /// The live bodies as JSON values, where they are such.
    private(set) var documents: [JSONNode] = []
    private let recorded: [ResponseSample]
    private let live: [ResponseSample]
    private var noise: Noise

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

    mutating func compare(keepsDocuments: Bool) {
        guard let first = recorded.first, let response = live.first, !(recorded + live).contains(where: \.isBodyOpen)
        else { return }
        let withContent = recorded.filter { !$0.body.isEmpty }
        guard let known = withContent.first else {
            if let more = live.first(where: { !$0.body.isEmpty }) {
                add(.info, .bodyAdded, "no body", "\(more.body.count) bytes")
            }
            return
        }
        let kind = ComparableBody.kind(of: known)
        if live.contains(where: \.body.isEmpty) {
            // No line and no event is an empty list.
            if ComparableBody.isList(kind) {
                add(.info, .itemsEmpty, "\(known.body.count) bytes", "none")
            } else if withContent.count == recorded.count {
                add(.breaking, .bodyMissing, "\(first.body.count) bytes", "no body")
            }
            return
        }
        let newKind = ComparableBody.kind(of: response)
        guard isReadable(kind) else { return }
        switch kind {
        case .json, .jsonLines, .events, .form, .xml: compareValues(withContent, kind, newKind, keepsDocuments)
        case .table: best(withContent) { $0.compareTables($1, $2) }
        case .image, .binary: best(withContent) { $0.compareBytes($1, $2) }
        case .svg, .html:
            guard withContent.allSatisfy({ $0.body.contains(UInt8(ascii: "<")) }) else { return }
            for response in live where response.body.first(where: { $0 > 0x20 && $0 < 0x7F }) != UInt8(ascii: "<") {
                return add(.breaking, .bodyMalformed, known.mediaType, Self.shown(response.body))
            }
        case .text: break
        }
    }

    /// Holds each response against the recorded one that it fits best.
    private mutating func best(
        _ known: [ResponseSample], _ compare: (inout BodyComparison, ResponseSample, ResponseSample) -> Void
    ) {
        var told: Set<DriftFinding> = []
        for response in live {
            var best: [DriftFinding]?
            for sample in known {
                var one = self
                one.findings = []
                compare(&one, sample, response)
                let isBetter = best.map { DriftFinding.weight(one.findings) < DriftFinding.weight($0) } ?? true
                if isBetter { best = one.findings }
            }
            for finding in best ?? [] where told.insert(finding).inserted { findings.append(finding) }
        }
    }

    /// Whether texts that were UTF-8 are so still.
    private mutating func isReadable(_ kind: ComparableBody.Kind) -> Bool {
        switch kind {
        case .image, .binary: return true
        default: break
        }
        guard recorded.allSatisfy({ String(validating: $0.body, as: UTF8.self) != nil }) else { return true }
        if let wide = live.first(where: { Self.isUTF16($0.body) }) {
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

    private static func isUTF16(_ body: [UInt8]) -> Bool {
        guard body.count > 3 else { return false }
        return body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF])
            || body[0] == 0 && body[1] != 0 && body[2] == 0 || body[0] != 0 && body[1] == 0 && body[3] == 0
    }

    private static func shown(_ body: [UInt8]) -> String {
        Sighting.text(.string(String(decoding: body.prefix(Sighting.shownLimit), as: UTF8.self)))
    }

    // MARK: Values

    private mutating func compareValues(
        _ known: [ResponseSample], _ kind: ComparableBody.Kind, _ newKind: ComparableBody.Kind, _ keepsDocuments: Bool
    ) {
        let old = Shape()
        var namespaces: Set<String> = []
        var hasErrors = false
        for sample in known {
            // A body that was recorded broken says nothing of the shape.
            let folded = FoldedArrays()
            guard let values = Self.values(of: sample, kind, folded) else { return }
            for value in values {
                old.add(value, sample: sample.index, folded: folded)
                hasErrors = hasErrors || Self.hasErrors(value)
            }
            if kind == .xml, let document = XMLDocument.parse(sample.body) { namespaces.formUnion(document.namespaces) }
        }
        let new = Shape()
        var fresh: Set<String> = []
        var kept: [JSONNode] = []
        let keeps = keepsDocuments || live.count > 1
        for sample in live {
            let asked = kind == .form && newKind == .json ? newKind : kind
            let folded = FoldedArrays()
            guard
                let values = keeps
                    ? ComparableBody.documents(sample.body, asked) : Self.values(of: sample, asked, folded)
            else {
                add(.breaking, .bodyMalformed, "\(kind)", Self.shown(sample.body))
                return
            }
            for value in values {
                new.add(value, sample: sample.index, folded: folded)
                if kind == .json, !hasErrors, Self.hasErrors(value) { graphQL(value, known[0]) }
            }
            if keeps { kept.append(ComparableBody.isList(kind) ? .array(values) : values.first ?? .null) }
            if kind == .xml, let document = XMLDocument.parse(sample.body) { fresh.formUnion(document.namespaces) }
        }
        if live.count > 1 { noise.learn(from: kept) }
        if keepsDocuments { documents = kept }
        if let gone = namespaces.subtracting(fresh).sorted().first {
            add(.breaking, .valueChanged, "namespace \(gone)", fresh.sorted().joined(separator: ", "))
        }
        let noise = noise
        var comparison = ShapeComparison { noise.contains($0) }
        if ComparableBody.isList(kind), new.count == 0, old.count > 0 {
            add(.info, .itemsEmpty, "\(old.count) items", "none")
        }
        comparison.compare(old, new, at: ComparableBody.isList(kind) ? "/*" : "")
        findings += kind == .xml ? comparison.findings.compactMap(Self.ofXML) : comparison.findings
    }

    /// A body as JSON values; of a large one the elements of long arrays are folded.
    private static func values(
        of sample: ResponseSample, _ kind: ComparableBody.Kind, _ folded: FoldedArrays
    ) -> [JSONNode]? {
        guard kind == .json, sample.body.count > FoldedArrays.limit else {
            return ComparableBody.documents(sample.body, kind)
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

    /// A finding among an XML text's values in XML's terms; nil for what is none in XML.
    private static func ofXML(_ finding: DriftFinding) -> DriftFinding? {
        var finding = finding
        if finding.pointer.hasSuffix("/#text"), [.propertyRemoved, .propertyAdded].contains(finding.id) {
            // An element without a text may be an empty list; one with a text was none.
            guard finding.id == .propertyRemoved, finding.level == .breaking, finding.recorded != "\"\"" else {
                return nil
            }
            finding.id = .typeChanged
            finding.received = "elements"
        }
        if finding.id == .propertyRemoved, let recorded = finding.recorded, recorded.hasPrefix("["),
            recorded.split(separator: "{").count > 2, finding.level == .breaking, recorded.contains("},{")
        {
            // Several elements of a name are a list, which may be empty.
            finding.id = .itemsEmpty
            finding.level = .info
        }
        finding.pointer = finding.pointer.split(separator: "/").filter { $0 != "*" && $0 != "#text" }
            .map { "/\($0)" }.joined()
        return finding
    }

    // MARK: Tables and bytes

    private mutating func compareTables(_ known: ResponseSample, _ response: ResponseSample) {
        let newKind = ComparableBody.kind(of: response)
        guard newKind == .table || newKind == .text else { return }
        let (old, new) = (TableText(known.body), TableText(response.body))
        let differences = old.differences(to: new, sample: known.index)
        findings += differences
        if differences.contains(where: { $0.id == .delimiterChanged }) { return }
        let (rows, others) = (Shape(), Shape())
        for record in old.records { rows.add(record, sample: known.index) }
        for record in new.records { others.add(record, sample: 0) }
        let noise = noise
        var comparison = ShapeComparison { noise.contains($0) }
        comparison.compare(rows, others, at: "/*")
        findings += comparison.findings.filter { ![.propertyRemoved, .propertyAdded].contains($0.id) }
    }

    private mutating func compareBytes(_ known: ResponseSample, _ response: ResponseSample) {
        let (old, new) = (Self.signature(known), Self.signature(response))
        let expected = Signature.expected(for: response.mediaType)
        let isExpected = new.map(expected.contains) ?? !expected.contains(where: \.isCertain)
        let wasExpected = old.map(Signature.expected(for: known.mediaType).contains) ?? false
        if !expected.isEmpty, !isExpected, wasExpected {
            add(.breaking, .mediaTypeMismatch, response.mediaType, new?.shortName ?? Self.shown(response.body))
            return
        }
        guard let old else { return }
        guard let new, old == new else {
            // A type that changed along with the bytes is told by its header line.
            if known.mediaType == response.mediaType {
                add(.breaking, .imageFormatChanged, old.shortName, new?.shortName ?? "unknown bytes")
            }
            return
        }
        let facts = ImageFacts(known.body, old)
        findings += facts.differences(to: ImageFacts(response.body, new), sample: known.index)
    }

    private static func signature(_ sample: ResponseSample) -> Signature? {
        Signature.of(Array(sample.body.prefix(512)))
    }
}
