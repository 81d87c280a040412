// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The text of a stub file, with the steps of its stubs from now on; the rest of it stays as it is.
struct StubFile {
    private let path: String
    private let root: String

    /// - Parameters:
    ///   - path: relative to the fixture directory.
    ///   - root: the fixture directory, a real path.
    init(_ path: String, root: String) {
        self.path = path
        self.root = root
    }

    /// - Parameter stubs: those of this file that are to be written, in any order; a new stub is the only one.
    /// - Returns: the text, and the nodes of these stubs in it.
    func text(with stubs: [RecordedStub]) throws(RecordingError) -> (text: [UInt8], nodes: [JSONNode]) {
        if let stub = stubs.first, !stub.isWritten {
            let node = stub.node(stub.steps, recorded: stub.node["recorded"] ?? .null)
            return (JSONWriter.reviewable(node) + [UInt8(ascii: "\n")], [node])
        }
        let absolute = "\(root)/\(path)"
        guard let size = FileSize.of(absolute), var text = BodyContent.file(path: absolute, size: size).bytes else {
            throw unreadable
        }
        for stub in stubs {
            guard let file = try? JSONParser.parse(text), let old = Self.node(of: stub, in: file) else {
                throw unreadable
            }
            let responses = stub.responses(stub.steps)
            let edits = [
                StubText.Edit([.response, .responses], responses.key, responses.value),
                StubText.Edit([.recorded], .recorded, stub.node["recorded"] ?? .null),
            ]
            text = StubText.replacing(edits, in: text, stub: old)
        }
        let file = try? JSONParser.parse(text)
        let nodes = stubs.compactMap { stub in file.flatMap { Self.node(of: stub, in: $0) } }
        guard nodes.count == stubs.count else {
            throw RecordingError("\(path) cannot be changed in its place; move it away")
        }
        return (text, nodes)
    }

    /// The text of a stub with the digests of its requests.
    ///
    /// - Parameters:
    ///   - beside: the key of the stub for everybody; nil if it is that one.
    ///   - varying: places that the stub does not name yet as varying.
    ///   - pending: the file as it is about to be written; nil for as it is.
    /// - Returns: nil if it says just that, or is not there any more.
    func text(
        of stub: RecordedStub, knowing sent: JSONNode, beside: String?, varying: [String], in pending: [UInt8]?
    ) -> [UInt8]? {
        let absolute = "\(root)/\(path)"
        guard let text = pending ?? FileSize.of(absolute).flatMap({ BodyContent.file(path: absolute, size: $0).bytes }),
            let file = try? JSONParser.parse(text), let old = Self.node(of: stub, in: file),
            let recorded = old["recorded"]?.object
        else { return nil }
        var known = ObjectWriter()
        let varies = (old["recorded"]?[KeyName.varies.rawValue]?.array ?? []).compactMap(\.string) + varying
        known.add(.varies, texts: varies.unique.sorted())
        known.add(.beside, text: beside)
        known.add(.sent, sent)
        let names = [KeyName.varies.rawValue, KeyName.beside.rawValue, KeyName.sent.rawValue]
        var members = recorded.members.filter { !names.contains($0.name) }
        let time = members.firstIndex { $0.name == KeyName.at.rawValue } ?? members.count
        members.insert(contentsOf: known.members, at: time)
        let node = JSONNode(.object(JSONObject(members)))
        if JSONWriter.compact(node) == JSONWriter.compact(JSONNode(.object(recorded))) { return nil }
        return StubText.replacing([StubText.Edit([.recorded], .recorded, node)], in: text, stub: old)
    }

    private var unreadable: RecordingError {
        RecordingError("\(path) has changed and cannot be read; mend it, or move it away")
    }

    private static func node(of stub: RecordedStub, in file: JSONNode) -> JSONNode? {
        guard let ordinal = stub.ordinal else { return file }
        let stubs = file["stubs"]?.array ?? []
        return stubs.indices.contains(ordinal) ? stubs[ordinal] : nil
    }
}
