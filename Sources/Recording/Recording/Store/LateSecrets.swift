// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiSystemIO

/// Replaces a value that turned out to be a secret after it had been written: a value of a response that a later request authenticates with.
struct LateSecrets {
    /// The request of a stub once a secret is no longer in its file.
    struct Asked {
        /// The text of its `request`.
        var request: [UInt8]
        /// Whether a digest of the values that stood there would let somebody find out the secret.
        var isGuessable: Bool
    }

    private let root: String
    private let earlier: EarlierFiles?
    private let redactor: Redactor
    private let allowed: AllowedSecrets
    /// By the keys of the stubs that were changed.
    private(set) var asked: [String: Asked] = [:]

    init(root: String, earlier: EarlierFiles?, redactor: Redactor, allowed: AllowedSecrets) {
        (self.root, self.earlier, self.redactor, self.allowed) = (root, earlier, redactor, allowed)
    }

    /// - Parameters:
    ///   - paths: files of text, relative to the fixture directory.
    ///   - names: all files that were written; a file whose name still has a secret is taken away.
    /// - Returns: an outcome for each file that held one.
    mutating func replace(in paths: [String], named names: [String]) -> [RecordingOutcome] {
        let revealing = Set(names.filter { !redactor.scan(Array($0.utf8), isText: false).isEmpty })
        var outcomes = remove(revealing.sorted())
        for path in paths where !revealing.contains(path) {
            if let outcome = replace(in: path, among: paths) { outcomes.append(outcome) }
        }
        return outcomes
    }

    /// - Returns: nil for a file that holds none.
    private mutating func replace(in path: String, among paths: [String]) -> RecordingOutcome? {
        let absolute = "\(root)/\(path)"
        guard let size = FileSize.of(absolute), let bytes = BodyContent.file(path: absolute, size: size).bytes,
            let finding = allowed.first(of: redactor.scan(bytes, isText: true), in: path)
        else { return nil }
        let place = "\(path):\(finding.line):\(finding.column)"
        let isStub = path.hasSuffix(".stub.json")
        let reader = isStub ? nil : reader(of: path, among: paths)
        let content = reader.flatMap { matched(bytes, by: $0) }
        let redaction = isStub ? redactor.learnt(stub(bytes, path)) : content ?? body(bytes, path)
        var transaction = FileTransaction(root: root, beside: earlier)
        do throws(RecordingError) {
            let left = allowed.first(of: redactor.scan(redaction.value, isText: true), in: path)
            guard left == nil, !isStub || (try? JSONParser.check(redaction.value)) != nil else {
                throw RecordingError("\(place) holds \(finding.kind); take it out by hand")
            }
            try transaction.write(redaction.value, to: path)
            var note = "held \(finding.kind) that was learnt later: it is replaced"
            if let reader {
                if content == nil { note += ", and \(reader.path) does not match the request's content any more" }
                if isGuessable(bytes) {
                    let text = reader.unmatched(isMatched: content != nil) { Self.recorded($0, $1, of: reader.path) }
                    try transaction.write(text, to: reader.path)
                } else if content == nil {
                    try transaction.write(reader.unmatched(), to: reader.path)
                }
            }
            try transaction.commit()
            if isStub { noteAsked(from: bytes, to: redaction.value) }
            if let reader, content != nil || isGuessable(bytes) { noteAsked(reader, bytes, redaction.value) }
            return outcome(.changed, path, note, redaction.placeholders)
        } catch {
            return outcome(.refused, path, error.description, [])
        }
    }

    private mutating func noteAsked(from old: [UInt8], to new: [UInt8]) {
        guard let old = try? JSONParser.parse(old), let new = try? JSONParser.parse(new) else { return }
        for (old, new) in zip(old["stubs"]?.array ?? [old], new["stubs"]?.array ?? [new]) {
            guard let key = old["recorded"]?["key"]?.string, let before = old["request"], let request = new["request"]
            else { continue }
            asked[key] = Asked(
                request: JSONWriter.compact(request), isGuessable: replacesGuessable(before, request))
        }
    }

    /// Takes note of a stub whose matcher reads content that was changed.
    private mutating func noteAsked(_ reader: Reader, _ old: [UInt8], _ new: [UInt8]) {
        guard let key = reader.stub["recorded"]?["key"]?.string, let request = reader.stub["request"] else { return }
        asked[key] = Asked(
            request: JSONWriter.compact(FileMatcher.request(request) { _ in new }), isGuessable: isGuessable(old))
    }

    /// Whether a text that was replaced, or a part of it, could be guessed.
    private func replacesGuessable(_ old: JSONNode, _ new: JSONNode) -> Bool {
        if old == new { return false }
        switch (old.value, new.value) {
        case (.object(let old), .object(let new)):
            return zip(old.members, new.members).contains { replacesGuessable($0.value, $1.value) }
        case (.array(let old), .array(let new)): return zip(old, new).contains { replacesGuessable($0, $1) }
        case (.string(let text), _):
            return isGuessable(Array(text.utf8))
        default: return true
        }
    }

    /// Whether a secret in a text could be guessed, or is not one of its words.
    private func isGuessable(_ text: [UInt8]) -> Bool {
        let words = text.split { !Self.word.contains($0) }.filter { !redactor.scan(Array($0), isText: false).isEmpty }
        return words.isEmpty
            || words.contains {
                Credential(place: .elsewhere(.content), name: "", value: Array($0)).isGuessable
            }
    }

    private static let word = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+".utf8)

    /// A stub whose matcher reads a file.
    private struct Reader {
        let path: String
        let text: [UInt8]
        let stub: JSONNode

        /// The text of the stub's file without the matcher; the content stands beside the recording from now on.
        ///
        /// - Parameters:
        ///   - isMatched: whether the matcher stays.
        ///   - settle: takes away the facts of a request that follow from a secret in it.
        func unmatched(
            isMatched: Bool = false, _ settle: (JSONObject, JSONNode) -> JSONObject = { recorded, _ in recorded }
        ) -> [UInt8] {
            var edits: [StubText.Edit] = []
            if !isMatched, let request = stub["request"]?.object {
                let members = request.members.compactMap { member -> JSONObject.Member? in
                    guard member.name == KeyName.bodyPatterns.rawValue else { return member }
                    let others = Array((member.value.array ?? []).dropFirst())
                    return others.isEmpty ? nil : .init(name: member.name, value: .array(others))
                }
                edits.append(StubText.Edit([.request], .request, JSONNode(.object(JSONObject(members)))))
            }
            if let recorded = stub["recorded"]?.object, let file = FileMatcher.file(in: stub["request"]) {
                let beside = JSONObject.Member(name: KeyName.bodyFile.rawValue, value: .string(file))
                let members = recorded.members + (isMatched ? [] : [beside])
                let settled = settle(JSONObject(members), stub["request"] ?? .null)
                edits.append(StubText.Edit([.recorded], .recorded, JSONNode(.object(settled))))
            }
            return StubText.replacing(edits, in: text, stub: stub)
        }
    }

    private func reader(of file: String, among paths: [String]) -> Reader? {
        for path in paths where path.hasSuffix(".stub.json") {
            guard let text = FileReader.contents("\(root)/\(path)"), let node = try? JSONParser.parse(text) else {
                continue
            }
            let stub = (node["stubs"]?.array ?? [node]).first { stub in
                FileMatcher.file(in: stub["request"]).flatMap { RecordedStub.resolved($0, from: path) } == file
            }
            if let stub { return Reader(path: path, text: text, stub: stub) }
        }
        return nil
    }

    /// A request's content that its client still meets without the learnt secrets; nil if no file can say that.
    private func matched(_ content: [UInt8], by reader: Reader) -> Redaction<[UInt8]>? {
        let request = FileMatcher.request(reader.stub["request"] ?? .null) { _ in content }
        let matcher = LateMatchers(redactor: redactor).request(request).flatMap { FileMatcher.matcher(in: $0) }
        return matcher.flatMap(FileMatcher.content).map {
            Redaction($0, placeholders: redactor.learnt(content).placeholders)
        }
    }

    /// A body without the learnt secrets; all else was looked at when it was written, and stays.
    private func body(_ text: [UInt8], _ path: String) -> Redaction<[UInt8]> {
        let mediaType = path.hasSuffix(".json") ? "application/json" : "text/plain"
        return redactor.text(
            text, mediaType: mediaType, of: .response, recorded: RecordedText(text), allowing: allowed.kinds(in: path))
    }

    /// A stub file with matchers that a client still meets.
    private func stub(_ text: [UInt8], _ path: String) -> [UInt8] {
        guard let root = try? JSONParser.parse(text) else { return text }
        let matchers = LateMatchers(redactor: redactor)
        // From the last on, so that those in front keep their places.
        return (root["stubs"]?.array ?? [root]).reversed().reduce(text) { text, stub in
            guard let before = stub["request"], let request = matchers.request(before) else { return text }
            var edits = [StubText.Edit([.request], .request, request)]
            if let recorded = stub["recorded"]?.object, replacesGuessable(before, request) {
                let settled = JSONNode(.object(Self.recorded(recorded, request, of: path)))
                edits.append(StubText.Edit([.recorded], .recorded, settled))
            }
            return StubText.replacing(edits, in: text, stub: stub)
        }
    }

    /// The facts of a request in which a secret stood that could be guessed: the key is of the written request from now on, and
    /// nothing is left that follows from the request as it was.
    ///
    /// The key is not that of the matchers, so that the request is found by these when it is recorded again, as for those widened by hand.
    private static func recorded(_ recorded: JSONObject, _ request: JSONNode, of path: String) -> JSONObject {
        let left = [KeyName.base, .by, .selects, .beside, .sent].map(\.rawValue)
        let members = recorded.members.filter { !left.contains($0.name) }.map { member -> JSONObject.Member in
            guard member.name == KeyName.key.rawValue else { return member }
            let text = Array("\(path)\n".utf8) + JSONWriter.compact(request)
            return .init(name: member.name, value: .string(ContentHash.of(text).hexadecimal))
        }
        return JSONObject(members)
    }

    /// Whether a secret that could be guessed stands in the request of a stub.
    func revealsGuessable(in path: String) -> Bool {
        guard let text = FileReader.contents("\(root)/\(path)"), let node = try? JSONParser.parse(text) else {
            return false
        }
        let matchers = LateMatchers(redactor: redactor)
        return (node["stubs"]?.array ?? [node]).contains { stub in
            guard let before = stub["request"], let request = matchers.request(before) else { return false }
            return replacesGuessable(before, request)
        }
    }

    /// Removes files whose names hold a secret, all or none.
    private func remove(_ paths: [String]) -> [RecordingOutcome] {
        guard !paths.isEmpty else { return [] }
        var transaction = FileTransaction(root: root, beside: earlier)
        for path in paths { transaction.remove(path) }
        var note =
            "its name held a secret that was learnt later: it is removed; first make the request that reveals the secret"
        do throws(RecordingError) {
            try transaction.commit()
            FixtureRoot.removeEmptyFolders(of: paths, in: root)
        } catch {
            note = error.description
        }
        return paths.map { path in
            outcome(.refused, ShownTarget.text(path, redactor), note, [])
        }
    }

    private func outcome(
        _ kind: RecordingOutcome.Kind, _ path: String, _ note: String, _ redacted: [String]
    ) -> RecordingOutcome {
        RecordingOutcome(
            kind, request: path, origin: "", files: kind == .refused ? [] : [path], redacted: redacted, notes: [note])
    }
}
