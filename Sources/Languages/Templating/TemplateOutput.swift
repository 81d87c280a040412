// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The output of a template so far.
///
/// It is kept in pieces: an array that grows holds its elements a second time, and room for as much again.
struct TemplateOutput {
    private var full: [[UInt8]] = []
    private var piece: [UInt8] = []
    private(set) var count = 0

    /// Bytes of a piece. 256 KiB.
    private static let size = 256 * 1024

    mutating func append(_ bytes: some Collection<UInt8>) {
        count += bytes.count
        if piece.isEmpty || piece.count + bytes.count <= Self.size { return piece.append(contentsOf: bytes) }
        full.append(piece)
        piece = Array(bytes)
    }

    /// All of it, in one piece; nothing is left here.
    mutating func joined() -> [UInt8] {
        defer { self = TemplateOutput() }
        if full.isEmpty { return piece }
        full.append(piece)
        piece = []
        return [UInt8](unsafeUninitializedCapacity: count) { all, filled in
            for index in full.indices {
                for byte in full[index] {
                    all.initializeElement(at: filled, to: byte)
                    filled += 1
                }
                full[index] = []
            }
        }
    }
}

extension TemplateValue {
    /// Bytes of memory that a list of so many takes.
    static func size(ofElements count: Int) -> Int {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<TemplateValue>.stride)
        return overflows ? .max : bytes
    }

    /// Bytes of memory that a value takes by itself, parts that it shares with others included.
    var memory: Int {
        switch self {
        case .json(let node): node.memory
        case .date: 0
        case .list(let elements): elements.reduce(Self.size(ofElements: elements.count)) { $0 + $1.memory }
        case .several(let texts):
            texts.reduce(texts.count * MemoryLayout<String>.stride) { $0 + $1.utf8.count }
        case .object: 0
        }
    }
}

extension JSONNode {
    /// Bytes of memory that the values within it take.
    var memory: Int {
        switch value {
        case .null, .bool, .number: 0
        case .string(let text): text.utf8.count
        case .array(let elements):
            elements.reduce(elements.count * MemoryLayout<JSONNode>.stride) { $0 + $1.memory }
        case .object(let object):
            object.members.reduce(object.members.count * MemoryLayout<JSONObject.Member>.stride) {
                $0 + $1.name.utf8.count + $1.value.memory
            }
        }
    }
}
