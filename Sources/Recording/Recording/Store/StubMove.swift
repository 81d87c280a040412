// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// A recorded stub that becomes that of another request, with its bodies, under another name.
struct StubMove {
    private let stub: RecordedStub
    private let request: DerivedRequest
    private let store: RecordingStore
    private var transaction: FileTransaction

    struct Moved {
        var stub: RecordedStub
        /// Relative to the fixture directory, the stub file first.
        var files: [String]
        var removed: [String]
    }

    init(_ stub: RecordedStub, to request: DerivedRequest, store: RecordingStore) {
        self.stub = stub
        self.request = request
        self.store = store
        transaction = FileTransaction(root: store.root, beside: store.earlier)
    }

    mutating func move() throws(RecordingError) -> Moved {
        do throws(RecordingError) {
            return try prepareAndCommit()
        } catch {
            transaction.discard()
            throw error
        }
    }

    private mutating func prepareAndCommit() throws(RecordingError) -> Moved {
        let name = try name()
        var files: [String] = []
        var names: [String: String] = [:]
        for (index, step) in stub.steps.enumerated() {
            guard let file = step.response.bodyFile, names[file] == nil, let old = stub.resolved(file), store.isOwn(old)
            else { continue }
            let path = name.body(step: index + 1, fileExtension: Self.fileExtension(file))
            try move(old, to: path)
            names[file] = Self.name(of: path)
            files.append(path)
        }
        var asked = request.node
        if let file = stub.contentFile, let old = stub.resolved(file), UnfinishedRecording.isFixture(old) {
            let path = name.request(fileExtension: Self.fileExtension(file))
            names[file] = Self.name(of: path)
            files.append(path)
            if FileMatcher.file(in: stub.node["request"]) != nil,
                let content = FileMatcher.matcher(in: asked).flatMap(FileMatcher.content)
            {
                asked = FileMatcher.request(asked, reading: Self.name(of: path))
                transaction.remove(old)
                try transaction.write(content, to: path)
            } else {
                try move(old, to: path)
            }
        }
        var members = (stub.node.object?.members ?? []).filter { $0.name != "priority" }.map { member in
            JSONObject.Member(name: member.name, value: member.name == "request" ? asked : changed(member, names))
        }
        if let priority = request.priority { members.insert(.init(name: "priority", value: .integer(priority)), at: 0) }
        let node = JSONNode(.object(JSONObject(members)))
        try transaction.write(JSONWriter.reviewable(node) + [UInt8(ascii: "\n")], to: name.stub)
        transaction.remove(stub.path)
        try transaction.commit()
        guard let moved = RecordedStub(node, path: name.stub, ordinal: nil, root: store.root) else {
            throw RecordingError("the stub cannot be read again; report this with the request")
        }
        return Moved(
            stub: moved, files: [name.stub] + files,
            removed: [stub.path] + names.keys.compactMap { stub.resolved($0) })
    }

    private mutating func move(_ old: String, to path: String) throws(RecordingError) {
        try transaction.copy(old, to: path)
        transaction.remove(old)
    }

    private static func name(of path: String) -> String { path.split(ascii: "/").last.map(String.init) ?? path }

    private func changed(_ member: JSONObject.Member, _ names: [String: String]) -> JSONNode {
        switch member.name {
        case "response": return renamed(member.value, names)
        case "responses": return .array((member.value.array ?? []).map { renamed($0, names) })
        case "recorded":
            let left = [KeyName.beside.rawValue, KeyName.sent.rawValue]
            let members = (member.value.object?.members ?? []).filter { !left.contains($0.name) }.map { inner in
                let value: JSONNode =
                    switch inner.name {
                    case "key": .string(request.key)
                    case "bodyFile": inner.value.string.flatMap { names[$0] }.map { .string($0) } ?? inner.value
                    default: inner.value
                    }
                return JSONObject.Member(name: inner.name, value: value)
            }
            return JSONNode(.object(JSONObject(members)))
        default: return member.value
        }
    }

    private func renamed(_ response: JSONNode, _ names: [String: String]) -> JSONNode {
        let members = (response.object?.members ?? []).map { member in
            guard member.name == "bodyFile", let name = member.value.string.flatMap({ names[$0] }) else {
                return member
            }
            return .init(name: member.name, value: .string(name))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    private func name() throws(RecordingError) -> FixtureName {
        for further in [[], [String(request.key.prefix(8))]] {
            let name = FixtureName(request, fileExtension: stub.bodyExtension, further: further)
            if store.names.isFree(name.stub) { return name }
        }
        throw RecordingError("no other file can be called as \(stub.path) is; move it away")
    }

    /// The extension of a file's name; empty if it has none.
    static func fileExtension(_ file: String) -> String {
        file.lastIndex(ascii: ".").map { String(file.suffix(behind: $0)) } ?? ""
    }
}
