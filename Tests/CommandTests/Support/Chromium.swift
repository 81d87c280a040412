// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A browser without a window, where there is one: Debian's `chromium`.
enum Chromium {
    static let path = "/usr/bin/chromium"
    /// Why tests with it are skipped.
    static let isMissing: Comment = "there is no /usr/bin/chromium: apt-get install chromium"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Whether it is there, and the server has what lets pages of other origins ask.
    static func meetsPages() async -> Bool {
        guard isThere else { return false }
        return (try? await Command.run("serve", "--help").output.contains("--cors")) ?? false
    }

    /// The line that prints a page as it is when its scripts have run.
    static func line(_ url: String, profile: String) -> [String] {
        [
            path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--user-data-dir=\(profile)", "--virtual-time-budget=60000",
            "--dump-dom", url,
        ]
    }
}
