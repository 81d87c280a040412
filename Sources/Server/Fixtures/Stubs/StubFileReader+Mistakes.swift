// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiHTTPSyntax

/// Checks for values that are well-formed, but hardly as their author meant them.
extension StubFileReader {
    /// Bytes of a coded body that are decoded to check it against its line. 1 MiB.
    private static let decodedLimit = 1024 * 1024
    /// Bytes that an expression of a template has at most. 200.
    private static let expressionLimit = 200

    /// Reports a target that the admin API takes.
    mutating func checkAdministration(_ text: String, at cursor: Cursor) {
        let rest = text.dropFirst(Self.administration.count)
        guard text.hasPrefix(Self.administration), rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else {
            return
        }
        report(
            .warning, "no request reaches this: paths below \(Self.administration) are the server's own", at: cursor)
    }

    /// Below it is the admin API.
    static let administration = "/__admin"

    /// Reports texts that other servers read as a variable, and that are compared byte for byte here.
    mutating func checkVariables(_ text: String, of key: (key: String, value: Cursor)) {
        let path = text.prefix { $0 != "?" }
        // The target of a recorded request is not a pattern.
        guard path.hasPrefix("/"), !isRecorded else { return }
        let template = Self.template(of: String(path))
        let isVariable = template.split(ascii: "/").contains { $0 == "**" || $0.contains("{") && $0.contains("}") }
        if isVariable {
            report(
                .warning,
                "\"\(key.key)\" is compared byte for byte, and has no variables; write \"urlPathTemplate\": "
                    + "\"\(template)\"", at: key.value)
        } else if path.contains("*") {
            report(
                .warning,
                "\"\(key.key)\" is compared byte for byte, \"*\" too; write \"urlPathPattern\", in which \".*\" is any text",
                at: key.value)
        }
    }

    /// Reports expressions of templates in a response that asks for none to be rendered.
    mutating func checkTemplates(_ lines: [PlacedLine], _ body: WrittenBody?) {
        if isRecorded { return }
        if let body, let expression = Self.expression(in: body.content.head), !isPage(body, lines) {
            reportTemplate(expression, at: body.cursor)
        }
        for line in lines {
            if let expression = Self.expression(in: Array(line.line.value.utf8)) {
                reportTemplate(expression, at: line.cursor)
            }
        }
    }

    private mutating func reportTemplate(_ expression: String, at cursor: Cursor) {
        report(
            .warning,
            "\(expression) is sent as it stands; \"transformers\": [\"response-template\"] renders templates",
            at: cursor)
    }

    /// Whether a file is a page or a script, whose templates are for the browser.
    private func isPage(_ body: WrittenBody, _ lines: [PlacedLine]) -> Bool {
        guard body.key.hasPrefix("bodyFile") else { return false }
        let type = lines.last { $0.isNamed("content-type") }?.line.value ?? body.mediaType ?? ""
        return ["text/html", "application/xhtml+xml", "text/javascript", "application/javascript"]
            .contains(MediaType.essence(of: type))
    }

    /// The first `{{name …}}` of a text; nil if there is none.
    private static func expression(in bytes: [UInt8]) -> String? {
        let open = UInt8(ascii: "{")
        let close = UInt8(ascii: "}")
        var index = 0
        while index + 4 < bytes.count {
            let brace = bytes.withUnsafeBufferPointer { $0[index...].firstIndex(of: open) }
            guard let brace, brace + 4 < bytes.count else { return nil }
            guard bytes[brace + 1] == open else {
                index = brace + 1
                continue
            }
            index = brace
            var start = index + 2
            while start < bytes.count, " {#/^&~".utf8.contains(bytes[start]) { start += 1 }
            let end = min(bytes.count, index + expressionLimit)
            if start < end, (bytes[start] | 0x20) &- UInt8(ascii: "a") < 26 {
                for position in start..<max(start, end - 1)
                where bytes[position] == close && bytes[position + 1] == close {
                    return String(validating: bytes[index..<position + 2], as: UTF8.self)
                }
            }
            index = start
        }
        return nil
    }

    /// Reports a body that is not in the coding that a Content-Encoding line says.
    mutating func checkCoding(_ lines: [PlacedLine], _ body: WrittenBody) {
        let written = lines.filter { $0.isNamed("content-encoding") }
        guard let last = written.last, body.content.body.count > 0 else { return }
        let codings = written.map(\.line.value).joined(separator: ", ")
        guard let decoder = StreamDecoder(codings: codings, limit: Self.decodedLimit), !decoder.isIdentity else {
            return
        }
        do throws(DecodingFailure) {
            decoder.push(body.content.head)
            while try decoder.pull() != nil {}
            if case .bytes = body.content.body { try decoder.finish() }
        } catch {
            if case .tooLarge = error.reason { return }
            let way =
                ContentCoding(rawValue: codings.lowercased()) == nil || isWireMock
                ? "leave the line out" : "write \"contentEncoding\": \"\(codings.lowercased())\" in place of the line"
            report(
                .warning, "the body is not in \(codings), as this line says, and clients cannot read it; \(way)",
                at: last.cursor)
        }
    }
}
