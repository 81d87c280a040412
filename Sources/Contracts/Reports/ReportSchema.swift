// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// The JSON Schema (draft 2020-12) of a whole report, and, below `$defs`, of a line of the line format.
package enum ReportSchema {
    /// The identifier of the schema, wherever a copy of it lies.
    package static let id = "urn:mockapi:report"

    /// The schema as text, with a line end.
    package static var json: String {
        String(decoding: JSONWriter.pretty(node) + [UInt8(ascii: "\n")], as: UTF8.self)
    }

    package static var node: JSONNode {
        object(
            [
                ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("$id", .string(id)),
                ("title", .string("mockapi report")),
                (
                    "description",
                    .string(
                        "The findings of a command of mockapi (--json); a file of lines has a #/$defs/line "
                            + "in each.")
                ),
                ("type", .string("object")),
                ("required", strings(["schemaVersion", "command", "startedAt", "duration", "summary", "verdicts"])),
                (
                    "properties",
                    object(
                        head + [
                            ("startedAt", text("When it began, in UTC: 2026-11-18T11:06:40Z.")),
                            ("duration", seconds("How long all of it took, in seconds.")),
                            ("exitCode", integer("What the command ends with.", from: 0)),
                            ("facts", textMap("What else is known, by name.")),
                            (
                                "summary",
                                object([
                                    ("type", .string("object")), ("required", strings(results)),
                                    ("properties", object(results.map { ($0, integer("How many.", from: 0)) })),
                                    ("additionalProperties", .bool(false)),
                                ])
                            ),
                            (
                                "verdicts",
                                object([
                                    ("type", .string("array")),
                                    ("items", object([("$ref", .string("#/$defs/verdict"))])),
                                ])
                            ),
                        ])
                ), ("$defs", object([("verdict", verdict), ("line", line)])),
            ])
    }

    private static let results = Report.Case.Result.allCases.map(\.rawValue)

    private static var head: [(String, JSONNode)] {
        [
            ("schemaVersion", object([("const", .integer(Report.schemaVersion))])),
            ("command", text("The command without mockapi.")), ("client", text("The client that is judged.")),
            ("fixtures", text("The fixtures that were served.")), ("service", text("The service that is judged.")),
        ]
    }

    private static var verdict: JSONNode {
        object([
            ("type", .string("object")),
            ("required", strings(["id", "title", "verdict", "expected", "seen", "note", "duration"])),
            ("properties", object(members)),
        ])
    }

    private static var line: JSONNode {
        object([
            ("$ref", .string("#/$defs/verdict")), ("type", .string("object")),
            ("required", strings(["schemaVersion", "command"])), ("properties", object(head)),
        ])
    }

    private static var members: [(String, JSONNode)] {
        [
            ("id", text("The identity of the verdict; no two of a report are alike.")),
            ("title", text("The requirement.")),
            (
                "verdict",
                text("pass, fail, error or notApplicable; if there is a result, a word of the command's own.")
            ),
            (
                "result",
                object([
                    ("description", .string("The meaning of a verdict that is a word of the command's own.")),
                    ("enum", strings(results)),
                ])
            ), ("expected", text("The expected outcome, in words.")),
            ("seen", text("The actual outcome, or why it does not apply; empty for a pass.")),
            ("note", text("Why a failure is known; of a pass, what could be better; else empty.")),
            ("duration", seconds("How long it took, in seconds.")),
            (
                "place",
                object([
                    ("description", .string("The place in a file; line and column are 0 for a whole file.")),
                    ("type", .string("object")), ("required", strings(["file", "line", "column"])),
                    (
                        "properties",
                        object([
                            ("file", text("The path.")), ("line", integer("From 1.", from: 0)),
                            ("column", integer("From 1.", from: 0)),
                        ])
                    ),
                ])
            ), ("request", request), ("curl", text("A line of shell that sends the request.")),
            ("details", textMap("Further details, by name: the bytes on the wire, the client's words.")),
        ]
    }

    private static var request: JSONNode {
        let pair = object([
            ("type", .string("array")), ("minItems", .integer(2)), ("maxItems", .integer(2)),
            ("items", object([("type", .string("string"))])),
        ])
        return object([
            ("description", .string("The request that it is about.")), ("type", .string("object")),
            ("required", strings(["method", "url", "headers", "bodySize"])),
            (
                "properties",
                object([
                    ("method", text("As it is sent.")),
                    ("url", text("It may begin with $MOCKAPI_URL, the server's.")),
                    ("headers", object([("type", .string("array")), ("items", pair)])),
                    ("bodySize", integer("Bytes of content.", from: 0)),
                ])
            ),
        ])
    }

    private static func object(_ members: [(String, JSONNode)]) -> JSONNode {
        JSONNode(.object(JSONObject(members.map { .init(name: $0.0, value: $0.1) })))
    }

    private static func strings(_ texts: [String]) -> JSONNode { .array(texts.map(JSONNode.string)) }

    private static func text(_ description: String) -> JSONNode {
        object([("description", .string(description)), ("type", .string("string"))])
    }

    private static func textMap(_ description: String) -> JSONNode {
        object([
            ("description", .string(description)), ("type", .string("object")),
            ("additionalProperties", object([("type", .string("string"))])),
        ])
    }

    private static func seconds(_ description: String) -> JSONNode {
        object([("description", .string(description)), ("type", .string("number")), ("minimum", .integer(0))])
    }

    private static func integer(_ description: String, from minimum: Int) -> JSONNode {
        object([("description", .string(description)), ("type", .string("integer")), ("minimum", .integer(minimum))])
    }
}
