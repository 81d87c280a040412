// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPWire
import JSONText
import StubMatching

/// Puts a miss into words: what was asked, what was nearest and how it differs, what to do next.
struct MissReport {
    private let miss: Miss

    init(_ miss: Miss) {
        self.miss = miss
    }

    /// The answer, in the form the client prefers.
    func plan(for head: borrowing RequestHead) -> ResponsePlan {
        let isHead = head.equals(head.method, "HEAD")
        let allow = miss.allowed.isEmpty ? [] : [WireField("Allow", miss.allowed.joined(separator: ", "))]
        if Self.prefersJSON(head) {
            let json = JSONWriter.pretty(problem) + [UInt8(ascii: "\n")]
            return PlainAnswer.content(miss.status, "application/problem+json", json, fields: allow, isHead: isHead)
        }
        return PlainAnswer.text(miss.status, text, fields: allow, isHead: isHead)
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

    private var heading: String {
        if !miss.allowed.isEmpty {
            return
                "\(miss.target) is there, but not for \(miss.method): it answers \(miss.allowed.joined(separator: ", "))"
        }
        return "nothing answers \(miss.method) \(miss.target)"
    }

    private func file(_ ordinal: Int) -> String {
        let stub = miss.fixtures.stubs[ordinal]
        return stub.name.map { "\(stub.place.path) (\"\($0)\")" } ?? stub.place.path
    }

    private func file(_ near: NearMiss) -> String {
        switch near.subject {
        case .stub(let ordinal): file(ordinal)
        case .file: near.path
        }
    }

    /// What kept stubs from answering that match in all they ask.
    private var obstacles: [String] {
        miss.exhausted.map { ordinal in
            let steps = miss.fixtures.stubs[ordinal].responses.count
            let count = steps == 1 ? "its one step" : "all of its \(steps) steps"
            return "\(file(ordinal)) matches, but its sequence is consumed: \(count) have been given out"
                + " (afterLast: unmatched)"
        }
            + miss.exceeding.map {
                "\(file($0)) has a pattern that was given up: it takes more than \(PatternLimits.matches) steps on this value"
            }
    }

    private var advice: [String] {
        var advice: [String] = []
        if !miss.exhausted.isEmpty {
            advice.append(
                "let the sequence go on: \"afterLast\": \"repeat\" or \"restart\", or one more step in \"responses\"")
        }
        if !miss.allowed.isEmpty {
            advice.append("send one of \(miss.allowed.joined(separator: ", "))")
        } else if !miss.nearest.isEmpty {
            advice.append("if the request is wrong, change what differs above in the client")
        }
        advice.append("if the fixture is missing, add a stub such as \(suggestedFile):\n\n\(suggestedStub)\n")
        if !miss.fixtures.root.isEmpty {
            advice.append("mockapi check \(miss.fixtures.root) reports what is wrong with the fixtures")
        }
        return advice
    }

    /// A name that mirrors the URL.
    private var suggestedFile: String {
        let path = miss.target.prefix { $0 != "?" }
        let names = path.split(separator: "/").map { segment in
            String(segment.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
        }
        return (names.isEmpty ? ["index"] : names.filter { $0 != "." && $0 != ".." }).joined(separator: "/")
            + ".stub.json"
    }

    private var suggestedStub: String {
        var request: [JSONObject.Member] = [
            .init(name: "method", value: .string(miss.method)),
            .init(name: "urlPath", value: .string(String(miss.target.prefix { $0 != "?" }))),
        ]
        if !suggestedParameters.isEmpty {
            request.append(.init(name: "queryParameters", value: JSONNode(.object(JSONObject(suggestedParameters)))))
        }
        let stub = JSONNode.object([
            "request": JSONNode(.object(JSONObject(request))),
            "response": .object(["status": .integer(200), "jsonBody": .object([:])]),
        ])
        return String(decoding: JSONWriter.pretty(stub), as: UTF8.self)
            .split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }

    /// Each query parameter once, equal to its first value.
    private var suggestedParameters: [JSONObject.Member] {
        guard let question = miss.target.firstIndex(of: "?") else { return [] }
        var members: [JSONObject.Member] = []
        for (name, value) in AdminQuery.pairs(String(miss.target[miss.target.index(after: question)...]))
        where !members.contains(where: { $0.name == name }) {
            members.append(.init(name: name, value: .object(["equalTo": .string(value)])))
        }
        return members
    }

    var text: String {
        var lines = ["\(miss.status): \(heading)", ""]
        lines += obstacles.isEmpty ? [] : obstacles + [""]
        let counts = Counts(stubs: miss.fixtures.stubs.count, files: miss.fixtures.files.count)
        if miss.nearest.isEmpty {
            let place = miss.fixtures.root.isEmpty ? "" : ": \(miss.fixtures.root) is empty"
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
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same on one line, for the log.
    var short: String {
        if let ordinal = miss.exhausted.first { return "sequence consumed: \(miss.fixtures.stubs[ordinal].place.path)" }
        if let ordinal = miss.exceeding.first { return "pattern given up: \(miss.fixtures.stubs[ordinal].place.path)" }
        guard let near = miss.nearest.first else { return "no stubs and no files" }
        let first = near.differences.first.map { " (\($0.text)\(near.differences.count > 1 ? ", …" : ""))" } ?? ""
        return "nearest: \(near.path)\(first)"
    }

    // MARK: JSON

    /// RFC 9457, with the near misses as an extension member.
    private var problem: JSONNode {
        let title = StatusReason.phrase(miss.status)
        return .object([
            "type": .string("about:blank"), "title": .string(title), "status": .integer(miss.status),
            "detail": .string(heading), "instance": .string(miss.target),
            "obstacles": .array(obstacles.map(JSONNode.string)),
            "nearest": .array(miss.nearest.map(nearest)),
            "advice": .array(advice.map(JSONNode.string)),
        ])
    }

    private func nearest(_ near: NearMiss) -> JSONNode {
        .object([
            "file": .string(near.path),
            "name": name(near).map(JSONNode.string) ?? .null,
            "differences": .array(
                near.differences.map { difference in
                    .object([
                        "field": .string(difference.field), "expected": .string(difference.expected),
                        "actual": .string(difference.actual), "text": .string(difference.text),
                    ])
                }),
        ])
    }

    private func name(_ near: NearMiss) -> String? {
        if case .stub(let ordinal) = near.subject { miss.fixtures.stubs[ordinal].name } else { nil }
    }
}
