// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures

/// `mockapi schema`: the JSON Schema of stub files.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of stub files, for editors.")

    func run() {
        Output.result(FixtureSchema.json)
    }
}
