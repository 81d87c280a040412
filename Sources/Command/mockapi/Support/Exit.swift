// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The exit codes of every command.
enum Exit {
    /// Findings, a broken contract, or a server that is not healthy.
    static let findings = ExitCode(1)
    /// Fixtures that cannot be served.
    static let unusableFixtures = ExitCode(3)
    /// It could not be done: the port is in use, the directory is missing.
    static let impossible = ExitCode(4)
}
