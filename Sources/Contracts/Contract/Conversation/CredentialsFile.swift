// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file of credentials by hosts, as curl, ftp and others read `.netrc`; for the environment of a driver, not for that of its user.
final class CredentialsFile: Sendable {
    static let user = "contract"
    static let password = "netrc-secret"

    let path: String

    /// - Returns: nil if no file can be written.
    init?(of hosts: (own: String, other: String?)) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("mockapi-netrc-\(UUID().uuidString)").path
        var lines = ["machine \(hosts.own) login \(Self.user) password \(Self.password)"]
        // A user without a password, so that a client must not borrow one (CVE-2024-11053).
        if let other = hosts.other { lines.append("machine \(other) login other") }
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data((lines.joined(separator: "\n") + "\n").utf8),
                attributes: [.posixPermissions: 0o600])
        else { return nil }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    deinit { remove() }
}
