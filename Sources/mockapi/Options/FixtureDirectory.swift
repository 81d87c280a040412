// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The argument that names the fixtures.
struct FixtureDirectory: ParsableArguments {
    @Argument(help: "The directory with the fixtures.", completion: .directory)
    var directory = "Fixtures"

    @Flag(name: .customLong("wiremock"), help: "Read the directory by WireMock's rules, whatever it looks like.")
    var isWireMockRoot = false

    /// Loads the directory, or ends the command where that cannot be done.
    func load() throws -> LoadedFixtures {
        do throws(MockServerError) {
            return try LoadedFixtures(path: directory, wireMock: isWireMockRoot)
        } catch {
            Output.note("error: \(error)\(suggestion)")
            throw Exit.impossible
        }
    }

    /// How many of the stubs that are left out are named in one line. 20.
    private static let namedLimit = 20

    /// What is not served for its errors, in one line; nil where all is.
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

    /// The directory that was meant, as far as its name tells; empty where the one that was given is there, or none is near.
    private var suggestion: String {
        guard access(directory, F_OK) != 0 else { return "" }
        let path = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let parent = path[..<start]
        guard let list = opendir(parent.isEmpty ? "." : String(parent)) else { return "" }
        defer { closedir(list) }
        var names: [String] = []
        while names.count < Self.namesLimit, let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), Self.isDirectory(parent + name) { names.append(name) }
        }
        guard let nearest = Nearest.word(to: String(path[start...]), among: names.sorted()), nearest.isNear else {
            return ""
        }
        return "; did you mean \(parent)\(nearest.word)?"
    }

    /// How many neighbours of a directory are looked at. 1,000.
    private static let namesLimit = 1_000

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
