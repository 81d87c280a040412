// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension Report {
    /// One object, as `ReportSchema` describes it.
    package var json: [UInt8] {
        var members = head
        members += [
            .init(name: "startedAt", value: .string(timestamp)), .init(name: "duration", value: Self.seconds(duration)),
        ]
        if let exitCode { members.append(.init(name: "exitCode", value: .integer(exitCode))) }
        if !facts.isEmpty {
            let facts = facts.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
            members.append(.init(name: "facts", value: JSONNode(.object(JSONObject(facts)))))
        }
        let counts = Case.Result.allCases.map { JSONObject.Member(name: $0.rawValue, value: .integer(count($0))) }
        members.append(.init(name: "summary", value: JSONNode(.object(JSONObject(counts)))))
        members.append(
            .init(name: "verdicts", value: .array(cases.map { JSONNode(.object(JSONObject(Self.members($0)))) })))
        return JSONWriter.pretty(JSONNode(.object(JSONObject(members)))) + [UInt8(ascii: "\n")]
    }

    /// A line for each verdict, each with its subject: lines of several runs are joined by putting one behind the other.
    package var jsonLines: [UInt8] {
        cases.flatMap { one in
            JSONWriter.compact(JSONNode(.object(JSONObject(head + Self.members(one))))) + [UInt8(ascii: "\n")]
        }
    }

    private var head: [JSONObject.Member] {
        [
            .init(name: "schemaVersion", value: .integer(Self.schemaVersion)),
            .init(name: "command", value: .string(command)), .init(name: kind, value: .string(subject)),
        ]
    }

    private static func members(_ one: Case) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = [
            .init(name: "id", value: .string(one.id)), .init(name: "title", value: .string(one.title)),
        ]
        members += one.members
        members.append(.init(name: "verdict", value: .string(one.word ?? one.result.rawValue)))
        if one.word != nil { members.append(.init(name: "result", value: .string(one.result.rawValue))) }
        members += [
            .init(name: "expected", value: .string(one.expected)), .init(name: "seen", value: .string(one.seen)),
            .init(name: "note", value: .string(one.note)), .init(name: "duration", value: seconds(one.duration)),
        ]
        if let place = one.place {
            members.append(
                .init(
                    name: "place",
                    value: .object([
                        "file": .string(place.file), "line": .integer(place.line), "column": .integer(place.column),
                    ])))
        }
        if let request = one.request {
            let headers = request.headers.map { JSONNode.array([.string($0.name), .string($0.value)]) }
            members += [
                .init(
                    name: "request",
                    value: .object([
                        "method": .string(request.method), "url": .string(request.url), "headers": .array(headers),
                        "bodySize": .integer(request.body?.count ?? 0),
                    ])),
                .init(name: "curl", value: .string(request.curl)),
            ]
        }
        if !one.details.isEmpty {
            let details = one.details.map { JSONObject.Member(name: $0.name, value: .string($0.text)) }
            members.append(.init(name: "details", value: JSONNode(.object(JSONObject(details)))))
        }
        return members
    }

    /// A number of seconds, as JUnit XML has it.
    private static func seconds(_ time: Double) -> JSONNode {
        let text = JUnitReport.seconds(time)
        return (try? JSONParser.parse(Array(text.utf8))) ?? .integer(0)
    }
}
