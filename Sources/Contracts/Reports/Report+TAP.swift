// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

extension Report {
    /// TAP 14, with a block of YAML below each bad verdict. A known failure is a `TODO`, a verdict that does not apply a `SKIP`.
    package var tap: String {
        var lines = ["TAP version 14", cases.isEmpty ? "1..0 # SKIP there was nothing to judge" : "1..\(cases.count)"]
        for (index, one) in cases.enumerated() {
            let title = one.title.isEmpty ? one.id : "\(one.id): \(one.title)"
            let line = "\(one.isBad ? "not ok" : "ok") \(index + 1) - \(Self.escaped(title))"
            if one.result == .notApplicable {
                lines.append("\(line) # SKIP \(Self.escaped(one.seen))")
            } else {
                lines.append(one.isKnown ? "\(line) # TODO \(Self.escaped(one.note))" : line)
            }
            if one.isBad || one.duration > 0 || !one.note.isEmpty { lines += Self.block(one) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A description may not seem to have a directive behind it.
    private static func escaped(_ text: String) -> String {
        text.oneLine.replacing(bytesOf: "\\", with: "\\\\").replacing(bytesOf: "#", with: "\\#")
    }

    private static func block(_ one: Case) -> [String] {
        var members: [(name: String, text: String)] = []
        if let word = one.word { members.append(("verdict", word)) }
        if one.isBad {
            members.append(("severity", one.result == .error ? "error" : "fail"))
            members += one.told
        } else if !one.note.isEmpty {
            members.append(("note", one.note))
        }
        var lines = members.map { "  \($0.name): \(scalar($0.text))" }
        lines.append("  duration_ms: \(microseconds(one.duration) / 1_000)")
        return ["  ---"] + lines + ["  ..."]
    }

    /// A scalar in double quotes (YAML 1.2 §7.3.1), which every string of JSON is.
    private static func scalar(_ text: String) -> String {
        String(decoding: JSONWriter.compact(.string(text)), as: UTF8.self).printableJSON
    }

    /// Whole microseconds, of a billion seconds at most.
    static func microseconds(_ seconds: Double) -> Int {
        seconds.isFinite ? Int(min(max(0, seconds), 1e9) * 1_000_000 + 0.5) : 0
    }
}
