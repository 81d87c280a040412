// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

extension FindingReport {
    /// A report of GitLab's Code Quality, which a merge request shows beside the lines: an issue for each finding.
    ///
    /// GitLab distinguishes issues by their fingerprints: the same one in two reports is one issue. It is made of the file and the mistake, not of
    /// the line, which moves.
    func codeQuality(in workspace: Workspace) -> JSONNode {
        var counts: [String: Int] = [:]
        return .array(
            findings.map { finding in
                let path = workspace.path(finding.place.path)
                let subject = "\(path)\u{0}\(finding.place.pointer)\u{0}\(finding.text)"
                counts[subject, default: 0] += 1
                var hash = FNVHash()
                hash.combine("\(subject)\u{0}\(counts[subject] ?? 1)".utf8)
                return .object([
                    "description": .string(finding.message), "check_name": .string("mockapi.\(finding.kind.rawValue)"),
                    "fingerprint": .string(Self.digits(hash.value)),
                    "severity": .string(finding.severity == .error ? "major" : "minor"),
                    "location": .object([
                        "path": .string(path), "lines": .object(["begin": .integer(max(1, finding.place.line))]),
                    ]),
                ])
            })
    }

    /// Sixteen hexadecimal digits.
    private static func digits(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
