// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Dispatch
import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The start of the process.
@main
enum Start {
    static func main() {
        // Before anything else is opened, by whatever library.
        Output.fillStandardDescriptors()
        Task {
            await Mockapi.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// The command `mockapi`.
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
