// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures

/// The argument that names the fixtures.
struct FixtureDirectory: ParsableArguments {
    @Argument(help: "The directory with the fixtures.", completion: .directory)
    var directory = "Fixtures"

    @Flag(name: .customLong("wiremock"), help: "Read the directory by WireMock's rules, whatever it looks like.")
    var isWireMockRoot = false

    @Flag(
        help: """
            Render the responses of all stubs as templates, not only of those with "transformers": ["response-template"].
            """)
    var globalResponseTemplating = false

    /// Loads the directory, or ends the command if it cannot be loaded.
    func load() throws -> LoadedFixtures {
        do throws(MockServerError) {
            return try LoadedFixtures(
                path: directory, wireMock: isWireMockRoot, templatesAll: globalResponseTemplating)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }

    /// How many of the stubs that are left out are named in one line. 20.
    private static let namedLimit = 20

    /// The fixtures that are not served for their errors, in one line; nil if all are.
    func leftOutNote(_ loaded: LoadedFixtures) -> String? { Self.leftOutNote(loaded, in: directory) }

    static func leftOutNote(_ loaded: LoadedFixtures, in directory: String) -> String? {
        let places = loaded.leftOut
        if places.isEmpty { return nil }
        let names = places.prefix(namedLimit).map { place in
            place.located(in: directory).path + (place.line > 0 ? ":\(place.line)" : "")
        }
        let rest = places.count > namedLimit ? ", and \(places.count - namedLimit) more" : ""
        return "  not served for their errors: \(names.joined(separator: ", "))\(rest)"
    }
}
