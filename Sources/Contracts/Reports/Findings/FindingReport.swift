// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiJSONText

/// The findings of a fixture directory, in a form that people or tools read.
package struct FindingReport {
    package enum Format: String, CaseIterable, Sendable {
        case text
        case json
        /// Workflow commands of GitHub Actions.
        case github
        /// SARIF 2.1.0.
        case sarif
        /// A report of GitLab's Code Quality.
        case gitlab
    }

    /// With paths that can be opened from the place where the directory was given, sorted.
    package let findings: [Finding]
    let directory: String
    private let stubs: Int
    private let files: Int
    let version: String
    private let root: String
    private let original: [Finding]

    /// - Parameters:
    ///   - findings: with paths relative to the directory.
    ///   - root: the directory's real path.
    ///   - directory: the directory as it was given.
    package init(
        _ findings: [Finding], root: String, directory: String, stubs: Int, files: Int, version: String
    ) {
        original = findings.sorted()
        self.findings = original.map { $0.located(in: directory) }
        self.root = root
        self.directory = directory
        self.stubs = stubs
        self.files = files
        self.version = version
    }

    /// The report, without a line end behind it; empty if a format has nothing to say.
    ///
    /// - Parameter workspace: the base of the file names in annotations, SARIF and Code Quality.
    package func text(_ format: Format, in workspace: Workspace) -> String {
        switch format {
        case .text: findings.map(\.description).joined(separator: "\n")
        case .json: Self.text(json)
        case .github: gitHub(in: workspace)
        case .sarif: Self.text(sarif(in: workspace))
        case .gitlab: Self.text(codeQuality(in: workspace))
        }
    }

    private static func text(_ node: JSONNode) -> String {
        String(decoding: JSONWriter.pretty(node), as: UTF8.self).printableJSON
    }

    private var json: JSONNode {
        .object([
            "directory": .string(directory), "stubs": .integer(stubs), "files": .integer(files),
            "findings": .array(
                findings.map { finding in
                    let hasPlace = finding.place.line > 0
                    return .object([
                        "severity": .string(finding.severity.rawValue), "kind": .string(finding.kind.rawValue),
                        "path": .string(finding.place.path),
                        "line": hasPlace ? .integer(finding.place.line) : .null,
                        "column": hasPlace ? .integer(finding.place.column) : .null,
                        "pointer": .string(finding.place.pointer), "text": .string(finding.text),
                    ])
                }),
        ])
    }

    /// Where the findings stand in their lines, counted in characters (Unicode code points) from 1; 0 for whole files.
    var characterColumns: [Int] {
        var source = SourceLines()
        return original.map { finding in
            let place = finding.place
            guard let line = source.line(at: place, in: "\(root)/\(place.path)") else { return place.column }
            // Every character of UTF-8 has one byte that is not a continuation.
            return 1 + line.before.count { $0 & 0xC0 != 0x80 }
        }
    }
}
