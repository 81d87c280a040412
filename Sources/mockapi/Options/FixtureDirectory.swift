// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

/// The argument that names the fixtures.
struct FixtureDirectory: ParsableArguments {
    @Argument(help: "The directory with the fixtures.", completion: .directory)
    var directory: String

    @Flag(name: .customLong("wiremock"), help: "Read the directory by WireMock's rules, whatever it looks like.")
    var isWireMockRoot = false

    /// Loads the directory, or ends the command where that cannot be done.
    func load() throws -> LoadedFixtures {
        do throws(MockServerError) {
            return try LoadedFixtures(path: directory, wireMock: isWireMockRoot)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }
}
