// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which files of a room use each other in a circle, and which folders of `Sources` use each other.
///
/// To understand one file of a circle one needs all of it. The numbers are those of today: they only shrink. An arrow goes from a file to
/// each file that declares a type or a top-level function whose name it has, in its own module and in those that it imports; members of
/// extensions are not followed, nor are names that more than two files declare.
@Suite(.supervised) struct CirclesTests {
    /// By room, the files of its largest circle; none where a room does not stand here. That of Templating is the parser and the evaluator of one
    /// grammar.
    private static let largest = [
        "Templating": 7, "HTTPServer": 5, "ImageFormats": 5, "JSONPath": 5, "StubMatching": 4, "HTTPWire": 3,
        "MockServer": 4, "NetworkingCore": 4, "NetworkingTesting": 4, "Recording": 4, "XMLText": 4, "ContentCodings": 3,
        "Contract": 3, "DateTimes": 3, "EventLoops": 3, "Fixtures": 3, "GraphQLText": 3, "NetworkingClient": 3,
        "Running": 3, "Upstream": 3, "Verification": 2, "Drift": 2, "JSONSchema": 2, "JSONText": 2,
        "MockServerTesting": 2, "NetworkingTargets": 2, "RegularExpressions": 2, "Reports": 2, "Secrets": 2,
        "UpstreamNetworking": 2, "mockapi": 2,
    ]

    /// Pairs of folders of which each has a file that uses the other.
    private static let folderPairs = 18

    @Test func `no circle of files has become larger`() throws {
        let map = try ArrowMap.read.get()
        for (room, files) in map.rooms {
            let circle = map.circles(of: files).max { $0.count < $1.count } ?? []
            let names = circle.map { map.files[$0].path }.sorted().joined(separator: "\n")
            #expect(
                circle.count <= Self.largest[room, default: 0],
                "these files of \(room) use each other in a circle:\n\(names)")
        }
    }

    @Test func `no more folders use each other`() throws {
        let map = try ArrowMap.read.get()
        var pairs: Set<[String]> = []
        for (source, targets) in map.arrows.enumerated() {
            for target in targets where map.files[source].folder != map.files[target].folder {
                pairs.insert([map.files[source].folder, map.files[target].folder])
            }
        }
        let mutual = pairs.filter { $0[0] < $0[1] && pairs.contains([$0[1], $0[0]]) }
        #expect(mutual.count <= Self.folderPairs, "\(mutual.map { $0.joined(separator: " and ") }.sorted())")
    }

    @Test func `a circle is found, and what only leads to it is not part of it`() {
        let map = ArrowMap([
            .init(path: "G/R/a.swift", text: "struct A { let b: B }"),
            .init(path: "G/R/b.swift", text: "struct B { let c: C }"),
            .init(path: "G/R/c.swift", text: "func c() -> A { A() }\nprivate struct D {}\nenum C {}"),
            .init(path: "G/R/d.swift", text: "// A\nlet text = \"A \\(1) A\"\nstruct D { let a: A }"),
        ])
        #expect(map.circles(of: [0, 1, 2, 3]).map { $0.sorted() } == [[0, 1, 2]])
    }
}

/// The arrows from file to file.
private struct ArrowMap {
    let files: [SourceFile]
    /// By file, the files that it uses.
    let arrows: [Set<Int>]

    static let read = Result {
        let root =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/Sources/"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.sorted()
        return ArrowMap(
            try paths.map { SourceFile(path: $0, text: try String(contentsOfFile: root + $0, encoding: .utf8)) })
    }

    init(_ files: [SourceFile]) {
        self.files = files
        var homes: [String: [String: Set<Int>]] = [:]
        for (index, file) in files.enumerated() {
            for name in file.exported { homes[file.room, default: [:]][name, default: []].insert(index) }
        }
        arrows = files.enumerated().map { index, file in
            var found: Set<Int> = []
            for room in file.imports.union([file.room]) {
                guard let names = homes[room] else { continue }
                for word in file.words where !file.declared.contains(word) {
                    if let home = names[word], home.count <= 2 { found.formUnion(home) }
                }
            }
            return found.subtracting([index])
        }
    }

    /// The files of each room.
    var rooms: [(key: String, value: [Int])] {
        Dictionary(grouping: files.indices, by: { files[$0].room }).sorted { $0.key < $1.key }
    }

    /// The circles of a room's files: the strongly connected components of more than one file (Tarjan).
    func circles(of members: [Int]) -> [[Int]] {
        let inside = Set(members)
        var order: [Int: Int] = [:], low: [Int: Int] = [:], stack: [Int] = [], waiting: Set<Int> = [],
            circles: [[Int]] = []
        func visit(_ file: Int) {
            order[file] = order.count
            low[file] = order[file]
            stack.append(file)
            waiting.insert(file)
            for next in arrows[file].intersection(inside).sorted() {
                if order[next] == nil {
                    visit(next)
                    low[file] = min(low[file, default: 0], low[next, default: 0])
                } else if waiting.contains(next) {
                    low[file] = min(low[file, default: 0], order[next, default: 0])
                }
            }
            guard low[file] == order[file], let start = stack.firstIndex(of: file) else { return }
            if stack.count - start > 1 { circles.append(Array(stack[start...])) }
            waiting.subtract(stack[start...])
            stack.removeSubrange(start...)
        }
        for file in members where order[file] == nil { visit(file) }
        return circles
    }
}

/// The names that a file declares, and those that it has.
private struct SourceFile {
    let path: String
    let room: String
    let folder: String
    private(set) var words: Set<String> = []
    private(set) var declared: Set<String> = []
    /// What other files can use.
    private(set) var exported: Set<String> = []
    /// The rooms of the modules that it imports.
    private(set) var imports: Set<String> = []

    init(path: String, text: String) {
        self.path = path
        let names = path.split(separator: "/")
        room = String(names[1])
        folder = names.dropLast().joined(separator: "/")
        for line in Self.code(text).split(separator: UInt8(ascii: "\n")) { read(line) }
    }

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated", "open",
    ]

    private mutating func read(_ line: ArraySlice<UInt8>) {
        let found = line.split { !Self.isWord($0) }.map { String(decoding: $0, as: UTF8.self) }
        words.formUnion(found)
        let before = found.prefix { Self.modifiers.contains($0) }
        let rest = found.dropFirst(before.count)
        guard let kind = rest.first, let name = rest.dropFirst().first else { return }
        if kind == "import" {
            imports.insert(name.hasPrefix("Mockapi") ? String(name.dropFirst("Mockapi".count)) : name)
        } else if Self.kinds.contains(kind) && name.first?.isUppercase == true
            || kind == "func" && line.first != UInt8(ascii: " ")
        {
            declared.insert(name)
            if !before.contains("private"), !before.contains("fileprivate") { exported.insert(name) }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The text without comments and the contents of strings.
    private static func code(_ text: String) -> [UInt8] {
        var code: [UInt8] = []
        var isInBlock = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let quotes = UInt8(ascii: "\"")
            if Array(line).contains([quotes, quotes, quotes]) {
                isInBlock.toggle()
                continue
            }
            if isInBlock { continue }
            var isInString = false
            var last: UInt8 = 0
            for byte in line {
                if isInString {
                    if byte == quotes, last != UInt8(ascii: "\\") { isInString = false }
                } else if byte == quotes {
                    isInString = true
                } else if byte == UInt8(ascii: "/"), last == byte {
                    break
                } else {
                    code.append(byte)
                }
                last = byte == last && byte == UInt8(ascii: "\\") ? 0 : byte
            }
            code.append(UInt8(ascii: "\n"))
        }
        return code
    }
}
