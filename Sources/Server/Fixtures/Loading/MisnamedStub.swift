// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// Finds plain files that were meant to be stubs.
enum MisnamedStub {
    /// The warning about a file; nil if it most likely is a plain file.
    ///
    /// A file above 32 KiB, which is not held in memory, is judged by its name alone.
    static func warning(_ path: String, _ content: Content) -> String? {
        let words = path.fileName.lowercased().split(ascii: ".", omittingEmptySubsequences: false)
        if words.count > 1, words.last == "stub" || words.count > 2 && words[words.count - 2] == "stub" {
            return
                "the name looks like a stub's, and the file is served as it is; stubs are JSON, in files that end in "
                + "\".stub.json\""
        }
        guard words.last == "json", case .bytes(let bytes) = content.body, isStub(bytes) else { return nil }
        return "this looks like a stub, and is served as a plain file; stub files end in \".stub.json\": name it "
            + "\"\(path.fileName.dropLast(".json".count)).stub.json\""
    }

    private static func isStub(_ bytes: [UInt8]) -> Bool {
        guard contains("\"response", in: bytes), let node = try? JSONParser.parse(bytes), let object = node.object
        else {
            return false
        }
        if let list = (node["stubs"] ?? node["mappings"])?.array { return list.first.map(isStub) ?? false }
        return isStub(node) && object.members.allSatisfy { ObjectShape.stub.key($0.name) != nil }
    }

    private static func isStub(_ node: JSONNode) -> Bool {
        node["request"]?.object != nil && (node["response"]?.object != nil || node["responses"]?.array != nil)
    }

    /// Whether a text stands among bytes.
    static func contains(_ text: StaticString, in bytes: [UInt8]) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count >= length else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...bytes.count - length).contains { start in
                (0..<length).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
            }
        }
    }
}
