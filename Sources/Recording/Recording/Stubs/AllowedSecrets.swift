// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSecrets

/// Values that look like secrets and may stay: lines of a path, a tab and a kind, as findings name it.
package struct AllowedSecrets: Sendable {
    /// At the root of the fixture directory.
    package static let file = ".mockapi-secrets-allow"
    /// 1 MiB: the rest of a larger file is not read.
    private static let limit = 1024 * 1024

    private struct Line: Sendable {
        var number: Int
        var path: String
        var kind: String
        var isUsed = false
    }

    private var lines: [Line] = []
    private var broken: [Finding] = []

    package init(root: String) {
        let bytes = FixtureLoader.content(of: "\(root)/\(Self.file)", limit: Self.limit) ?? []
        let texts = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, text) in texts.enumerated() where !text.isEmpty && !text.hasPrefix("#") {
            let parts = text.split(ascii: "\t", maxSplits: 1)
            if parts.count == 2 {
                lines.append(Line(number: index + 1, path: String(parts[0]), kind: String(parts[1])))
            } else {
                broken.append(
                    Finding(
                        .error, "expected a path, a tab and a kind, such as \"api/login.json\\ta JSON Web Token\"",
                        at: Place(path: Self.file, line: index + 1, column: 1)))
            }
        }
    }

    /// Whether a kind of secret may stand in a file.
    package mutating func allows(_ kind: String, in path: String) -> Bool {
        var isAllowed = false
        for index in lines.indices where lines[index].path == path && lines[index].kind == kind {
            lines[index].isUsed = true
            isAllowed = true
        }
        return isAllowed
    }

    var isEmpty: Bool { lines.isEmpty }

    /// The kinds that may stand in a file, in lower case, as a recording compares them: header field names are written
    /// in either case.
    func kinds(in path: String) -> Set<String> {
        Set(lines.filter { $0.path == path }.map { $0.kind.lowercased() })
    }

    /// The first that may not stand in a file.
    func first(of findings: [SecretFinding], in path: String) -> SecretFinding? {
        if isEmpty { return findings.first }
        let kinds = kinds(in: path)
        return findings.first { !kinds.contains($0.kind.lowercased()) }
    }

    /// Findings on lines that cannot be read, and on those that allowed nothing.
    package var findings: [Finding] {
        broken
            + lines.filter { !$0.isUsed }.map {
                Finding(
                    .warning, "\($0.path) has nothing that looks like \($0.kind); remove the line",
                    at: Place(path: Self.file, line: $0.number, column: 1))
            }
    }
}
