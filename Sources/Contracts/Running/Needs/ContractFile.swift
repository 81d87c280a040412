// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiJSONText

/// Writes a client's needs into the fixture that they concern: `contract` of a stub, or a file beside a plain file. Nothing else in a file
/// changes by a byte, and nothing at all if nothing is new.
package enum ContractFile {
    /// Why a contract cannot be written.
    package struct Failure: Error {
        package let path: String
        package let reason: String
    }

    /// A stub file beyond it is not written. 64 MiB.
    private static let sizeLimit = 64 * 1024 * 1024

    /// - Parameter root: the fixture directory.
    /// - Returns: the file, relative to the directory, if it has changed; nil if it has not.
    package static func write(_ response: Needs.Response, in set: FixtureSet) throws(Failure) -> String? {
        guard !(response.contract.object?.members ?? []).isEmpty else { return nil }
        switch response.subject.subject {
        case .file: return try writeBeside(response, set)
        case .stub(let ordinal):
            guard set.dialect == .mockapi else {
                throw Failure(path: response.subject.file, reason: "a mapping of WireMock has no contract")
            }
            return try write(response.contract, into: set.stubs[ordinal], root: set.root)
        }
    }

    /// Where the contract of a plain file is: `contents.contract.json` beside `contents.json`, `logo.png.contract.json` beside `logo.png`.
    static func path(beside file: String) -> String {
        (file.hasSuffix(".json") ? String(file.dropLast(".json".count)) : file) + ".contract.json"
    }

    private static func writeBeside(_ response: Needs.Response, _ set: FixtureSet) throws(Failure) -> String? {
        let path = path(beside: response.subject.file)
        let old = TextFile.read("\(set.root)/\(path)", limit: sizeLimit)
        let node = old.flatMap { try? JSONParser.parse($0) }
        if old != nil, node?.object == nil { throw Failure(path: path, reason: "it is not a JSON object") }
        let new = merged(response.contract, into: node)
        if let node, same(node, new) { return nil }
        try write(text(new, indentation: "", lineEnd: "\n") + [UInt8(ascii: "\n")], to: "\(set.root)/\(path)", path)
        return path
    }

    private static func write(_ contract: JSONNode, into stub: Stub, root: String) throws(Failure) -> String? {
        let path = stub.place.path
        guard let bytes = TextFile.read("\(root)/\(path)", limit: sizeLimit), let file = try? JSONParser.parse(bytes)
        else { throw Failure(path: path, reason: "it cannot be read any more") }
        let stubs = file["stubs"]?.array ?? [file]
        let lines = LineMap(bytes)
        // The stub is found by the place at which it was read.
        let found = stubs.first { node in
            let place = lines.position(of: node.offset)
            return node.object != nil && (place.line, place.column) == (stub.place.line, stub.place.column)
        }
        guard let found, let object = found.object else {
            throw Failure(path: path, reason: "it has changed since it was read")
        }
        let new = merged(contract, into: found["contract"])
        if let old = found["contract"], same(old, new) { return nil }
        let splice = Splice(bytes, object, end: JSONExtent.end(of: bytes, from: found.offset))
        try write(splice.inserting(new), to: "\(root)/\(path)", path)
        return path
    }

    private static func write(_ bytes: [UInt8], to path: String, _ name: String) throws(Failure) {
        do throws(TextFile.Failure) {
            try TextFile.write(bytes, to: path)
        } catch {
            throw Failure(path: name, reason: error.text)
        }
    }

    /// Equal, with members in the same order.
    private static func same(_ one: JSONNode, _ other: JSONNode) -> Bool {
        JSONWriter.compact(one) == JSONWriter.compact(other)
    }

    /// The findings with the additions of a person: members of their own, and paths that nothing was found out of.
    static func merged(_ new: JSONNode, into old: JSONNode?) -> JSONNode {
        let found: Set = ["needed", "type", "enum"]
        let before = old?.object?.members ?? []
        var members = (new.object?.members ?? []).map { member -> JSONObject.Member in
            let own = (old?[member.name]?.object?.members ?? []).filter {
                !found.contains($0.name) && member.value[$0.name] == nil
            }
            return .init(
                name: member.name, value: JSONNode(.object(JSONObject((member.value.object?.members ?? []) + own))))
        }
        let names = Set(members.map(\.name))
        members += before.filter { !names.contains($0.name) }.map { .init(name: $0.name, value: $0.value) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// A line for each part.
    fileprivate static func text(_ contract: JSONNode, indentation: String, lineEnd: String) -> [UInt8] {
        let members = contract.object?.members ?? []
        var text = Array("{".utf8)
        for (index, member) in members.enumerated() {
            text += "\(index == 0 ? "" : ",")\(lineEnd)\(indentation)  ".utf8
            JSONWriter.writeString(member.name, to: &text)
            text += ": ".utf8
            text += spaced(member.value)
        }
        text += "\(lineEnd)\(indentation)}".utf8
        return text
    }

    /// One line, with spaces where people put them.
    private static func spaced(_ node: JSONNode) -> [UInt8] {
        switch node.value {
        case .object(let object):
            let members = object.members.map { member in
                var text: [UInt8] = []
                JSONWriter.writeString(member.name, to: &text)
                return text + Array(": ".utf8) + spaced(member.value)
            }
            return Array("{".utf8) + members.joined(separator: Array(", ".utf8)) + Array("}".utf8)
        case .array(let elements):
            return Array("[".utf8) + elements.map(spaced).joined(separator: Array(", ".utf8)) + Array("]".utf8)
        default: return JSONWriter.compact(node)
        }
    }
}

/// A text of JSON into which a member of one of its objects is put.
private struct Splice {
    private let bytes: [UInt8]
    private let object: JSONObject
    /// After the object's closing brace.
    private let end: Int

    init(_ bytes: [UInt8], _ object: JSONObject, end: Int) {
        self.bytes = bytes
        self.object = object
        self.end = end
    }

    func inserting(_ contract: JSONNode) -> [UInt8] {
        let lineEnd = bytes.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        if let member = object.members.last(where: { $0.name == "contract" }) {
            let text = ContractFile.text(contract, indentation: indentation(at: member.nameOffset), lineEnd: lineEnd)
            let end = JSONExtent.end(of: bytes, from: member.value.offset)
            return Array(bytes[..<member.value.offset]) + text + Array(bytes[end...])
        }
        guard let last = object.members.last else { return bytes }
        let indentation = indentation(at: last.nameOffset)
        let place = JSONExtent.end(of: bytes, from: last.value.offset)
        var longer = Array(bytes[..<place])
        longer += ",\(lineEnd)\(indentation)\"contract\": ".utf8
        longer += ContractFile.text(contract, indentation: indentation, lineEnd: lineEnd)
        longer += bytes[place...]
        return longer
    }

    /// The white space in front of a name on its line, if there is nothing else; two spaces elsewhere.
    private func indentation(at offset: Int) -> String {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let front = bytes[start..<offset]
        guard front.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), start > 0 else { return "  " }
        return String(decoding: front, as: UTF8.self)
    }
}

/// How far a value of a JSON text reaches.
enum JSONExtent {
    /// The place after the value that begins at an offset, of a text that is JSON.
    static func end(of bytes: [UInt8], from offset: Int) -> Int {
        var index = offset
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = stringEnd(bytes, index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                // A number or a word has come to its end.
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return index
    }

    private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}
