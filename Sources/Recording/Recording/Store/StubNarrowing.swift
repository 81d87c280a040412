// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// A recorded stub that asks for more from now on, in its file, and the same response in a file of its own for another request.
struct StubNarrowing {
    private let stub: RecordedStub
    private let request: DerivedRequest
    private let store: RecordingStore

    struct Written {
        var stub: RecordedStub
        /// Relative to the fixture directory, the stub file first.
        var files: [String]
        /// The bodies that it names no more.
        var left: [String] = []
    }

    /// - Parameter request: as the stub asks for it from now on.
    init(_ stub: RecordedStub, to request: DerivedRequest, store: RecordingStore) {
        self.stub = stub
        self.request = request
        self.store = store
    }

    /// Writes the stub in its place; the rest of its file stays as it is.
    ///
    /// - Parameter kept: the steps that are the request's; nil for all.
    func narrowed(to kept: [RecordedStep]?) throws(RecordingError) -> Written {
        let absolute = "\(store.root)/\(stub.path)"
        guard let size = FileSize.of(absolute), let text = BodyContent.file(path: absolute, size: size).bytes,
            let root = try? JSONParser.parse(text), let old = Self.stub(stub, in: root)
        else { throw RecordingError("\(stub.path) has changed and cannot be read; mend it, or move it away") }
        let file = FileMatcher.file(in: old["request"])
        let asked = file.map { FileMatcher.request(request.node, reading: $0) } ?? request.node
        var edits = [StubText.Edit([.request], .request, asked)]
        if let recorded = old["recorded"] { edits.append(StubText.Edit([.recorded], .recorded, told(recorded))) }
        // It goes before others no more.
        if request.priority == nil, stub.node["priority"]?.number?.integer == 4 {
            edits.append(StubText.Edit([.priority], .priority, .integer(5)))
        }
        var left: [String] = []
        if let kept, kept.count < stub.steps.count {
            let response = StubWriter.responses(kept.map(\.node), isSequence: stub.node["afterLast"] != nil)
            edits.append(StubText.Edit([.response, .responses], response.key, response.value))
            let names = Set(kept.compactMap(\.response.bodyFile))
            left = Set(stub.steps.compactMap(\.response.bodyFile)).subtracting(names)
                .compactMap { stub.resolved($0) }.filter { store.isOwn($0) }.sorted()
        }
        let changed = StubText.replacing(edits, in: text, stub: old)
        guard let node = (try? JSONParser.parse(changed)).flatMap({ Self.stub(stub, in: $0) }),
            let narrowed = RecordedStub(node, path: stub.path, ordinal: stub.ordinal, root: store.root)
        else { throw RecordingError("\(stub.path) cannot be changed in its place; move it away") }
        var transaction = FileTransaction(root: store.root, beside: store.earlier)
        do throws(RecordingError) {
            try transaction.write(changed, to: stub.path)
        } catch {
            transaction.discard()
            throw error
        }
        try transaction.commit()
        return Written(stub: narrowed, files: [stub.path], left: left)
    }

    /// Writes some of its steps for the request, with bodies of their own.
    ///
    /// - Parameter lines: those of the request's header lines that are written beside a recording.
    func copied(_ steps: [RecordedStep], lines: [String]) throws(RecordingError) -> Written {
        let choice = NameChoice(request, fileExtension: stub.bodyExtension, beside: store.requests)
        guard let name = choice.first(in: store.names) else {
            throw RecordingError(
                "no file can be called \(choice.last.stub): something else has that name; move "
                    + "it away")
        }
        var transaction = FileTransaction(root: store.root, beside: store.earlier)
        do throws(RecordingError) {
            var responses: [JSONNode] = []
            var files = [name.stub]
            var names: [String: String] = [:]
            for (index, step) in steps.enumerated() {
                guard let file = step.response.bodyFile, let path = stub.resolved(file) else {
                    responses.append(step.node)
                    continue
                }
                if names[file] == nil {
                    let body = name.body(step: index + 1, fileExtension: stub.bodyExtension)
                    try transaction.copy(path, to: body)
                    files.append(body)
                    names[file] = RecordedStub.relative(body, to: name.stub)
                }
                responses.append(Self.naming(names[file] ?? file, in: step.node))
            }
            var asked = request.node
            if let file = FileMatcher.file(in: stub.node["request"]), let path = stub.resolved(file),
                let content = FileMatcher.matcher(in: asked).flatMap(FileMatcher.content)
            {
                let own = name.request(fileExtension: StubMove.fileExtension(path))
                try transaction.write(content, to: own)
                files.append(own)
                asked = FileMatcher.request(asked, reading: RecordedStub.relative(own, to: name.stub))
            }
            let node = StubWriter.stub(
                priority: request.priority, request: asked, steps: responses,
                recorded: stub.node["recorded"].map { told($0, lines: lines) })
            try transaction.write(JSONWriter.reviewable(node) + [UInt8(ascii: "\n")], to: name.stub)
            try transaction.commit()
            guard let copied = RecordedStub(node, path: name.stub, ordinal: nil, root: store.root) else {
                throw RecordingError("the stub cannot be read again; report this with the request")
            }
            return Written(stub: copied, files: files)
        } catch {
            transaction.discard()
            throw error
        }
    }

    private static func stub(_ stub: RecordedStub, in root: JSONNode) -> JSONNode? {
        guard let ordinal = stub.ordinal else { return root }
        let stubs = root["stubs"]?.array ?? []
        return stubs.indices.contains(ordinal) ? stubs[ordinal] : nil
    }

    private static func naming(_ file: String, in response: JSONNode) -> JSONNode {
        let members = (response.object?.members ?? []).map { member in
            member.name == "bodyFile" ? .init(name: member.name, value: .string(file)) : member
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The stub's `recorded`, of the request.
    ///
    /// - Parameter lines: the header lines in the place of those that stand there; nil for the same.
    private func told(_ recorded: JSONNode, lines: [String]? = nil) -> JSONNode {
        var members: [JSONObject.Member] = []
        func texts(_ key: KeyName, _ texts: [String]) {
            if !texts.isEmpty { members.append(.init(name: key.rawValue, value: .array(texts.map { .string($0) }))) }
        }
        for member in recorded.object?.members ?? [] {
            switch KeyName(rawValue: member.name) {
            // The values of its requests are noted again when the recording ends.
            case .base, .by, .selects, .beside, .sent: continue
            // Values of another request.
            case .bodyFile where lines != nil: continue
            case .headers where lines != nil: continue
            case .key:
                members.append(.init(name: member.name, value: .string(request.key)))
                // A request of a sender is not of the family.
                if request.sender != nil { continue }
                members.append(.init(name: KeyName.base.rawValue, value: .string(request.base)))
                texts(.by, request.places.map(\.text))
                texts(.selects, request.places.filter(request.selected.contains).map(\.text))
            case .request:
                members.append(member)
                texts(.headers, lines ?? [])
            default: members.append(member)
            }
        }
        return JSONNode(.object(JSONObject(members)))
    }
}

extension RecordedStub {
    /// The extension of the first body's name; empty if there is none.
    var bodyExtension: String {
        StubMove.fileExtension(steps.lazy.compactMap(\.response.bodyFile).first ?? "")
    }
}
