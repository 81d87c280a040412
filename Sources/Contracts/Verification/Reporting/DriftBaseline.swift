// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiJSONText

/// The drift that is known, and is not told again until it changes.
package struct DriftBaseline: Sendable {
    private var known: Set<Key> = []

    /// The key that tells a finding from others: the line it stands at moves, and values come and go.
    private struct Key: Hashable {
        var file: String
        var pointer: String
        var id: String
        var level: String
        var received: String
    }

    package init() {}

    /// - Parameter text: the text that `bytes` wrote; nil is returned for another.
    package init?(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ $0 <= 0x20 }) {
            guard let node = try? JSONParser.parse(Array(line)) else { return nil }
            if node["summary"] != nil { continue }
            guard let key = Self.key(node) else { return nil }
            known.insert(key)
        }
    }

    /// The baseline of a report: what it knew before and still is, and what it tells.
    package static func bytes(_ verdicts: [FixtureVerdict]) -> [UInt8] {
        var bytes: [UInt8] = []
        for verdict in verdicts {
            for located in verdict.findings + verdict.known where located.finding.level > .info {
                bytes += JSONWriter.compact(DriftReport.node(located))
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        return bytes
    }

    /// Takes what is known out of a verdict.
    package func apply(to verdict: inout FixtureVerdict) {
        let (old, new) = (verdict.findings.filter(contains), verdict.findings.filter { !contains($0) })
        guard !old.isEmpty else { return }
        verdict.judge(new)
        verdict.known = old
        // A known finding is no drift, and not quite what was recorded either.
        if verdict.state == .honoured { verdict.state = .compatible }
    }

    private func contains(_ located: LocatedFinding) -> Bool {
        Self.key(DriftReport.node(located)).map(known.contains) ?? false
    }

    private static func key(_ node: JSONNode) -> Key? {
        guard let file = node["file"]?.string, let pointer = node["pointer"]?.string, let id = node["id"]?.string,
            let level = node["level"]?.string
        else { return nil }
        let received = node["received"]?.string ?? ""
        let told: String =
            switch DriftID(rawValue: id) {
            case .statusChanged, .enumValueAdded, .variantAdded, .contentTypeChanged, .charsetChanged, .varyChanged,
                .cacheControlChanged, .corsChanged, .apiVersionChanged, .deprecationAdded, .columnsReordered,
                .delimiterChanged, .mediaTypeMismatch, .imageFormatChanged, .cookieAttributeChanged:
                received
            // The type, not the value of the day.
            case .typeChanged: String(received.prefix { $0 != " " })
            default: ""
            }
        return Key(file: file, pointer: pointer, id: id, level: level, received: told)
    }
}
