// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
package import MockapiDrift
package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// A fixture as it is verified: a stub, or a plain file.
package struct VerifiedFixture: Sendable {
    package enum Source: Sendable {
        case stub(Stub)
        case file(PlainFile)
    }

    package let source: Source
    /// The stub file, or the plain file itself; relative to the fixture directory.
    package let path: String
    /// Where the stub begins in its file.
    package let line: Int
    /// The name in reports: its path, and its line if the file has several stubs.
    package var name: String
    /// The stub as it was written; nil for a file.
    let written: JSONNode?

    package init(_ stub: Stub) {
        source = .stub(stub)
        written = stub.source
        path = stub.place.path
        line = stub.place.line
        name = path
    }

    package init(_ file: PlainFile) {
        source = .file(file)
        written = nil
        path = file.path
        line = 1
        name = path
    }

    /// The fixtures of a directory in the order they were recorded in; those without a date keep theirs, after them.
    package static func all(of set: FixtureSet) -> [VerifiedFixture] {
        // A guard has no response of its own.
        var fixtures = set.stubs.filter { !$0.isGuard }.map(VerifiedFixture.init)
        fixtures += set.files.filter { !$0.path.hasSuffix(".contract.json") }.map(VerifiedFixture.init)
        let counts = Dictionary(fixtures.map { ($0.path, 1) }, uniquingKeysWith: +)
        for index in fixtures.indices where counts[fixtures[index].path] ?? 0 > 1 {
            fixtures[index].name += ":\(fixtures[index].line)"
        }
        let dated = fixtures.enumerated().filter { $0.element.recordedAt != nil }.sorted { left, right in
            let (one, other) = (left.element.recordedAt ?? "", right.element.recordedAt ?? "")
            return one == other ? left.offset < right.offset : one < other
        }
        return dated.map(\.element) + fixtures.filter { $0.recordedAt == nil }
    }

    package var stub: Stub? {
        if case .stub(let stub) = source { stub } else { nil }
    }

    var recorded: JSONNode? { written?["recorded"] }

    /// When the stub is chosen among those for one request: the scenario's states and the priority.
    var situation: String {
        ["scenarioName", "requiredScenarioState", "newScenarioState", "priority"].compactMap { name in
            written?[name].map { "\(name)=" + String(decoding: JSONWriter.compact($0), as: UTF8.self) }
        }.joined(separator: " ")
    }

    /// Tells it from the others of its file, however the file is ordered and whatever values follow in its request.
    var identity: String {
        [label, situation].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// When it was recorded, in RFC 3339 form.
    package var recordedAt: String? { recorded?["at"]?.string }
    /// The origin it was recorded from.
    package var origin: String? { recorded?["from"]?.string }
    /// Tells its request from others, if it was recorded.
    package var key: String? { recorded?["key"]?.string }
    /// Whether the stub asks to be verified; nil if it does not say.
    var verify: Bool? { written?["verify"]?.bool }

    /// The pointers of values that later requests need, by their names.
    var captures: [(name: String, pointer: String)] {
        (written?["capture"]?.object?.members ?? []).compactMap { member in
            member.value.string.map { (member.name, $0) }
        }
    }

    /// How the live response is held against it; nil if no response of it can be: all are faults, or a body cannot be read.
    func comparison(root: String) -> ResponseComparison? {
        var comparison = ResponseComparison(recorded: samples)
        guard !comparison.recorded.isEmpty else { return nil }
        let marks = recorded?["volatile"]?.array ?? []
        comparison.volatileHeaders = marks.compactMap { $0["header"]?.string }
        // How JSON is written is not a value; times and similar values differ each time, and keep their form.
        let formed: Set<String> = ["timestamp", "uuid", "counter", "signed URL"]
        for mark in marks {
            guard let path = mark["path"]?.string, let kind = mark["kind"]?.string ?? .some("value"), kind != "text"
            else { continue }
            if formed.contains(kind) {
                comparison.movingPaths.append(path)
            } else {
                comparison.volatilePaths.append(path)
            }
        }
        if let pins = written?["contract"] {
            comparison.pins = ContractPins(pins)
        } else if stub == nil,
            let text = FileReader.contents("\(root)/\(path).contract.json")
                ?? FileReader.contents("\(root)/\(Self.withoutExtension(path)).contract.json"),
            let pins = try? JSONParser.parse(text)
        {
            comparison.pins = ContractPins(pins)
        }
        return comparison
    }

    private static func withoutExtension(_ path: String) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return path[start...].lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }

    /// The responses of the fixture, a sample for each step.
    package var samples: [ResponseSample] {
        switch source {
        case .file(let file):
            guard let bytes = file.body.bytes else { return [] }
            var sample = ResponseSample(status: 200, headers: [("Content-Type", file.mediaType)], body: bytes)
            sample.hasAllHeaders = false
            sample.impliesContentType = true
            return [sample]
        case .stub(let stub):
            return stub.responses.indices.compactMap { sample(stub, $0) }
        }
    }

    private func sample(_ stub: Stub, _ index: Int) -> ResponseSample? {
        let response = stub.responses[index]
        guard response.fault == nil, response.proxy == nil, stub.resource == nil, let bytes = response.body.bytes else {
            return nil
        }
        // As live lines are read: each is UTF-8, or else ISO 8859-1.
        var headers = response.headers.map { line in
            (line.name, response.isLatin1 ? Latin1.read(Latin1.bytes(line.value)).text : line.value)
        }
        if let coding = response.contentEncoding, !headers.contains(where: { $0.0.lowercased() == "content-encoding" })
        {
            headers.append(("Content-Encoding", coding.rawValue))
        }
        var sample = ResponseSample(status: response.status, headers: headers, body: bytes, index: index)
        if let templates = response.templates { TemplateShape.apply(templates, to: &sample) }
        sample.isWithoutBody = stub.request.method == "HEAD" || [204, 304].contains(response.status)
        sample.hasAllHeaders = recorded != nil
        sample.impliesContentType = !FixtureSites.hasLine("content-type", in: written, step: index)
        sample.origin = origin
        return sample
    }
}
