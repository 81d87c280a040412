// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The namespaces of the names in XML texts by their places, and the names that a parser would refuse.
///
/// A decoder asks for a name in its namespace: the same local name in a second namespace is another element to it.
struct XMLNames {
    /// The namespaces that are declared, used or not.
    var declared: Set<String> = []
    /// Why no parser takes the text; nil if one does.
    var flaw: String?
    /// The first entity of a document type that stands in the text.
    var entity: String?
    private var places: [String: Place] = [:]

    private struct Place {
        var uris: Set<String>
        let offset: Int
    }

    mutating func add(_ uri: String, at path: String, offset: Int) {
        places[path, default: Place(uris: [], offset: offset)].uris.insert(uri)
    }

    mutating func formUnion(_ other: XMLNames) {
        declared.formUnion(other.declared)
        flaw = flaw ?? other.flaw
        entity = entity ?? other.entity
        places.merge(other.places) { one, other in Place(uris: one.uris.union(other.uris), offset: one.offset) }
    }

    /// The names that are in another namespace than all that were recorded, the outermost alone of those within each other.
    func differences(to other: XMLNames, sample: Int) -> [DriftFinding] {
        var findings: [DriftFinding] = []
        for (path, place) in places.sorted(by: { $0.key < $1.key }) {
            guard let now = other.places[path]?.uris, !findings.contains(where: { path.hasPrefix($0.pointer + "/") })
            else { continue }
            if place.uris.isDisjoint(with: now) {
                findings.append(finding(.breaking, path, place, now, sample))
            } else if let gone = place.uris.subtracting(now).sorted().first {
                findings.append(
                    DriftFinding(
                        .info, .valueChanged, at: path, recorded: Self.word(gone), sample: sample,
                        site: .body(offset: place.offset)))
            }
        }
        if findings.isEmpty, let gone = declared.subtracting(other.declared).sorted().first {
            findings.append(
                DriftFinding(
                    .breaking, .valueChanged, at: "", recorded: "namespace \(gone)",
                    received: other.declared.sorted().joined(separator: ", "), sample: sample, site: .body(offset: 0)))
        }
        return findings
    }

    /// The same of the outermost element alone.
    func rootDifference(to other: XMLNames, sample: Int) -> [DriftFinding] {
        guard let (path, place) = places.first(where: { !$0.key.dropFirst().contains("/") }),
            let now = other.places[path]?.uris, place.uris.isDisjoint(with: now)
        else { return [] }
        return [finding(.breaking, path, place, now, sample)]
    }

    private func finding(
        _ level: DriftLevel, _ path: String, _ place: Place, _ now: Set<String>, _ sample: Int
    ) -> DriftFinding {
        DriftFinding(
            level, .valueChanged, at: path, recorded: place.uris.sorted().map(Self.word).joined(separator: ", "),
            received: now.sorted().map(Self.word).joined(separator: ", "), sample: sample,
            site: .body(offset: place.offset))
    }

    private static func word(_ uri: String) -> String { uri.isEmpty ? "no namespace" : "namespace \(uri)" }
}

extension DriftFinding {
    /// A finding among an XML text's values in XML's terms; nil if XML has no such difference.
    var inXML: DriftFinding? {
        var finding = self
        if finding.pointer.hasSuffix("/#text"), [.propertyRemoved, .propertyAdded].contains(finding.id) {
            // An element without a text may be an empty list; an element with a text was not one.
            guard finding.id == .propertyRemoved, finding.level == .breaking, finding.recorded != "\"\"" else {
                return nil
            }
            finding.id = .typeChanged
            finding.received = "elements"
        }
        if finding.id == .propertyRemoved, let recorded = finding.recorded, recorded.hasPrefix("["),
            recorded.split(ascii: "{").count > 2, finding.level == .breaking, recorded.contains("},{")
        {
            // Several elements of a name are a list, which may be empty.
            finding.id = .itemsEmpty
            finding.level = .info
        }
        finding.pointer = finding.pointer.split(ascii: "/").filter { $0 != "*" && $0 != "#text" }
            .map { "/\($0)" }.joined()
        return finding
    }
}
