// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiDrift
import MockapiJSONText

/// The report of verdicts, as text and as lines of JSON.
package struct DriftReport: Sendable {
    package let verdicts: [FixtureVerdict]
    /// Fixtures that were not chosen.
    package var unselected = 0
    /// Whether harmless differences are reported, too.
    package var showsInfo = false
    package let counts: VerdictCounts

    package init(_ verdicts: [FixtureVerdict]) {
        self.verdicts = verdicts
        counts = VerdictCounts(verdicts)
    }

    package var findings: [LocatedFinding] { verdicts.flatMap(\.findings) }

    /// The exit code: 4 if something could not be found out, else 1 if there is a finding of a level or above.
    package func exitCode(failOn level: DriftLevel) -> Int32 {
        if counts.unchecked > 0 { return 4 }
        return findings.contains { $0.finding.level >= level } ? 1 : 0
    }

    // MARK: Text

    /// Letters of a column: a longer value pushes the rest of its line.
    private static let placeWidth = 44
    private static let textWidth = 72
    /// Fixtures that are named which were not checked for one reason. 10.
    private static let alikeLimit = 10

    /// The lines of a report, the summary at its end.
    package var text: [String] {
        var rows: [(mark: String, place: String, text: String, level: String)] = []
        var unchecked: [String: Int] = [:]
        for verdict in verdicts {
            if case .unchecked(let why) = verdict.state {
                unchecked[why, default: 0] += 1
                if unchecked[why, default: 0] <= Self.alikeLimit {
                    let request = verdict.request.isEmpty ? "" : "\(verdict.request)   "
                    rows.append(("?", "\(verdict.path):\(verdict.line)", "\(request)not checked: \(why)", ""))
                }
            }
            for located in verdict.findings where located.finding.level > .info || showsInfo {
                rows.append(
                    (
                        Self.mark(located.finding.level), "\(located.file):\(located.line)",
                        Self.words(located),
                        located.finding.level.rawValue + (located.finding.isNeeded ? ", needed" : "")
                    ))
            }
        }
        for (why, count) in unchecked.sorted(by: { $0.key < $1.key }) where count > Self.alikeLimit {
            rows.append(("?", "and \(count - Self.alikeLimit) more", "not checked: \(why)", ""))
        }
        let placeWidth = min(Self.placeWidth, rows.map(\.place.count).max() ?? 0)
        let textWidth = min(Self.textWidth, rows.filter { !$0.level.isEmpty }.map(\.text.count).max() ?? 0)
        let lines = rows.map { row in
            let place = Self.padded(row.place, placeWidth)
            if row.level.isEmpty { return "  \(row.mark) \(place)   \(row.text)" }
            return "  \(row.mark) \(place)   \(Self.padded(row.text, textWidth))   \(row.level)"
        }
        return lines + ["  " + summary]
    }

    private static func mark(_ level: DriftLevel) -> String {
        switch level {
        case .breaking: "✗"
        case .warning: "!"
        case .info: "·"
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The difference, and the place where a document says otherwise.
    static func words(_ located: LocatedFinding) -> String {
        words(located.finding) + (located.against.map { "   \($0)" } ?? "")
    }

    /// The place in the response, and the change.
    static func words(_ finding: DriftFinding) -> String {
        if finding.pointer.hasPrefix("header:") {
            let name = finding.pointer.dropFirst(7)
            if finding.id == .headerRemoved { return "header \(name) is gone" }
            return "header \(name)   \(finding.text)"
        }
        if finding.pointer == "status" || finding.pointer.isEmpty { return finding.text }
        return "\(finding.pointer)   \(finding.text)"
    }

    /// The last line.
    package var summary: String {
        var compared = ComparedParts()
        for verdict in verdicts where verdict.state == .honoured { compared += verdict.compared }
        var parts = ["\(counts.honoured) honoured" + (compared.isEmpty ? "" : ": " + compared.words)]
        for (count, word) in [
            (counts.compatible, "compatible"), (counts.drifted, "drifted"), (counts.broken, "broken"),
        ] where count > 0 {
            parts.append("\(count) \(word)")
        }
        if counts.skipped > 0 {
            var reasons: [String] = []
            for verdict in verdicts {
                if case .skipped(let why) = verdict.state, !reasons.contains(why) { reasons.append(why) }
            }
            parts.append("\(counts.skipped) skipped (\(reasons.joined(separator: ", ")))")
        }
        if counts.unchecked > 0 { parts.append("\(counts.unchecked) not checked") }
        let known = verdicts.reduce(0) { $0 + $1.known.count }
        if known > 0 { parts.append("\(known) known") }
        if unselected > 0 { parts.append("\(unselected) not chosen") }
        return parts.joined(separator: " · ")
    }

    // MARK: Lines of JSON

    /// An object for each finding and for each fixture that was not checked, and one with the counts.
    package var jsonLines: [UInt8] {
        var output: [UInt8] = []
        for verdict in verdicts {
            if case .unchecked(let why) = verdict.state {
                let node = JSONNode.object([
                    "state": .string(verdict.state.word), "file": .string(verdict.path),
                    "line": .integer(verdict.line), "request": .string(verdict.request), "reason": .string(why),
                ])
                output += JSONWriter.compact(node) + [UInt8(ascii: "\n")]
            }
            for located in verdict.findings {
                output += JSONWriter.compact(Self.node(located, of: verdict)) + [UInt8(ascii: "\n")]
            }
        }
        let summary = JSONNode.object([
            "summary": .object([
                "honoured": .integer(counts.honoured), "compatible": .integer(counts.compatible),
                "drifted": .integer(counts.drifted), "broken": .integer(counts.broken),
                "skipped": .integer(counts.skipped), "unchecked": .integer(counts.unchecked),
            ])
        ])
        return output + JSONWriter.compact(summary) + [UInt8(ascii: "\n")]
    }

    /// - Parameter verdict: that on the fixture.
    static func node(_ located: LocatedFinding, of verdict: FixtureVerdict? = nil) -> JSONNode {
        let finding = located.finding
        var members: [(String, JSONNode)] = [
            ("level", .string(finding.level.rawValue)), ("id", .string(finding.id.rawValue)),
            ("file", .string(located.file)), ("line", .integer(located.line)), ("pointer", .string(finding.pointer)),
            ("recorded", finding.recorded.map { .string($0) } ?? .null),
            ("received", finding.received.map { .string($0) } ?? .null),
        ]
        if finding.isNeeded { members.append(("needed", .bool(true))) }
        if let verdict {
            members.append(("state", .string(verdict.state.word)))
            if verdict.samples.recorded > 0 {
                let counts: KeyValuePairs<String, JSONNode> = [
                    "recorded": .integer(verdict.samples.recorded), "live": .integer(verdict.samples.live),
                ]
                members.append(("samples", .object(counts)))
            }
        }
        if let against = located.against { members.append(("against", .string(against))) }
        return JSONNode(.object(JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) })))
    }
}
