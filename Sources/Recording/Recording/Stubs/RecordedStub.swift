// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// A stub of the fixture directory that was recorded.
struct RecordedStub {
    /// The stub file, relative to the fixture directory.
    let path: String
    /// Its place in a file with several stubs; nil if the file is the stub.
    let ordinal: Int?
    private(set) var node: JSONNode
    /// Its `request`, with the content that stands in a file in the place of the file's name.
    let request: JSONNode?
    let key: String
    /// The key of its family: of its request without the values that distinguish it from others with other responses.
    let base: String
    /// The places that distinguish it from others of its family.
    let places: [SentPlace]
    /// Those of them that select by the user's word.
    let selected: [SentPlace]
    /// The digests of its requests; nil if there are none.
    let sent: SentDigests?
    let origin: String
    let volatile: [VolatilePath]
    /// Names of header lines whose values are volatile.
    let volatileLines: [String]
    /// One for a stub with a plain `response`.
    private(set) var steps: [RecordedStep]
    /// Whether it stands in its file, or is about to be.
    private(set) var isWritten = true

    /// - Parameters:
    ///   - root: the fixture directory.
    ///   - request: the `request` with the content of its file; nil if that is to be read.
    /// - Returns: nil for a stub that was not recorded, or not by this format's recorder.
    init?(_ node: JSONNode, path: String, ordinal: Int?, root: String, request known: JSONNode? = nil) {
        guard let recorded = node["recorded"], let key = recorded["key"]?.string else { return nil }
        self.node = node
        self.path = path
        self.ordinal = ordinal
        self.key = key
        origin = recorded["from"]?.string ?? ""
        request =
            known
            ?? node["request"].map { request in
                FileMatcher.request(request) { name in
                    Self.resolved(name, from: path).flatMap { FileReader.contents("\(root)/\($0)") }
                }
            }
        sent = SentDigests(recorded)
        (base, places) = Self.family(request ?? .null, recorded, key: key, origin: origin)
        selected = (recorded["selects"]?.array ?? []).compactMap { $0.string.flatMap(SentPlace.init) }
        volatile = (recorded["volatile"]?.array ?? []).compactMap { VolatilePath($0) }
        volatileLines = (recorded["volatile"]?.array ?? []).compactMap { $0["header"]?.string }
        let folder = Self.folder(of: path, root)
        let nodes = node["responses"]?.array ?? node["response"].map { [$0] } ?? []
        steps = nodes.map { RecordedStep($0, folder: folder) }
    }

    /// The family of a stub; if it was recorded before they were written, by the header lines that the response's Vary named.
    private static func family(
        _ request: JSONNode, _ recorded: JSONNode, key: String, origin: String
    ) -> (base: String, places: [SentPlace]) {
        if let base = recorded["base"]?.string {
            return (base, (recorded["by"]?.array ?? []).compactMap { $0.string.flatMap(SentPlace.init) })
        }
        if RequestKey.of(request, origin: origin) != key { return (key, []) }
        let names = (request["headers"]?.object?.members ?? []).map { $0.name.lowercased() }
        return (
            RequestKey.base(request, origin: origin),
            names.filter { RequestHeaders.mayVary($0) }.map { .header($0) }
        )
    }

    /// Whether the matching differs from the derived one.
    var isWidened: Bool {
        guard let request else { return true }
        return RequestKey.of(request, origin: origin) != key
    }

    /// Whether its request had content.
    var hasContent: Bool {
        return node["recorded"]?["bodyFile"] != nil || request?["bodyPatterns"] != nil
            || request?["multipartPatterns"] != nil || request?["formParameters"] != nil
    }

    /// A stub as it is to be written: the steps are known, and the node has one of them at most.
    ///
    /// - Parameters:
    ///   - request: the request of a new stub, with the content of its file.
    ///   - old: the stub that it replaces; nil if it is new.
    /// - Returns: nil for a node that no recorder of this format has made.
    init?(_ node: JSONNode, steps: [RecordedStep], path: String, request: JSONNode, inPlaceOf old: RecordedStub?) {
        let bare = node.object.map { object in
            JSONNode(.object(JSONObject(object.members.filter { !Self.stepKeys.contains($0.name) })))
        }
        self.init(bare ?? node, path: path, ordinal: old?.ordinal, root: "", request: old?.request ?? request)
        self.node = node
        self.steps = steps
        isWritten = old?.isWritten ?? false
    }

    /// The stub once it is written.
    ///
    /// - Parameter node: as it stands in its file.
    func written(_ node: JSONNode, root: String) -> RecordedStub {
        var stub = self
        let folder = Self.folder(of: path, root)
        stub.node = node
        stub.steps = steps.map { $0.written(in: folder) }
        stub.isWritten = true
        return stub
    }

    /// The names of the members that hold steps.
    private static let stepKeys = [KeyName.response.rawValue, KeyName.responses.rawValue]

    /// The member that holds steps.
    func responses(_ steps: [RecordedStep]) -> (key: KeyName, value: JSONNode) {
        StubWriter.responses(steps.map(\.node), isSequence: node["afterLast"] != nil)
    }

    /// The node with other steps, and another `recorded`.
    func node(_ steps: [RecordedStep], recorded: JSONNode) -> JSONNode {
        let responses = responses(steps)
        let members = (node.object?.members ?? []).map { member -> JSONObject.Member in
            if Self.stepKeys.contains(member.name) {
                return .init(name: responses.key.rawValue, value: responses.value)
            }
            return member.name == KeyName.recorded.rawValue ? .init(name: member.name, value: recorded) : member
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The name of the file of the request's content, as the stub writes it: one that a matcher reads, or that stands beside the recording.
    var contentFile: String? { FileMatcher.file(in: node["request"]) ?? node["recorded"]?["bodyFile"]?.string }

    /// The folder of a stub file, absolute.
    static func folder(of path: String, _ root: String) -> String {
        guard let slash = path.lastIndex(ascii: "/") else { return root }
        return "\(root)/\(path[..<slash])"
    }

    /// The path of a file that the stub names, relative to the fixture directory; nil if it leads out of it.
    func resolved(_ name: String) -> String? {
        Self.resolved(name, from: path)
    }

    /// The path of a file that the stub at a path names, relative to the fixture directory; nil if it leads out of it.
    static func resolved(_ name: String, from path: String) -> String? {
        var parts = path.split(ascii: "/").dropLast().map(String.init)
        for part in name.split(ascii: "/") {
            switch part {
            case ".": continue
            case "..": if parts.popLast() == nil { return nil }
            default: parts.append(String(part))
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// The response of a step, or of the last if there are fewer.
    func response(of step: Int) -> RecordedResponse? {
        (steps.indices.contains(step) ? steps[step] : steps.last)?.response
    }

    /// A path as the stub at another writes it.
    static func relative(_ path: String, to stub: String) -> String {
        let folder = stub.split(ascii: "/").dropLast()
        let parts = path.split(ascii: "/")
        let common = zip(folder, parts.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: Substring(".."), count: folder.count - common)
        return (up + parts.dropFirst(common)).joined(separator: "/")
    }

    /// The file that a step is called by: its body's if it has one.
    func shownFile(_ step: Int) -> String {
        response(of: step)?.bodyFile.flatMap { resolved($0) } ?? path
    }
}
