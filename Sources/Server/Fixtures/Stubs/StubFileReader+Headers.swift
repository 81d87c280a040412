// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    /// A field line and where it was written.
    struct PlacedLine {
        var line: HeaderLine
        var cursor: Cursor

        func isNamed(_ name: String) -> Bool { line.name.lowercased() == name }
    }

    /// Field lines, of a list of lines or of WireMock's object; those that are the server's are left out, but for the `Date` of a mapping.
    mutating func headerLines(_ cursor: Cursor?) -> [PlacedLine] {
        guard let cursor else { return [] }
        let lines = cursor.node.array == nil ? lines(ofObject: cursor) : lines(ofList: cursor)
        return lines.filter { placed in
            let name = placed.line.name.lowercased()
            guard FieldNames.ofServers.contains(name), !isWireMock || name != "date" else { return true }
            // Recordings keep such lines as they came, and WireMock's mappings are full of them.
            if !isWireMock, !isRecorded {
                // A length without a body belongs to a response to HEAD.
                let cure =
                    placed.isNamed("content-length")
                    ? "leave it out, or write \"contentLength\" if HEAD is answered without a body" : "leave it out"
                report(
                    .warning, "\(placed.line.name) is the server's, and this line is not sent; \(cure)",
                    at: placed.cursor)
            }
            return false
        }
    }

    private mutating func lines(ofList cursor: Cursor) -> [PlacedLine] {
        var lines: [PlacedLine] = []
        for element in cursor.elements {
            guard let text = element.node.string else { continue }
            guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
                report(.error, "expected a line such as \"Name: value\", found \"\(text)\"", at: element)
                continue
            }
            let value = FieldText.trimmed(text[text.utf8.index(after: colon)...])
            if let line = line(String(text[..<colon]), value, at: element) { lines.append(line) }
        }
        return lines
    }

    private mutating func lines(ofObject cursor: Cursor) -> [PlacedLine] {
        var lines: [PlacedLine] = []
        for member in cursor.members {
            let values = member.value.node.array == nil ? [member.value] : member.value.elements
            for value in values {
                guard let text = value.node.headerText else { continue }
                if let line = line(member.name, FieldText.trimmed(text), at: value) { lines.append(line) }
            }
        }
        return lines
    }

    private mutating func line(_ name: String, _ value: String, at cursor: Cursor) -> PlacedLine? {
        guard FieldText.isToken(name) else {
            report(.error, "\"\(name)\" is not a field name (RFC 9110 §5.1)", at: cursor)
            return nil
        }
        if let byte = FieldText.controlCharacter(in: value) {
            report(.error, "the value of \(name) holds \(FieldText.name(ofControl: byte))", at: cursor)
            return nil
        }
        return PlacedLine(line: HeaderLine(name, value), cursor: cursor)
    }

    /// Trailers: lines that say how the body is framed or read come too late there (RFC 9110 §6.5.1).
    mutating func trailers(_ cursor: Cursor?) -> [HeaderLine] {
        headerLines(cursor).compactMap { placed in
            if FieldNames.notInTrailers.contains(placed.line.name.lowercased()) {
                report(
                    .error, "\(placed.line.name) cannot be a trailer (RFC 9110 §6.5.1); write it to \"headers\"",
                    at: placed.cursor)
                return nil
            }
            return placed.line
        }
    }
}

extension JSONNode {
    /// A header's value in WireMock's object form, numbers as they are written.
    var headerText: String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
