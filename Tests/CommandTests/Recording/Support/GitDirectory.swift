// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

/// A directory under version control.
struct GitDirectory {
    private let directory: TemporaryDirectory

    struct Failure: Error {
        let text: String
    }

    init(_ directory: TemporaryDirectory) {
        self.directory = directory
    }

    /// Commits all that is there.
    func commit() async throws {
        if directory.bytes(".git/HEAD").isEmpty { _ = try await git("init", "--quiet") }
        _ = try await git("add", "--all")
        _ = try await git("commit", "--quiet", "--message", "Record", "--allow-empty")
    }

    /// What differs from the last commit, a file a line.
    func status() async throws -> String {
        try await git("status", "--porcelain", "--untracked-files=all")
    }

    private func git(_ arguments: String...) async throws -> String {
        let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"]
        let command = try Command(
            line: ["/usr/bin/env", "git", "-C", directory.path] + who + arguments,
            environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
        let end = try await command.end()
        guard end.code == 0 else { throw Failure(text: end.errors) }
        return end.output
    }
}
