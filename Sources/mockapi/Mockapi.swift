// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

/// The command `mockapi`.
@main
struct Mockapi: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mockapi",
        abstract: "An HTTP mock server that replays recorded fixtures.",
        discussion: """
            Exit codes: 0 fine, 1 findings, a broken contract, an answer that was not recorded or a server that is not healthy, 3 fixtures unusable, \
            4 could not be done (port in use, directory missing), 64 usage.
            """,
        version: mockapiVersion,
        subcommands: [Serve.self, Record.self, Check.self, Schema.self, CA.self, Contract.self, Health.self])
}
