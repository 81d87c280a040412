// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiSecrets

/// Looks for secrets in all files of a fixture directory, or in the one that is served; a file with several names is read once.
enum SecretCheck {
    /// 64 MiB: of a larger file the rest is not looked through.
    static let limit = 64 * 1024 * 1024

    static func findings(in set: FixtureSet) -> [Finding] {
        let root = set.root
        var allowed = AllowedSecrets(root: root)
        var findings: [Finding] = []
        for path in set.soleFile.map({ [$0] }) ?? FixtureLoader.distinctFiles(in: root) {
            guard let bytes = FixtureLoader.content(of: "\(root)/\(path)", limit: limit) else { continue }
            for secret in SecretScan.findings(in: bytes, isText: SecretScan.isText(bytes))
            where !allowed.allows(secret.kind, in: path) {
                findings.append(
                    Finding(
                        .warning,
                        "looks like \(secret.kind); put a placeholder such as \"redacted.token\" in its place, or allow it in \(AllowedSecrets.file)",
                        at: Place(path: path, line: secret.line, column: secret.column), kind: .secret))
            }
        }
        return findings + allowed.findings
    }
}
