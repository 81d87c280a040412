// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

extension VerdictTable {
    /// `{"client", "summary": {"pass", "fail", "notApplicable"}, "verdicts": [{"id", "title", "verdict", "expected", "seen", "note"}]}`.
    package var json: [UInt8] {
        let counts = [Verdict.Result.pass, .fail, .notApplicable].map { result in verdicts.count { $0.result == result }
        }
        let node = JSONNode.object([
            "client": .string(client),
            "summary": .object([
                "pass": .integer(counts[0]), "fail": .integer(counts[1]), "notApplicable": .integer(counts[2]),
            ]),
            "verdicts": .array(
                verdicts.map { verdict in
                    .object([
                        "id": .string(verdict.id), "title": .string(verdict.title),
                        "verdict": .string(
                            verdict.result == .notApplicable ? "notApplicable" : verdict.result.rawValue),
                        "expected": .string(verdict.expected), "seen": .string(verdict.seen),
                        "note": .string(verdict.note),
                    ])
                }),
        ])
        return JSONWriter.pretty(node) + [UInt8(ascii: "\n")]
    }
}
