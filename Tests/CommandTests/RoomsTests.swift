// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the rooms of `Sources` stand to each other, as CONTRIBUTING's map shows them: read from the sources.
@Suite(.supervised) struct RoomsTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// A file of `Sources`: its group, and its path from the room it is in.
    private struct Source {
        let group: String
        let path: String
        let room: String
        /// The lines, without comments.
        let lines: [String]

        var imports: [String] {
            lines.compactMap { line in
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy(Self.mayPrecede) else {
                    return nil
                }
                return words.dropFirst(index + 1).first.map { Self.room(ofModule: $0) }
            }
        }

        /// The room of a module; one that is not a product carries the project's prefix, which its folder does not.
        private static func room(ofModule name: Substring) -> String {
            if name.hasPrefix("CMockapi") { return "C" + name.dropFirst("CMockapi".count) }
            return String(name.hasPrefix("Mockapi") ? name.dropFirst("Mockapi".count) : name)
        }

        private static func mayPrecede(_ word: Substring) -> Bool {
            ["package", "public", "internal"].contains(word) || word.hasPrefix("@")
        }
    }

    private static func sources() throws -> [Source] { try read.get() }

    private static let read = Result {
        let folder = root + "/Sources/"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted().map { path in
            let text = try String(contentsOfFile: folder + path, encoding: .utf8)
            let lines = text.split(separator: "\n").map { line in
                line.drop { $0 == " " }.hasPrefix("//") ? "" : String(line)
            }
            let names = path.split(separator: "/")
            return Source(
                group: String(names[0]), path: names.dropFirst().joined(separator: "/"), room: String(names[1]),
                lines: lines)
        }
    }

    /// The rooms of CONTRIBUTING's map, from the ground up.
    private static func map() throws -> [String] {
        let page = try String(contentsOfFile: root + "/CONTRIBUTING.md", encoding: .utf8)
        guard let start = page.firstRange(of: "| room | what lives there |") else { return [] }
        let rows = page[start.upperBound...].split(separator: "\n").dropFirst(1).prefix { $0.hasPrefix("|") }
        return rows.dropFirst().flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").filter { $0.first?.isLetter == true }.map(String.init)
        }
    }

    @Test func `the map shows every room once, and no arrow goes up`() throws {
        let map = try Self.map()
        let sources = try Self.sources()
        #expect(map.sorted() == Set(sources.map(\.room)).sorted())
        let floors = Dictionary(map.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for source in sources {
            let floor = floors[source.room] ?? 0
            for room in source.imports {
                guard let other = floors[room] else { continue }
                #expect(
                    other < floor, "\(source.path) imports \(room), which the map does not show above \(source.room)")
            }
        }
    }

    @Test func `the groups are those of CONTRIBUTING, and hold the rooms that it names`() throws {
        let page = try String(contentsOfFile: Self.root + "/CONTRIBUTING.md", encoding: .utf8)
        let start = try #require(page.firstRange(of: "| group | its rooms |"))
        let rows = page[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst(2).prefix { $0.hasPrefix("|") }
        var named: [String: [String]] = [:]
        for row in rows {
            let names = row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            named[names[0]] = names.dropFirst().sorted()
        }
        let found = Dictionary(grouping: try Self.sources(), by: \.group).mapValues { Set($0.map(\.room)).sorted() }
        #expect(named == found)
    }

    /// A package may have a target of any name beside ours: SwiftPM allows each name once in a graph.
    @Test func `only products have names without the project's prefix`() throws {
        let manifest = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        let products = Set(manifest.matches(of: /targets: \["([\w-]+)"\]/).map { String($0.1) })
        let kinds = /\.(?:target|executableTarget|systemLibrary|plugin)\(\s*name: "([\w-]+)"/
        let declaration = try #require(manifest.firstRange(of: "\n    targets: ["))
        let bare = manifest[declaration.upperBound...].matches(of: kinds).map { String($0.1) }.filter { name in
            !products.contains(name) && !["Mockapi", "CMockapi", "mockapi-"].contains(where: name.hasPrefix)
        }
        #expect(products.count > 10)
        #expect(Set(bare) == [])
    }

    /// All of ours that a room near the ground imports: no more, so that each stays what it is.
    private static let ground: [(room: String, imports: [String])] = [
        ("SystemIO", ["CPlatform"]), ("HTTPSyntax", []), ("JSONText", []),
        ("RegularExpressions", ["CPCRE2", "Metering"]), ("Metering", []),
        ("EventLoops", ["CPlatform", "SystemIO"]), ("HTTPWire", ["CNghttp2", "HTTPSyntax", "SystemIO"]),
        ("HTTPServer", ["COpenSSL", "CPlatform", "EventLoops", "HTTPSyntax", "HTTPWire", "SystemIO"]),
        ("Upstream", ["CCurl", "HTTPSyntax"]), ("Secrets", ["HTTPSyntax", "JSONText"]),
    ]

    @Test(arguments: ground) func `a room near the ground imports what it needs`(room: String, imports: [String]) throws
    {
        let groups = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/Sources")
        let folders = Set(
            try groups.flatMap { try FileManager.default.contentsOfDirectory(atPath: Self.root + "/Sources/" + $0) })
        let found = try Self.sources().filter { $0.room == room }.flatMap(\.imports).filter(folders.contains)
        #expect(Set(found).sorted() == imports)
    }

    @Test func `OpenSSL is called in one folder, which the trait TLS leaves out whole`() throws {
        let folder = "HTTPServer/TLS/OpenSSL/"
        for source in try Self.sources() {
            let code = source.lines.filter { !$0.isEmpty }
            let isWhole = code.first == "#if TLS" && code.dropFirst().firstIndex { $0.hasPrefix("#") } == code.count - 1
            let callsOpenSSL = source.imports.contains("COpenSSL")
            #expect(source.path.hasPrefix(folder) == (callsOpenSSL || code.contains("#if TLS")), "\(source.path)")
            #expect(source.path.hasPrefix(folder) == isWhole, "\(source.path)")
        }
    }

    /// What has no place in the code of a room, and why.
    private static let strangers: [(room: String, words: [String], reason: String)] = [
        ("EventLoops", ["HTTP", "Request", "Response"], "a loop serves any protocol"),
        ("SystemIO", ["HTTP", "Fixture"], "files and clocks know no one who uses them"),
        (
            "HTTPWire", ["FileReader", "FileStatus", "FileWriter", "FileLock", ".read(into", "fopen(", "O_RDONLY"],
            "a body's file is handed on, and not read"
        ),
        (
            "HTTPWire", ["Clock", " Date(", "clock_gettime", "gettimeofday", "time(nil)", "import Dispatch"],
            "moments are given to a session"
        ),
        ("HTTPWire", ["(--", " --", "\"--"], "who embeds a session has no options"),
        ("HTTPWire", ["socket(", "import Foundation"], "bytes are given to a session"),
        ("Proxy", ["import Recording", "import Fixtures"], "what passes need not be recorded"),
        (
            "NetworkingClient", ["import NetworkingTargets", "ProviderError"],
            "each family of requests stands by itself"
        ),
        ("NetworkingTargets", ["import NetworkingClient", "ClientError"], "each family of requests stands by itself"),
    ]

    @Test(arguments: strangers)
    func `a room knows nothing of what is not its own`(room: String, words: [String], reason: String) throws {
        for source in try Self.sources() where source.room == room {
            for line in source.lines {
                for word in words where line.contains(word) {
                    Issue.record("\(source.path) has \(word) in \"\(line)\": \(reason)")
                }
            }
        }
    }

    /// The marks of what is known in one place, and that place; `NetworkingCore` and what is on it build without the engine.
    private static let once: [(mark: String, path: String)] = [
        ("pcre2_compile_8", "RegularExpressions/RegularExpression.swift"),
        ("pcre2_match_8", "RegularExpressions/RegularExpressionMatcher.swift"),
        ("abcdefghijklmnopqrstuvwxyz0123456789+/", "HTTPSyntax/Base64.swift"),
        ("\"0123456789ABCDEF\"", "HTTPSyntax/Hexadecimal.swift"),
        ("!#$%&'*+-.^_`|~", "HTTPSyntax/ASCII.swift"), ("\"proxy-connection\"", "HTTPSyntax/FieldText.swift"),
        ("\"content-location\", \"link\"", "HTTPSyntax/FieldText.swift"),
        ("\"repr-digest\", \"content-digest\"", "HTTPSyntax/FieldText.swift"),
        ("(strerror(", "SystemIO/SystemError.swift"), (" strerror(", "SystemIO/SystemError.swift"),
        ("fopen(", ""), ("mkstemp(", ""),
        ("struct SystemError", "SystemIO/SystemError.swift"),
        ("146_097", "HTTPSyntax/HTTPDate.swift"), ("0xCBF2_9CE4", "Fixtures/Model/ContentHash.swift"),
        ("CLOCK_MONOTONIC)", "SystemIO/Clock.swift"),
    ]

    @Test func `what several rooms need stands in one place`() throws {
        let apart = [
            "NetworkingCore", "NetworkingTargets", "NetworkingClient", "UpstreamNetworking", "NetworkingTesting",
        ]
        for source in try Self.sources() where !apart.contains(source.room) {
            for (mark, path) in Self.once where source.path != path {
                for line in source.lines where line.contains(mark) {
                    Issue.record(
                        "\(source.path) has \(mark) again: \(path.isEmpty ? "SystemIO" : path) has it\n\(line)")
                }
            }
        }
    }

    @Test func `the context of the images has each folder that the package is built from`() throws {
        let manifest = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        let kept = try String(contentsOfFile: Self.root + "/docker/Dockerfile.dockerignore", encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("!") }.map { $0.dropFirst() }
        var folders = Set(manifest.matches(of: /path: "([^"]+)"/).map { String($0.1) })
        // A plug-in and a target without a path are where the package manager looks for them.
        if manifest.contains(".plugin(") { folders.insert("Plugins") }
        #expect(folders.count > 40)
        for folder in folders.sorted() {
            #expect(kept.contains { folder == $0 || folder.hasPrefix($0 + "/") }, "\(folder)")
        }
    }
}
