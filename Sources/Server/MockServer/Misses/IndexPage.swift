// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching

/// The response to a request for `/` that matches no fixture: 200, which shows a waiting client that the server is there, and still a miss,
/// but for WireMock roots, whose clients wait for the admin API; a browser gets a page that lists the fixtures.
///
/// It names more than a miss does, so that no page of another origin may read it: it is for clients that may use the admin API, it has no
/// `Access-Control-Allow-Origin`, and no script runs in it.
struct IndexPage {
    /// How many stubs, and how many files, are named. 100 of each.
    private static let limit = 100
    /// Characters of a target or a name that are shown. 200.
    private static let textLimit = 200
    /// Lines of a page about the server: nobody else frames it, runs a script in it or keeps it.
    static let fields = [
        WireField(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
        WireField("X-Content-Type-Options", "nosniff"), WireField("Referrer-Policy", "no-referrer"),
        WireField("Cache-Control", "no-store"),
    ]

    private let fixtures: FixtureSet

    /// Nil unless the request is for `/`, from a client that may ask for the journal; of a WireMock root a browser's alone.
    static func response(
        for head: borrowing RequestHead, _ fixtures: FixtureSet, _ context: ServerContext
    ) -> Response? {
        let isHead = head.equals(head.method, "HEAD")
        guard head.equals(head.path, "/"), isHead || head.equals(head.method, "GET"),
            context.identity.isAdministered(by: head), context.adminAccess.refusal(of: head) == nil,
            !head.fields.contains(where: { head.equalsIgnoringCase($0.name, "origin") })
        else { return nil }
        guard prefersHTML(head) else {
            if fixtures.root.isEmpty || fixtures.dialect == .wireMock { return nil }
            // A client that waits for a server asks for this, and for nothing else.
            let counts = Counts(stubs: fixtures.stubs.count, files: fixtures.files.count)
            return PlainResponse.text(
                200,
                "mockapi is ready, and serves \(counts); no fixture answers \(head.string(head.method)) / itself\n",
                fields: [WireField("Cache-Control", "no-store")], isHead: isHead)
        }
        return PlainResponse.content(
            fixtures.root.isEmpty ? 404 : 200, "text/html; charset=utf-8",
            Array(IndexPage(fixtures: fixtures).text.utf8), fields: fields,
            isHead: isHead)
    }

    /// Whether Accept names HTML and weighs nothing above it (RFC 9110 §12.5.1).
    private static func prefersHTML(_ head: borrowing RequestHead) -> Bool {
        var html = 0
        var other = 0
        for field in head.fields where head.equalsIgnoringCase(field.name, "accept") {
            for member in WeightedList.parse(head.string(field.value)) {
                if member.value == "text/html" {
                    html = max(html, member.weight)
                } else {
                    other = max(other, member.weight)
                }
            }
        }
        return html > 0 && html >= other
    }

    private var text: String {
        let counts = Counts(stubs: fixtures.stubs.count, files: fixtures.files.count)
        let place = fixtures.root.isEmpty ? "" : " of \(Self.escaped(fixtures.root))"
        let stubs = fixtures.stubs.prefix(Self.limit).map(row)
        let files = fixtures.files.prefix(Self.limit).map { file in
            let path = file.requestPaths.first ?? "/\(file.path)"
            return Self.row("GET", Self.link(path, to: PercentCoding.path(path)), file.path)
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <title>mockapi</title>
            <style>
            body { font: 15px system-ui, sans-serif; margin: 2em; }
            td { padding: 0 1.5em 0 0; vertical-align: top; font-family: ui-monospace, monospace; }
            </style>
            <h1>mockapi</h1>
            <p>404: nothing answers GET /. What is served: \(counts)\(place).</p>
            <p><a href="/__admin/requests/unmatched">The requests that nothing answered</a>,
            <a href="/__admin/requests">all requests</a>, <a href="/__admin/mappings">all stubs</a>.</p>
            <table>
            \((stubs + files).joined(separator: "\n"))
            </table>
            \(rest)</html>

            """
    }

    /// The number of stubs and files that are not named, as a paragraph; empty if all are.
    private var rest: String {
        let left = [(fixtures.stubs.count, "stub"), (fixtures.files.count, "file")].filter { $0.0 > Self.limit }
            .map { Counts.count($0.0 - Self.limit, $0.1) }
        return left.isEmpty ? "" : "<p>And \(left.joined(separator: " and ")) more.</p>\n"
    }

    private func row(_ stub: Stub) -> String {
        let target: String
        switch stub.request.url {
        case .any: target = "any target"
        case .url(let text): target = isPlainGet(stub) ? Self.link(text) : Self.shown(text)
        case .path(let text): target = isPlainGet(stub) ? Self.link(text) : Self.shown(text)
        case .pattern(let pattern), .pathPattern(let pattern):
            target = stub.resource.map { Self.link($0.collection) } ?? Self.shown(pattern.text)
        case .pathTemplate(let text): target = Self.shown(text)
        }
        return Self.row(stub.request.method ?? "ANY", target, stub.name ?? stub.place.path)
    }

    private func isPlainGet(_ stub: Stub) -> Bool { stub.request.method.map { $0 == "GET" } ?? true }

    /// - Parameter target: HTML.
    private static func row(_ method: String, _ target: String, _ name: String) -> String {
        "<tr><td>\(escaped(method))<td>\(target)<td>\(escaped(name))"
    }

    /// A path of this server; a target that could lead to another is text.
    ///
    /// - Parameter reference: the target as the link has it, if that differs.
    private static func link(_ target: String, to reference: String? = nil) -> String {
        let text = shown(target)
        let isPath = target.hasPrefix("/") && !target.hasPrefix("//") && !target.hasPrefix("/\\")
        guard isPath, Confidential.target(target) == target, target.utf8.count <= textLimit else { return text }
        return "<a href=\"\(escaped(reference ?? target))\">\(text)</a>"
    }

    private static func shown(_ target: String) -> String { escaped(Confidential.target(target)) }

    private static func escaped(_ text: String) -> String {
        let short = text.unicodeScalars.count > textLimit ? String(text.unicodeScalars.prefix(textLimit)) + "…" : text
        var escaped = ""
        for scalar in short.printable.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
