// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiStubMatching

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Puts a miss into words: the request, the nearest fixture and how it differs, and the next step.
struct MissReport {
    /// Bytes of a report; a longer one is cut, and says so. 64 KiB.
    static let limit = 64 * 1024
    private static let cutNote = "this report is longer than 64 KiB, and is cut"

    private let miss: Miss

    init(_ miss: Miss) {
        self.miss = miss
    }

    /// The response, in the form the client prefers.
    ///
    /// - Parameter text: the report as plain text.
    func response(for head: borrowing RequestHead, text: [UInt8]) -> Response {
        let isHead = head.equals(head.method, "HEAD")
        var fields = [PlainResponse.readableByPages]
        if !miss.allowed.isEmpty { fields.append(WireField("Allow", miss.allowed.joined(separator: ", "))) }
        if Self.prefersJSON(head) {
            return PlainResponse.content(
                miss.status, "application/problem+json", problemText, fields: fields, isHead: isHead)
        }
        return PlainResponse.content(miss.status, PlainResponse.plainText, text, fields: fields, isHead: isHead)
    }

    /// Whether Accept weighs some JSON above plain text (RFC 9110 §12.5.1); a client that takes anything gets text.
    private static func prefersJSON(_ head: borrowing RequestHead) -> Bool {
        var json = 0
        var text = 0
        for field in head.fields where head.equalsIgnoringCase(field.name, "accept") {
            for member in WeightedList.parse(head.string(field.value)) {
                if member.value == "application/json" || member.value.hasSuffix("+json") {
                    json = max(json, member.weight)
                } else if member.value == "text/plain" || member.value == "text/*" {
                    text = max(text, member.weight)
                }
            }
        }
        return json > text
    }

    // MARK: Words

    /// The target of the request, as it may be shown.
    private var target: String { Confidential.target(miss.target).printable }

    /// The fixture directory as seen from the server's own: its place on the machine is not for every reader of a miss.
    private var directory: String {
        RelativePath.text(of: miss.fixtures.root, from: FileManager.default.currentDirectoryPath).printable
    }

    private var heading: String {
        let method = miss.method.printable
        if !miss.allowed.isEmpty {
            return
                "\(target) exists, but not for \(method): it answers \(miss.allowed.joined(separator: ", "))"
        }
        if miss.isHandshake {
            return "nothing answers \(method) \(target): it is the handshake of a WebSocket, which cannot be served yet"
        }
        return "nothing answers \(method) \(target)"
    }

    private func file(_ ordinal: Int) -> String {
        let stub = miss.fixtures.stubs[ordinal]
        return (stub.name.map { "\(stub.place.path) (\"\($0)\")" } ?? stub.place.path).printable
    }

    private func file(_ near: NearMiss) -> String {
        switch near.subject {
        case .stub(let ordinal): file(ordinal)
        case .file: near.path.printable
        }
    }

    /// The reasons why stubs that match in all conditions were passed over.
    private var obstacles: [String] {
        (miss.unserved.map { ["a file lies at this path, and is not served: \($0)"] } ?? [])
            + miss.exhausted.map { ordinal in
                let steps = miss.fixtures.stubs[ordinal].responses.count
                let count = steps == 1 ? "its one step has" : "all of its \(steps) steps have"
                return "\(file(ordinal)) matches, but its sequence is consumed: \(count) been given out"
                    + " (afterLast: unmatched)"
            }
            + miss.waiting.map { "\(file($0.ordinal)) matches, but in another state: \($0.difference.text)" }
            + miss.unknown.map {
                "\(file($0.ordinal)) matches, but was recorded with \(RecordedPlaces.others($0.places))"
            }
            + miss.exceeding.map { "\(file($0.stub)) \(reason($0.tests))" }
    }

    /// Why tests of a stub were given up, the request's other work aside.
    private func reason(_ tests: GivenUp) -> String {
        if tests.contains(.pattern) {
            return "has a pattern that was given up: it takes more than \(PatternLimits.steps) steps on this value"
        }
        guard tests.contains(.comparison) else {
            return "asks for \(tests.words), which was given up: it takes more steps than allowed on this request"
        }
        return "asks for JSON whose comparison was given up: "
            + (miss.isTooLarge
                ? "this body \(JSONLimits.tooLarge)"
                : "it takes more than \(JSONLimits.steps) steps on this body")
    }

    private var advice: [String] {
        var advice: [String] = []
        if miss.isHandshake {
            return [
                "let the client do without it: WebSocket messages are neither served nor recorded yet",
                "mockapi check \(directory) reports mistakes in the fixtures",
            ]
        }
        if !miss.exhausted.isEmpty {
            advice.append(
                "let the sequence go on: \"afterLast\": \"repeat\" or \"restart\", or one more step in \"responses\"")
        }
        if let waiting = miss.waiting.first {
            advice.append(
                "bring the scenario to \(waiting.difference.expected): by the requests that lead there, or by \(stateTarget(waiting.ordinal))"
            )
        }
        if !miss.allowed.isEmpty {
            advice.append("send one of \(miss.allowed.joined(separator: ", "))")
        } else if !miss.nearest.isEmpty {
            advice.append("if the request is wrong, change what differs above in the client")
        }
        if let varying { advice.append(varying) }
        if miss.fixtures.root.isEmpty {
            advice.append("if the stub is missing, add it: \(StubSuggestion(miss).code)")
        } else {
            let suggestion = StubSuggestion(miss)
            advice.append(
                suggestion.plainFile.map { "if the fixture is missing, add the file \($0)" }
                    ?? "if the fixture is missing, add a stub such as \(suggestion.text)\n")
            advice.append("mockapi check \(directory) reports mistakes in the fixtures")
        }
        return advice
    }

    /// Advice if only a value or two differ from a recorded request; nil if more does.
    private var varying: String? {
        if let unknown = miss.unknown.first { return RecordedPlaces.advice(on: unknown.places) }
        guard let near = miss.nearest.first, case .stub(let ordinal) = near.subject,
            miss.fixtures.stubs[ordinal].isRecorded
        else { return nil }
        let names = RecordedPlaces.names(near.differences, in: miss.content.bytes)
        return names.isEmpty ? nil : RecordedPlaces.advice(names)
    }

    /// The request that sets the scenario of a stub to the state that it needs.
    private func stateTarget(_ ordinal: Int) -> String {
        let part = miss.fixtures.stubs[ordinal].scenario
        let name = PercentCoding.segment(part?.name ?? "")
        let content = JSONNode.object(["state": .string(part?.required ?? "")])
        return
            "PUT /__admin/scenarios/\(name)/state with \(String(decoding: JSONWriter.compact(content), as: UTF8.self))"
            .printable
    }

    var text: String {
        let counts = Counts(stubs: miss.fixtures.stubs.count, files: miss.fixtures.files.count)
        var lines = ["\(miss.status): \(wireMockWords(counts))\(heading)", ""]
        lines += obstacles.isEmpty ? [] : obstacles + [""]
        if miss.nearest.isEmpty {
            let place = miss.fixtures.root.isEmpty ? "" : ": \(directory) is empty"
            lines += counts.isEmpty ? ["There are no stubs and no files\(place).", ""] : []
        } else {
            lines += ["Nearest of \(counts):", ""]
            for (index, near) in miss.nearest.enumerated() {
                lines.append("\(index + 1). \(file(near))")
                lines += near.differences.map { "     \($0.text)" } + [""]
            }
        }
        lines.append("What to do next:")
        lines += advice.enumerated().map { "\($0.offset + 1). \($0.element)" }
        return Self.cut(lines.joined(separator: "\n") + "\n", to: Self.limit, "\n… \(Self.cutNote)\n")
    }

    /// The words that the users of a WireMock root look for in a log.
    private func wireMockWords(_ counts: Counts) -> String {
        guard miss.fixtures.dialect == .wireMock else { return "" }
        return counts.isEmpty
            ? "No response could be served as there are no stub mappings: " : "Request was not matched: "
    }

    /// The beginning of a text that is too long, with a note in the place of the rest.
    private static func cut(_ text: String, to limit: Int, _ note: String) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit - note.utf8.count)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + note
    }

    /// The same on one line, for the log.
    var short: String {
        if let ordinal = miss.exhausted.first { return "sequence consumed: \(miss.fixtures.stubs[ordinal].place.path)" }
        if let waiting = miss.waiting.first {
            return "\(miss.fixtures.stubs[waiting.ordinal].place.path): \(waiting.difference.text)"
        }
        if let unknown = miss.unknown.first {
            return
                "\(miss.fixtures.stubs[unknown.ordinal].place.path) was recorded with \(RecordedPlaces.others(unknown.places))"
        }
        if let exceeding = miss.exceeding.first {
            return "\(exceeding.tests.noun) given up: \(miss.fixtures.stubs[exceeding.stub].place.path)"
        }
        if miss.isHandshake { return "the handshake of a WebSocket, which cannot be served yet" }
        if let unserved = miss.unserved { return "a file lies there, and is not served: \(unserved)" }
        guard let near = miss.nearest.first else { return "no stubs and no files" }
        let first = near.differences.first.map { " (\($0.text)\(near.differences.count > 1 ? ", …" : ""))" } ?? ""
        return "nearest: \(near.path)\(first)"
    }

    // MARK: JSON

    /// The document, with as many differences of each near miss, and as much of each text, as there is room for.
    private var problemText: [UInt8] {
        let whole = JSONWriter.pretty(problem(differences: .max, textLimit: .max))
        if whole.count < Self.limit { return whole + [UInt8(ascii: "\n")] }
        for differences in [20, 5, 1] {
            let text = JSONWriter.pretty(problem(differences: differences, textLimit: 4096))
            if text.count < Self.limit { return text + [UInt8(ascii: "\n")] }
        }
        return JSONWriter.pretty(problem(differences: 0, textLimit: 512)) + [UInt8(ascii: "\n")]
    }

    /// RFC 9457, with the near misses as an extension member.
    ///
    /// - Parameters:
    ///   - count: how many differences of each are reported at most.
    ///   - textLimit: bytes of each text at most.
    private func problem(differences count: Int, textLimit: Int) -> JSONNode {
        let shown = { (text: String) in JSONNode.string(Self.cut(text, to: textLimit, "…")) }
        let title = StatusReason.phrase(miss.status)
        let members: [JSONObject.Member] = [
            .init(name: "type", value: .string("about:blank")), .init(name: "title", value: .string(title)),
            .init(name: "status", value: .integer(miss.status)), .init(name: "detail", value: shown(heading)),
            .init(name: "instance", value: shown(target)),
            .init(name: "obstacles", value: .array(obstacles.prefix(count).map(shown))),
            .init(name: "nearest", value: .array(miss.nearest.map { nearest($0, count, shown) })),
            .init(name: "advice", value: .array(advice.map(shown))),
        ]
        let note = count == .max ? [] : [JSONObject.Member(name: "cut", value: .string(Self.cutNote))]
        return JSONNode(.object(JSONObject(members + note)))
    }

    private func nearest(_ near: NearMiss, _ count: Int, _ shown: (String) -> JSONNode) -> JSONNode {
        .object([
            "file": shown(near.path),
            "name": name(near).map(shown) ?? .null,
            "differences": .array(
                near.differences.prefix(count).map { difference in
                    .object([
                        "field": shown(difference.field), "expected": shown(difference.expected),
                        "actual": shown(difference.actual), "text": shown(difference.text),
                    ])
                }),
        ])
    }

    private func name(_ near: NearMiss) -> String? {
        if case .stub(let ordinal) = near.subject { miss.fixtures.stubs[ordinal].name } else { nil }
    }
}

/// One absolute path seen from another.
enum RelativePath {
    static func text(of path: String, from directory: String) -> String {
        let target = path.split(ascii: "/")
        let start = directory.split(ascii: "/")
        var common = 0
        while common < min(target.count, start.count), target[common] == start[common] { common += 1 }
        let way = Array(repeating: "..", count: start.count - common) + target[common...].map(String.init)
        return way.isEmpty ? "." : way.joined(separator: "/")
    }
}
