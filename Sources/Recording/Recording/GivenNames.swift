// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// The names that a session has given to new recordings.
///
/// While responses come, the first takes the plain name if several would share it. At the end the names are dealt out again, in an order
/// that the requests alone decide, so that the same requests in another order make the same files. An earlier recording keeps its name.
struct GivenNames {
    fileprivate struct Given {
        var choice: NameChoice
        /// The stub file.
        var path: String
        var label: String
        var origin: String
    }

    /// A recording as it stands in its files.
    fileprivate struct Written {
        var given: Given
        var text: [UInt8]
        var stub: JSONNode
        /// The old and new paths of its files; the stub file first.
        var moves: [(old: String, new: String)] = []
    }

    private var all: [Given] = []
    /// Whether one has another name than the plain one.
    private var hasSharers = false

    /// - Parameter path: the stub file.
    mutating func add(_ request: DerivedRequest, origin: String, fileExtension: String, at path: String) {
        let choice = NameChoice(request, fileExtension: fileExtension)
        all.append(Given(choice: choice, path: path, label: request.label, origin: origin))
        if path != choice.all.first?.stub { hasSharers = true }
    }

    /// Takes note of a recording's being in another file and of another request; a recording of an earlier session is not among these.
    mutating func move(_ path: String, to other: String, as request: DerivedRequest) {
        guard let index = all.firstIndex(where: { $0.path == path }) else { return }
        all[index].choice = all[index].choice.beside(as: request)
        all[index].path = other
        // The name that it had is free for another.
        hasSharers = true
    }

    /// Deals the names out.
    ///
    /// - Parameters:
    ///   - requests: the `request` objects of the stubs, by their files.
    ///   - reveals: whether a path holds a secret that was learnt later.
    /// - Returns: the outcomes of the recordings that have another name now.
    func settle(
        in root: String, _ requests: [String: JSONNode], beside earlier: EarlierFiles?, reveals: (String) -> Bool
    ) -> [RecordingOutcome] {
        guard hasSharers else { return [] }
        var known = requests
        for given in all { known[given.path] = nil }
        let ranked = all.map { (given: $0, rank: $0.choice.rank) }.sorted { left, right in
            zip(left.rank, right.rank).first { $0 != $1 }.map { $0.lexicographicallyPrecedes($1) } ?? false
        }
        let written = ranked.compactMap { Self.read($0.given, in: root) }
        let own = Set(written.flatMap { $0.moves.map(\.old) })
        let paths = FixtureLoader.paths(of: root)
        let before = TakenNames(paths)
        var names = TakenNames(paths.filter { !own.contains($0) })
        var renamed: [Written] = []
        for var item in written {
            if let name = item.given.choice.beside(known).first(in: names), name.stub != item.given.path,
                !reveals(name.stub)
            {
                var other = item
                other.rename(by: name)
                // A file does not make room for a folder in one step.
                if !other.moves.contains(where: { before.isBlocked($0.new) }) {
                    item = other
                    renamed.append(item)
                }
            }
            for move in item.moves { names.insert(move.new) }
            if let path = item.moves.first?.new { known[path] = item.given.choice.request.node }
        }
        do throws(RecordingError) {
            try Self.move(renamed, in: root, beside: earlier)
        } catch {
            // They are found by their old names as well.
            return []
        }
        return renamed.map { item in
            RecordingOutcome(
                .renamed, request: item.given.label, origin: item.given.origin, files: item.moves.map(\.new),
                notes: [
                    "was \(item.given.path): the order of several requests does not decide which has the "
                        + "plain name"
                ]
            )
        }
    }

    /// A recording under another name.
    struct Concealed {
        var key: String
        /// The old and new paths of its files; the stub file first.
        var moves: [(old: String, new: String)]
        var outcome: RecordingOutcome
    }

    /// Leaves the names of some recordings as they are, by the keys of their requests.
    mutating func leave(_ keys: Set<String>) { all.removeAll { keys.contains($0.choice.request.key) } }

    /// Takes secrets that were learnt later out of the names of recordings; a number tells them from others.
    ///
    /// - Parameters:
    ///   - paths: files whose names hold a secret.
    ///   - conceal: a path without secrets.
    mutating func conceal(
        _ paths: Set<String>, in root: String, beside earlier: EarlierFiles?, by conceal: (String) -> String
    ) -> [Concealed] {
        var concealed: [Concealed] = []
        var counts: [String: Int] = [:]
        for given in all {
            guard var item = Self.read(given, in: root), item.moves.contains(where: { paths.contains($0.old) }) else {
                continue
            }
            let key = given.choice.request.key
            // Not of the key, which follows from the secret.
            let name = conceal(given.path)
            var moves: [(old: String, new: String)]
            repeat {
                counts[name, default: 0] += 1
                let mark = ContentHash.of(Array("\(name)\n\(counts[name] ?? 0)".utf8)).hexadecimal.prefix(8)
                moves = item.moves.map { ($0.old, Self.path(conceal($0.old), with: String(mark))) }
                // An earlier session may have concealed the same.
            } while moves.contains { FileSize.of("\(root)/\($0.new)") != nil }
            item.moves = moves
            do throws(RecordingError) {
                try Self.move([item], in: root, beside: earlier)
            } catch {
                continue
            }
            concealed.append(
                Concealed(
                    key: key, moves: item.moves,
                    outcome: RecordingOutcome(
                        .renamed, request: conceal(given.label), origin: given.origin, files: item.moves.map(\.new),
                        notes: ["its name held a secret that was learnt later"])))
        }
        let gone = Set(concealed.compactMap { $0.moves.first?.old })
        all.removeAll { gone.contains($0.path) }
        return concealed
    }

    private static func path(_ path: String, with mark: String) -> String {
        let ending = path.hasSuffix(stubEnding) ? stubEnding : ".\(StubMove.fileExtension(path))"
        return path.hasSuffix(ending) ? "\(path.dropLast(ending.utf8.count)).\(mark)\(ending)" : "\(path).\(mark)"
    }

    private static let stubEnding = ".stub.json"

    /// - Returns: nil if the file is no longer as it was written.
    private static func read(_ given: Given, in root: String) -> Written? {
        let absolute = "\(root)/\(given.path)"
        guard let size = FileSize.of(absolute), let text = BodyContent.file(path: absolute, size: size).bytes,
            let stub = try? JSONParser.parse(text), stub["recorded"] != nil
        else { return nil }
        var written = Written(given: given, text: text, stub: stub)
        var files = [given.path]
        for name in written.bodyNames {
            if let path = RecordedStub.resolved(name, from: given.path), !files.contains(path) { files.append(path) }
        }
        written.moves = files.map { ($0, $0) }
        return written
    }

    private static func move(
        _ items: [Written], in root: String, beside earlier: EarlierFiles?
    ) throws(RecordingError) {
        var transaction = FileTransaction(root: root, beside: earlier)
        do throws(RecordingError) {
            for item in items {
                for move in item.moves.dropFirst() where move.old != move.new {
                    try transaction.copy(move.old, to: move.new)
                }
                if let stub = item.moves.first { try transaction.write(item.renamedText, to: stub.new) }
            }
        } catch {
            transaction.discard()
            throw error
        }
        let new = Set(items.flatMap { $0.moves.map(\.new) })
        let gone = items.flatMap { $0.moves.map(\.old) }.filter { !new.contains($0) }
        for path in gone { transaction.remove(path) }
        try transaction.commit()
        FixtureRoot.removeEmptyFolders(of: gone, in: root)
    }
}

extension GivenNames.Written {
    /// The names of its bodies as the stub writes them, in the order of the steps, and that of the request's content.
    fileprivate var bodyNames: [String] {
        let steps = stub["responses"]?.array ?? stub["response"].map { [$0] } ?? []
        return steps.compactMap { $0["bodyFile"]?.string }
            + [stub["recorded"]?["bodyFile"]?.string, FileMatcher.file(in: stub["request"])].compactMap(\.self)
    }

    fileprivate mutating func rename(by name: FixtureName) {
        let steps = stub["responses"]?.array ?? stub["response"].map { [$0] } ?? []
        moves = moves.map { old, _ in
            if old == given.path { return (old, name.stub) }
            let fileExtension = old.lastIndex(ascii: ".").map { String(old.suffix(behind: $0)) } ?? ""
            let step = steps.firstIndex { step in
                step["bodyFile"]?.string.flatMap { RecordedStub.resolved($0, from: given.path) } == old
            }
            guard let step else { return (old, name.request(fileExtension: fileExtension)) }
            return (old, name.body(step: step + 1, fileExtension: fileExtension))
        }
    }

    /// The stub file with the new names of its bodies.
    fileprivate var renamedText: [UInt8] {
        guard let path = moves.first?.new else { return text }
        var edits = [KeyName.response, .responses, .recorded].compactMap { key in
            stub[key.rawValue].map { StubText.Edit([key], key, renamed($0, from: path)) }
        }
        if let request = stub["request"], FileMatcher.file(in: request) != nil {
            let renamed = FileMatcher.request(request) { newName($0, from: path) }
            edits.append(StubText.Edit([.request], .request, renamed))
        }
        guard text == JSONWriter.reviewable(stub) + [UInt8(ascii: "\n")] else {
            return StubText.replacing(edits, in: text, stub: stub)
        }
        let members = (stub.object?.members ?? []).map { member in
            JSONObject.Member(
                name: member.name, value: edits.first { $0.name == member.name }?.value ?? member.value)
        }
        return JSONWriter.reviewable(JSONNode(.object(JSONObject(members)))) + [UInt8(ascii: "\n")]
    }

    private func renamed(_ node: JSONNode, from path: String) -> JSONNode {
        if let list = node.array { return .array(list.map { renamed($0, from: path) }) }
        guard let object = node.object else { return node }
        let members = object.members.map { member in
            guard member.name == "bodyFile", let name = member.value.string.flatMap({ newName($0, from: path) })
            else { return member }
            return JSONObject.Member(name: member.name, value: .string(name))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The name of a file that has another one now, as the stub at a path writes it.
    private func newName(_ name: String, from path: String) -> String? {
        let old = RecordedStub.resolved(name, from: given.path)
        return moves.first { $0.old == old }.map { RecordedStub.relative($0.new, to: path) }
    }
}
