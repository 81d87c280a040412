// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport

/// Files whose bytes are changed at random, each with a decoder of its own: what the comparison is held against knows nothing of it.
enum MutatedFiles {
    static let kinds: [DriftMutationTests.Kind] = [
        .init(mediaType: "image/png", body: png, read: { body in decoded { try PNG(body).facts } }),
        .init(mediaType: "image/gif", body: gif, read: { body in decoded { try readGIF(body) } }),
        .init(mediaType: "application/pdf", body: pdf, read: { body in decoded { try readPDF(body) } }),
        .init(mediaType: "font/ttf", body: font, read: { body in decoded { try readFont(body) } }),
        .init(mediaType: "application/x-protobuf", body: message, read: { body in decoded { try readMessage(body) } }),
        .init(mediaType: "application/graphql-response+json", body: graphQL, read: DriftMutationTests.json),
        .init(
            mediaType: "application/yaml", body: YAMLDocument.text(YAMLDocument.node), read: YAMLDocument.read,
            write: YAMLDocument.changed),
    ]

    private struct Broken: Error {}

    private static func decoded(_ read: () throws -> Set<String>) -> Set<String>? { try? read() }

    /// Numbers and parts of bytes; whatever is beyond the end is broken.
    private struct Bytes {
        let bytes: [UInt8]
        var index = 0

        init(_ bytes: [UInt8], at index: Int = 0) {
            self.bytes = bytes
            self.index = index
        }

        var isAtEnd: Bool { index >= bytes.count }

        mutating func take(_ count: Int) throws -> [UInt8] {
            guard count >= 0, index >= 0, index <= bytes.count, count <= bytes.count - index else { throw Broken() }
            index += count
            return Array(bytes[index - count..<index])
        }

        mutating func big(_ count: Int) throws -> Int { try take(count).reduce(0) { $0 << 8 | Int($1) } }
        mutating func little(_ count: Int) throws -> Int { try take(count).reversed().reduce(0) { $0 << 8 | Int($1) } }
    }

    private static func four(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }

    // MARK: PNG

    /// A PNG whose pixels are stored and not packed, so that a few lines read them.
    private struct PNG {
        let facts: Set<String>

        init(_ body: [UInt8]) throws {
            var reader = Bytes(body)
            guard try reader.take(8) == Array(png.prefix(8)) else { throw Broken() }
            var (sides, pixels, isAtEnd) = ([Int](), [UInt8](), false)
            while !isAtEnd {
                let length = try reader.big(4)
                let chunk = try reader.take(4 + length)
                guard try reader.big(4) == Self.sum(chunk) else { throw Broken() }
                var data = Bytes(chunk, at: 4)
                if chunk.starts(with: "IHDR".utf8) { sides = [try data.big(4), try data.big(4)] }
                if chunk.starts(with: "IDAT".utf8) { pixels += chunk.dropFirst(4) }
                isAtEnd = chunk.starts(with: "IEND".utf8)
            }
            // A stored block behind the two bytes of zlib's head (RFC 1951 §3.2.4).
            guard pixels.count == 2 + 5 + 14 + 4, sides == [2, 2] else { throw Broken() }
            facts = ["\(sides)"]
        }

        /// CRC-32 bit by bit.
        static func sum(_ bytes: [UInt8]) -> Int {
            var sum: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            return Int(~sum)
        }
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        four(data.count) + Array(name.utf8) + data + four(PNG.sum(Array(name.utf8) + data))
    }

    static let png: [UInt8] = {
        let rows: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]
        var (low, high) = (1, 0)
        for byte in rows {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        let stored: [UInt8] = [0x78, 0x01, 1, 14, 0, 0xF1, 0xFF] + rows + four(high << 16 | low)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", four(2) + four(2) + [8, 2, 0, 0, 0]) + chunk("IDAT", stored) + chunk("IEND", [])
    }()

    // MARK: GIF

    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        + [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    private static func readGIF(_ body: [UInt8]) throws -> Set<String> {
        var reader = Bytes(body)
        guard try reader.take(5) == Array("GIF89".utf8) || reader.bytes.starts(with: "GIF87".utf8),
            try reader.take(1) == [0x61]
        else { throw Broken() }
        let sides = [try reader.little(2), try reader.little(2)]
        let flags = try reader.little(1)
        _ = try reader.take(2 + (flags >= 128 ? 3 << (flags % 8 + 1) : 0))
        var images = 0
        while true {
            switch try reader.little(1) {
            case 0x3B where images > 0: return ["\(sides) \(images > 1)"]
            case 0x2C:
                images += 1
                _ = try reader.take(8)
                let flags = try reader.little(1)
                _ = try reader.take((flags >= 128 ? 3 << (flags % 8 + 1) : 0) + 1)
            case 0x21: _ = try reader.take(1)
            default: throw Broken()
            }
            while case let size = try reader.little(1), size > 0 { _ = try reader.take(size) }
        }
    }

    // MARK: PDF

    private static let pdf: [UInt8] = {
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        for (index, object) in ["<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [] /Count 0>>"].enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 3\n0000000000 65535 f \n"
        for place in places { text += String(String(place + 10_000_000_000).dropFirst()) + " 00000 n \n" }
        return Array((text + "trailer\n<</Size 3 /Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n").utf8)
    }()

    private static func readPDF(_ body: [UInt8]) throws -> Set<String> {
        // Each byte is a character, so that places are those of bytes.
        let text = body.map { Character(UnicodeScalar($0)) }
        guard body.starts(with: "%PDF-".utf8),
            let end = String(text).wholeMatch(of: /[\s\S]*startxref\s+(\d{1,9})\s+%%EOF[\s\S]{0,900}/),
            let start = Int(end.1), start < text.count,
            let table = String(text[start...]).prefixMatch(
                of: /\s*xref\s+0\s+3\s*((?:\d{10} \d{5} [nf]\s{2}){3})\s*trailer([\s\S]*)/),
            let root = String(table.2).firstMatch(of: /\/Root\s*(\d{1,9})\s+\d{1,9}\s*R/)
        else { throw Broken() }
        var used: Set<Int> = []
        for (number, entry) in String(table.1).matches(of: /(\d{10}) \d{5} ([nf])/).enumerated() where entry.2 == "n" {
            guard let place = Int(entry.1), place < text.count,
                let object = String(text[place...]).prefixMatch(of: /\s*(\d+)\s+\d+\s*obj/), Int(object.1) == number
            else { throw Broken() }
            used.insert(number)
        }
        guard let number = Int(root.1), used.contains(number) else { throw Broken() }
        return ["pdf"]
    }

    // MARK: Fonts

    private static let font: [UInt8] = {
        let tables = [("cmap", Array(UInt8(0)..<40)), ("glyf", Array(60..<130)), ("hmtx", Array(9..<31))]
        var (head, data) = ([UInt8]([0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0]), [UInt8]())
        for (name, table) in tables {
            head += Array(name.utf8) + four(words(table)) + four(60 + data.count) + four(table.count)
            data += table + Array(repeating: 0, count: (4 - table.count % 4) % 4)
        }
        return head + data
    }()

    static func words(_ bytes: [UInt8]) -> Int {
        let filled = bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        var sum = 0
        for index in stride(from: 0, to: filled.count, by: 4) {
            sum += filled[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return sum & 0xFFFF_FFFF
    }

    private static func readFont(_ body: [UInt8]) throws -> Set<String> {
        var reader = Bytes(body)
        guard try reader.take(4) == [0, 1, 0, 0] else { throw Broken() }
        let count = try reader.big(2)
        _ = try reader.take(6)
        var names: Set<String> = []
        for _ in 0..<count {
            names.insert(String(decoding: try reader.take(4), as: UTF8.self))
            let sum = try reader.big(4)
            var table = Bytes(body, at: try reader.big(4))
            guard words(try table.take(try reader.big(4))) == sum else { throw Broken() }
        }
        if names.isEmpty { throw Broken() }
        return names
    }

    // MARK: Protocol Buffers

    /// `int32 id = 1; string name = 2; repeated Place places = 3; double price = 4; float part = 5;` with `Place { int32 no = 1; string city = 2; }`
    private static let message: [UInt8] = {
        let place: (UInt8, String) -> [UInt8] = { number, city in [0x1A, 8, 8, number, 0x12, 4] + Array(city.utf8) }
        return [0x08, 0xAC, 2, 0x12, 7] + Array("Ann Lee".utf8) + place(7, "Bern") + place(9, "Genf")
            + [0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2D, 1, 2, 3, 4]
    }()

    private static func readMessage(_ body: [UInt8], isInner: Bool = false) throws -> Set<String> {
        var reader = Bytes(body)
        func varint() throws -> Int {
            var value = 0
            for shift in stride(from: 0, to: 63, by: 7) {
                let byte = try reader.little(1)
                value |= (byte & 127) << shift
                if byte < 128 { return value }
            }
            throw Broken()
        }
        var found: Set<String> = []
        while !reader.isAtEnd {
            let tag = try varint()
            let (number, kind) = (tag >> 3, tag & 7)
            guard number > 0 else { throw Broken() }
            var name = "\(number) \(kind)"
            switch kind {
            case 0: _ = try varint()
            case 1: _ = try reader.take(8)
            case 2:
                let content = try reader.take(try varint())
                if number == 2, String(validating: content, as: UTF8.self) == nil { throw Broken() }
                if number == 3, !isInner {
                    found.formUnion(try readMessage(content, isInner: true).map { "3 \($0)" })
                    name = "3"
                }
            case 5: _ = try reader.take(4)
            default: throw Broken()
            }
            found.insert(name)
        }
        return found
    }

    // MARK: GraphQL

    private static let graphQL = Array(
        #"{"data":{"user":{"__typename":"User","id":"7","posts":[{"title":"a","likes":2}],"on":null}}}"#.utf8)
}

/// A document of OpenAPI that is changed value by value, and written as YAML.
enum YAMLDocument {
    static let node: JSONNode = {
        let operation: JSONNode = .object([
            "parameters": .array([.object(["name": .string("id"), "in": .string("path"), "required": .bool(true)])]),
            "responses": .object(["ok": .object(["description": .string("one"), "maximum": .integer(40)])]),
        ])
        return .object([
            "openapi": .string("3.0.3"), "info": .object(["title": .string("shop"), "version": .string("v1")]),
            "paths": .object(["items": .object(["get": operation])]),
        ])
    }()

    /// The places of a text that `text` wrote, read by its indentation alone.
    @Sendable static func read(_ body: [UInt8]) -> Set<String>? {
        var found: Set<String> = []
        var path: [(depth: Int, name: String)] = []
        for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
            let depth = line.prefix { $0 == " " }.count
            path.removeAll { $0.depth >= depth }
            let content = line.dropFirst(depth)
            guard let colon = content.lastIndex(of: ":") else { return nil }
            path.append((depth, String(content[..<colon])))
            let value = content[content.index(after: colon)...].drop { $0 == " " }
            let kind =
                value.isEmpty
                ? "holds others"
                : value == "null"
                    ? "null"
                    : ["true", "false"].contains(value)
                        ? "bool"
                        : Int(value) != nil ? "integer" : Double(value) != nil ? "fraction" : "string"
            found.insert(path.map(\.name).joined(separator: "/") + " " + kind)
        }
        return found
    }

    @Sendable static func changed(_ random: inout SplitMix) -> [UInt8] {
        var count = 0
        let all = change(node, nil, &count, &random)
        let place = Int.random(in: 0..<max(1, count), using: &random)
        count = 0
        return text(change(all, place, &count, &random))
    }

    /// The same with another value at a place, counted in order.
    private static func change(_ node: JSONNode, _ place: Int?, _ count: inout Int, _ random: inout SplitMix)
        -> JSONNode
    {
        switch node.value {
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members {
                count += 1
                guard place == count - 1 else {
                    members.append(.init(name: member.name, value: change(member.value, place, &count, &random)))
                    continue
                }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: break
                case 1: members.append(.init(name: member.name + "x", value: member.value))
                case 2: members.append(.init(name: member.name, value: .integer(7)))
                default: members.append(.init(name: member.name, value: .bool(false)))
                }
            }
            return JSONNode(.object(JSONObject(members)))
        case .array(let items): return .array(items.map { change($0, place, &count, &random) })
        default: return node
        }
    }

    /// A value as blocks, what is in a list under a dash that is written as a name.
    static func text(_ node: JSONNode) -> [UInt8] {
        var lines: [String] = []
        func write(_ node: JSONNode, _ indent: String) {
            for member in node.object?.members ?? [] {
                switch member.value.value {
                case .object:
                    lines.append("\(indent)\(member.name):")
                    write(member.value, indent + "  ")
                case .array(let items):
                    lines.append("\(indent)\(member.name):")
                    for (index, item) in items.enumerated() {
                        lines.append("\(indent)  item\(index):")
                        write(item, indent + "    ")
                    }
                default:
                    let text = member.value.string ?? String(decoding: JSONWriter.compact(member.value), as: UTF8.self)
                    lines.append("\(indent)\(member.name): \(text)")
                }
            }
        }
        write(node, "")
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
