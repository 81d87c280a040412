// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// The admin API as an OpenAPI document: its methods come from the routes, its words from here.
struct AdminDocument {
    /// A path below `/__admin` with its variables in braces.
    struct Path {
        let template: String
        let summary: String
        /// The names of the query parameters of its GET.
        var query: [String] = []
    }

    /// Every path that is routed.
    static let paths = [
        Path(template: "/health", summary: "Whether the server lives"),
        Path(template: "/version", summary: "The server's version"),
        Path(template: "/mappings", summary: "All stubs", query: ["limit", "offset"]),
        Path(template: "/mappings/{id}", summary: "One stub"),
        Path(template: "/mappings/new", summary: "One stub more, as WireMock 2 has it"),
        Path(template: "/mappings/reset", summary: "Restores the stubs of the files, and empties the journal"),
        Path(template: "/mappings/save", summary: "The stubs that were added, written to files"),
        Path(template: "/mappings/import", summary: "Many stubs at once"),
        Path(template: "/mappings/remove", summary: "One stub less, by its id or its request"),
        Path(template: "/mappings/edit", summary: "Another stub in the place of that with its id"),
        Path(template: "/mappings/find-by-metadata", summary: "The stubs whose metadata a matcher matches"),
        Path(template: "/mappings/remove-by-metadata", summary: "The same, taken away"),
        Path(template: "/mappings/unmatched", summary: "The stubs that answered nothing in the journal"),
        Path(
            template: "/requests", summary: "The journal",
            query: ["limit", "since", "unmatched", "matchingStub"]),
        Path(template: "/requests/{id}", summary: "One request"),
        Path(template: "/requests/reset", summary: "An empty journal"),
        Path(template: "/requests/count", summary: "How many requests a pattern means"),
        Path(template: "/requests/find", summary: "The requests that a pattern means"),
        Path(template: "/requests/remove", summary: "The same, forgotten"),
        Path(template: "/requests/remove-by-metadata", summary: "The requests of stubs with such metadata, forgotten"),
        Path(template: "/requests/unmatched", summary: "The requests that nothing matched"),
        Path(template: "/requests/unmatched/near-misses", summary: "The stubs nearest to them"),
        Path(template: "/near-misses/request", summary: "The stubs nearest to a request"),
        Path(template: "/near-misses/request-pattern", summary: "The requests nearest to a pattern"),
        Path(template: "/scenarios", summary: "The scenarios and their states"),
        Path(template: "/scenarios/reset", summary: "All scenarios at their beginning"),
        Path(template: "/scenarios/{name}/state", summary: "The state of one scenario"),
        Path(template: "/holds", summary: "The holds, and how many responses wait"),
        Path(template: "/holds/{name}/hold", summary: "The responses of stubs with this hold wait"),
        Path(template: "/holds/{name}/release", summary: "They are sent, and later ones do not wait"),
        Path(template: "/settings", summary: "The settings of all responses"),
        Path(template: "/settings/extended", summary: "Settings that clients keep here"),
        Path(template: "/files", summary: "The body files"),
        Path(template: "/files/{path}", summary: "One body file"),
        Path(template: "/recordings/start", summary: "Passes requests on to a service, to be recorded"),
        Path(template: "/recordings/stop", summary: "Stubs of what was passed on since then"),
        Path(template: "/recordings/snapshot", summary: "Stubs of what was passed on so far"),
        Path(template: "/recordings/status", summary: "Whether something is recorded"),
        Path(template: "/recorder", summary: "How to record, as a page"),
        Path(template: "/reset", summary: "Everything at its beginning"),
        Path(template: "/shutdown", summary: "The end of the server"),
        Path(template: "/docs", summary: "This document as a page"),
        Path(template: "/docs/openapi.json", summary: "This document"),
        Path(template: "/docs/swagger", summary: "The same, where WireMock has its own"),
    ]

    /// A value for each variable, to look up the routes with.
    private static let samples = [
        "{id}": "00000000-0000-4000-8000-000000000001", "{name}": "name", "{path}": "file.txt",
    ]

    private let api: AdminAPI

    init(_ api: AdminAPI) {
        self.api = api
    }

    /// The methods of a path, sorted.
    func methods(_ path: Path) -> [String] {
        let parts = path.template.split(ascii: "/").map { Self.samples[String($0)] ?? String($0) }
        return (api.resource(parts, [])?.actions.keys).map { $0.sorted() } ?? []
    }

    /// The document in OpenAPI 3.0.0, as WireMock has it.
    var node: JSONNode {
        .object([
            "openapi": .string("3.0.0"),
            "info": .object([
                "title": .string("mockapi's admin API"), "version": .string(mockapiVersion),
                "description": .string("Stubs, requests, scenarios and settings, in WireMock's shapes."),
            ]),
            "servers": .array([.object(["url": .string("/__admin")])]),
            "paths": object(Self.paths.map { ($0.template, item($0)) }),
            "components": .object([
                "schemas": .object([
                    "Errors": .object([
                        "type": .string("object"), "required": .array([.string("errors")]),
                        "properties": .object([
                            "errors": .object([
                                "type": .string("array"),
                                "items": .object(["$ref": .string("#/components/schemas/Error")]),
                            ])
                        ]),
                    ]),
                    "Error": .object([
                        "type": .string("object"),
                        "required": .array([.string("code"), .string("title")]),
                        "properties": .object([
                            "code": .object(["type": .string("integer")]),
                            "title": .object(["type": .string("string")]),
                            "detail": .object(["type": .string("string")]),
                            "source": .object([
                                "type": .string("object"),
                                "properties": .object(["pointer": .object(["type": .string("string")])]),
                            ]),
                        ]),
                    ]),
                ])
            ]),
        ])
    }

    /// The paths and their methods, as a page without scripts.
    var page: AdminResource {
        .get { _ in
            let text = pageText
            return .report(isLong: false) {
                .response(
                    PlainResponse.content(
                        200, "text/html; charset=utf-8", Array(text.utf8), fields: IndexPage.fields))
            }
        }
    }

    private var pageText: String {
        let rows = Self.paths.map { path in
            "<tr><td>\(methods(path).joined(separator: " "))<td><code>/__admin\(path.template)</code><td>\(path.summary)"
        }
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>mockapi: admin API</title>
            <h1>Admin API</h1><p>For tools: <a href="/__admin/docs/openapi.json">openapi.json</a></p>
            <table>
            \(rows.joined(separator: "\n"))
            </table>

            """
    }

    private func item(_ path: Path) -> JSONNode {
        object(methods(path).map { ($0.lowercased(), operation($0, path)) })
    }

    private func operation(_ method: String, _ path: Path) -> JSONNode {
        let words = path.template.split { !$0.isLetter && !$0.isNumber }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        var members: [(String, JSONNode)] = [
            ("operationId", .string(method.lowercased() + words.joined())), ("summary", .string(path.summary)),
        ]
        let parameters = variables(path) + (method == "GET" ? path.query.map { parameter($0, "query") } : [])
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        let isFile = path.template == "/files/{path}"
        if method == "POST" || method == "PUT" || method == "PATCH" {
            let media = isFile ? "application/octet-stream" : "application/json"
            members.append(("requestBody", .object(["content": object([(media, .object(["schema": .object([:])]))])])))
        }
        let errors = JSONNode.object([
            "description": .string("The mistake"),
            "content": object([
                ("application/json", .object(["schema": .object(["$ref": .string("#/components/schemas/Errors")])]))
            ]),
        ])
        members.append(
            (
                "responses",
                object([
                    ("2XX", .object(["description": .string(path.summary)])), ("4XX", errors), ("5XX", errors),
                ])
            ))
        return object(members)
    }

    private func variables(_ path: Path) -> [JSONNode] {
        path.template.split(ascii: "/").filter { $0.hasPrefix("{") }
            .map { parameter(String($0.dropFirst().dropLast()), "path") }
    }

    private func parameter(_ name: String, _ place: String) -> JSONNode {
        .object([
            "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
            "schema": .object(["type": .string("string")]),
        ])
    }

    private func object(_ members: [(String, JSONNode)]) -> JSONNode {
        JSONNode(.object(JSONObject(members.map { .init(name: $0.0, value: $0.1) })))
    }
}
