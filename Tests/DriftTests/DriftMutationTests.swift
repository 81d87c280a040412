// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiXMLText
import Testing

@testable import MockapiDrift

/// Bodies with random bytes changed: where a decoder reads another thing, or none, nobody calls them honoured.
@Suite(.supervised) struct DriftMutationTests {
    /// What is written as one media type, and what a decoder of it reads: the places and kinds of values, or nil where it fails.
    struct Kind: Sendable, CustomTestStringConvertible {
        let mediaType: String
        let body: [UInt8]
        let read: @Sendable ([UInt8]) -> Set<String>?
        /// Another body of the kind, where bytes are not changed at random.
        var write: (@Sendable (inout SplitMix) -> [UInt8])?
        var testDescription: String { mediaType }
    }

    static let kinds = textKinds + MutatedFiles.kinds

    private static let textKinds = [
        Kind(
            mediaType: "application/json",
            body: Array(#"{"id":7,"name":"Ann","on":true,"price":1.5,"tags":["a"],"owner":{"mail":"x","age":3}}"#.utf8),
            read: json),
        Kind(
            mediaType: "application/x-ndjson",
            body: Array("{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n".utf8), read: jsonLines),
        Kind(
            mediaType: "application/xml",
            body: Array(
                #"<s:order xmlns:s="urn:shop" xmlns="urn:plain" s:no="7"><s:item kind="a">x</s:item><note>y</note></s:order>"#
                    .utf8), read: xml),
        Kind(
            mediaType: "text/xml",
            body: Array(
                #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!-- a --><r a='1' b="&lt;&#65;"><?p q?><e/><c><![CDATA[<x>]]></c>t&#x41;</r>"#
                    .utf8), read: xml),
        Kind(mediaType: "text/csv", body: Array("id,name,city\n1,Ann,Bern\n2,Bob,Genf\n".utf8), read: table),
        Kind(
            mediaType: "application/x-www-form-urlencoded", body: Array("token=abc&scope=read&expires=60".utf8),
            read: form),
        Kind(
            mediaType: "text/event-stream",
            body: Array("event: tick\ndata: {\"n\":1}\n\nevent: tock\ndata: {\"n\":2}\n\n".utf8), read: events),
        Kind(
            mediaType: "image/svg+xml", body: Array(#"<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>"#.utf8),
            read: { body in xml(body).map { [$0.min() ?? ""] } }),
    ]

    @Test(arguments: kinds) func `what a decoder reads otherwise is never honoured`(kind: Kind) throws {
        let known = try #require(kind.read(kind.body))
        let seed = Thoroughness.rounds(77, thorough: .random(in: 0..<1 << 32))
        var random = SplitMix(seed: UInt64(seed))
        func sample(_ body: [UInt8]) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", kind.mediaType)], body: body)
        }
        let comparison = ResponseComparison(recorded: [sample(kind.body)])
        var others = 0
        for _ in 0..<Thoroughness.rounds(600, thorough: 20_000) {
            var body = kind.body
            if let write = kind.write {
                body = write(&random)
            } else {
                for _ in 0..<Int.random(in: 1...2, using: &random) { Self.mutate(&body, &random) }
            }
            let read = kind.read(body)
            if body.isEmpty || read == known { continue }
            // A stream need not have events of each kind at each time.
            let isShorter = kind.mediaType == "text/event-stream" && read?.isEmpty == false
            if isShorter, read?.isSubset(of: known) ?? false { continue }
            others += 1
            let result = comparison.compare([sample(body)])
            #expect(
                !result.findings.isEmpty || result.obstacle != nil,
                "seed \(seed): \(Self.shown(body)) is read as \(kind.read(body)?.sorted() ?? [])")
        }
        #expect(others > 60, "\(others)")
    }

    @Test(arguments: kinds) func `what is recorded and cannot be read is not honoured`(kind: Kind) {
        var random = SplitMix(seed: 5)
        func sample(_ body: [UInt8]) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", kind.mediaType)], body: body)
        }
        let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n".utf8)
        let result = ResponseComparison(recorded: [sample(pointer)]).compare([sample(kind.body)])
        #expect(
            result.obstacle == "the fixture's own body is a pointer of Git LFS: git lfs pull fetches the file")
        for _ in 0..<200 {
            var body = kind.body
            Self.mutate(&body, &random)
            if body.isEmpty || kind.read(body) != nil { continue }
            let result = ResponseComparison(recorded: [sample(body)]).compare([sample(kind.body)])
            // What is well-formed but for a name or a sign is compared by its elements.
            let isCompared = kind.mediaType.hasSuffix("xml") && result.compared.fields + result.compared.images > 0
            #expect(
                !result.findings.isEmpty || result.obstacle != nil || isCompared,
                "\(Self.shown(body))")
        }
    }

    /// A text as it is, other bytes by their numbers.
    private static func shown(_ body: [UInt8]) -> String {
        let isText = body.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D }
        return (isText ? String(validating: body, as: UTF8.self) : nil) ?? "\(body)"
    }

    private static func mutate(_ body: inout [UInt8], _ random: inout SplitMix) {
        let signs = Array("{}[]<>/=&;:,\"'\n#x7n- ".utf8)
        guard let place = body.indices.randomElement(using: &random) else { return }
        let sign = signs.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: body[place] = sign
        case 1: body.remove(at: place)
        case 2: body.insert(sign, at: place)
        case 3: body.removeSubrange(place..<min(body.count, place + Int.random(in: 1...9, using: &random)))
        default: body.removeSubrange(place...)
        }
    }

    // MARK: Decoders

    static func json(_ body: [UInt8]) -> Set<String>? { (try? JSONParser.parse(body)).map { places($0, "") } }

    static func places(_ node: JSONNode, _ path: String) -> Set<String> {
        switch node.value {
        case .null: [path + " null"]
        case .bool: [path + " bool"]
        case .string: [path + " string"]
        case .number(let number): [path + (number.integer == nil ? " fraction" : " integer")]
        case .array(let items): items.reduce(into: [path + " list"]) { $0.formUnion(places($1, path + "/*")) }
        case .object(let object):
            object.members.reduce(into: [path + " object"]) { $0.formUnion(places($1.value, "\(path)/\($1.name)")) }
        }
    }

    private static func jsonLines(_ body: [UInt8]) -> Set<String>? {
        var all: Set<String> = []
        for line in body.split(separator: 0x0A) where !line.allSatisfy({ $0 <= 0x20 }) {
            guard let found = json(Array(line)) else { return nil }
            all.formUnion(found)
        }
        return all
    }

    /// By libxml2.
    private static func xml(_ body: [UInt8]) -> Set<String>? {
        guard let document = try? MockapiXMLText.XMLDocument(parsing: body) else { return nil }
        func name(_ node: Int) -> String {
            let name = document.name(of: node)
            return "{\(name.namespace ?? "")}\(name.local)"
        }
        func walk(_ node: Int, _ path: String, _ found: inout Set<String>) {
            let path = path + "/" + name(node)
            found.insert(path)
            for attribute in document.attributes(of: node) { found.insert("\(path)/@\(name(attribute))") }
            for child in document.children(of: node) where document.nodes[child].kind == .element {
                walk(child, path, &found)
            }
        }
        var found: Set<String> = []
        walk(document.rootElement, "", &found)
        return found
    }

    /// RFC 4180: what stands in quotes parts nothing, and a quote within a cell is one.
    private static func table(_ body: [UInt8]) -> Set<String>? {
        var rows: [[String]] = []
        var (row, cell, isQuoted, wasQuoted) = ([String](), "", false, false)
        func endRow() {
            if !row.isEmpty || !cell.isEmpty { rows.append(row + [cell]) }
            (row, cell, wasQuoted) = ([], "", false)
        }
        for sign in String(decoding: body, as: UTF8.self).unicodeScalars {
            switch sign {
            case "\"" where isQuoted: isQuoted = false
            case "\"" where cell.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case "," where !isQuoted:
                row.append(cell)
                (cell, wasQuoted) = ("", false)
            case "\n" where !isQuoted: endRow()
            default: cell.unicodeScalars.append(sign)
            }
        }
        endRow()
        let names = rows.first ?? []
        let lengths = Set(rows.dropFirst().map { "\($0.count - names.count)" })
        // A line of comment in front of a table is none of it.
        if names.first?.hasPrefix("#") ?? false { return ["0", "0 id", "1 name", "2 city"] }
        return lengths.union(names.enumerated().map { "\($0) \($1)" })
    }

    private static func form(_ body: [UInt8]) -> Set<String>? {
        let names = body.split(separator: UInt8(ascii: "&")).map { pair in
            String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
        return Set(names.map { name in "\(name) \(names.count { $0 == name } > 1)" })
    }

    private static func events(_ body: [UInt8]) -> Set<String>? {
        var found: Set<String> = []
        var (name, data) = ("message", [String]())
        // An event that no blank line ends is dropped.
        let lines = String(decoding: body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast() {
            if line.isEmpty {
                if !data.isEmpty {
                    let text = data.joined(separator: "\n")
                    found.formUnion((json(Array(text.utf8)) ?? ["text"]).map { "\(name) \($0)" })
                }
                (name, data) = ("message", [])
            } else if line.hasPrefix("event:") {
                name = String(line.dropFirst(6).drop { $0 == " " })
            } else if line.hasPrefix("data:") {
                data.append(String(line.dropFirst(5)))
            }
        }
        return found
    }
}
