// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The parts of a multipart body (RFC 2046 §5.1).
struct MultipartParts {
    struct Part {
        /// The header lines, without the empty line behind them.
        var head: [UInt8]
        var content: [UInt8]
        /// The name that Content-Disposition gives it; empty where it gives none.
        var name: String
        var mediaType: String

        /// Whether every reader finds the same name in it.
        var isPlain: Bool {
            let start = Array("Content-Disposition: form-data; name=\"\(name)\"".utf8)
            let hasName = name.isEmpty || head.starts(with: start)
            return hasName && head.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A }
                && !name.utf8.contains { "\"\\%".utf8.contains($0) }
        }
    }

    let parts: [Part]

    /// - Returns: nil for bytes that are not such a body.
    init?(_ body: [UInt8], boundary: [UInt8]) {
        let delimiter = Array("--".utf8) + boundary
        var parts: [Part] = []
        guard var place = Self.find(delimiter, in: body, from: 0) else { return nil }
        while true {
            place += delimiter.count
            if body[place...].starts(with: "--".utf8) { break }
            guard body[place...].starts(with: "\r\n".utf8),
                let next = Self.find(Array("\r\n".utf8) + delimiter, in: body, from: place),
                let part = Self.part(body[(place + 2)..<max(place + 2, next)])
            else { return nil }
            parts.append(part)
            place = next + 2
        }
        self.parts = parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        let whole = Array(bytes)
        guard let end = find(Array("\r\n\r\n".utf8), in: whole, from: 0) else { return nil }
        let head = Array(whole[..<end])
        var part = Part(head: head, content: Array(whole[(end + 4)...]), name: "", mediaType: "")
        for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
            let pair = line.split(ascii: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "content-type": part.mediaType = String(Substring(pair[1].utf8.drop { $0 == ASCII.space }))
            case "content-disposition": part.name = Self.name(in: pair[1])
            default: break
            }
        }
        return part
    }

    private static func name(in disposition: Substring) -> String {
        for parameter in disposition.split(ascii: ";") {
            let pair = parameter.split(ascii: "=", maxSplits: 1)
            if pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "name" {
                return pair[1].filter { $0 != "\"" }
            }
        }
        return ""
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        var index = start
        while index <= bytes.count - pattern.count {
            if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }
}
