// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

/// The argument that names the fixtures.
struct FixtureDirectory: ParsableArguments {
    @Argument(help: "The directory with the fixtures, or one file of it.", completion: .file())
    var directory = "Fixtures"

    @Flag(name: .customLong("wiremock"), help: "Read the directory by WireMock's rules, whatever it looks like.")
    var isWireMockRoot = false

    @Flag(
        help: """
            Render the responses of all stubs as templates, not only of those with "transformers": ["response-template"].
            """)
    var globalResponseTemplating = false

    /// The directory that findings are located in.
    var folder: String { Self.folder(of: directory) }

    /// The directory of a file, and a directory itself.
    static func folder(of path: String) -> String {
        guard FileStatus(path: path)?.kind == .file else { return path }
        guard let slash = path.lastIndex(ascii: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Loads the directory, or ends the command if it cannot be loaded.
    func load() throws -> LoadedFixtures {
        do throws(MockServerError) {
            return try LoadedFixtures(
                path: directory, wireMock: isWireMockRoot, templatesAll: globalResponseTemplating)
        } catch {
            Output.note("error: \(error)")
            let mayBeMade =
                FileStatus(path: directory) == nil && !directory.hasPrefix("/") && !directory.contains("..")
                && !hasExtension
            if directory.contains("://") {
                Output.note("note: a URL is not a directory; did you mean mockapi record \(directory.shellWord)?")
            } else if mayBeMade, !error.description.contains("did you mean") {
                Output.note("note: mockapi init \(directory.shellWord) writes a directory to begin with")
            }
            throw Exit.impossible
        }
    }

    /// Whether the name is that of a file, such as `article.json`.
    private var hasExtension: Bool {
        let name = directory.utf8.split(separator: ASCII.slash).last ?? directory.utf8[...]
        return name.dropFirst().contains(UInt8(ascii: "."))
    }

    /// How many of the stubs that are left out are named in one line. 20.
    private static let namedLimit = 20

    /// The fixtures that are not served for their errors, in one line; nil if all are.
    func leftOutNote(_ loaded: LoadedFixtures) -> String? { Self.leftOutNote(loaded, in: folder) }

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
