// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Reads multipart bodies (RFC 2046 §5.1, RFC 7578) into their parts, in time that is linear in their bytes.
enum MultipartBody {
    /// Why a body cannot be read into parts, in words that follow it.
    struct Broken: Error {
        var text: String
    }

    /// One part; it points into the body.
    struct Part {
        fileprivate(set) var headers: [(name: Bytes, value: Bytes)] = []
        /// The `name` and `filename` of Content-Disposition (RFC 7578 §4.2).
        fileprivate(set) var name: [UInt8]?
        fileprivate(set) var fileName: [UInt8]?
        fileprivate(set) var content = Bytes(start: nil, count: 0)

        /// The values of the header lines of a name, given in lower case.
        func values(of name: Bytes) -> [Bytes] {
            headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
        }
    }

    /// Parts of one body; one with more is not looked into. 1,024.
    static let mostParts = 1024
    /// Header lines of one part. 64.
    static let mostLines = 64

    static func parts(of body: Bytes, contentType: Bytes?) throws(Broken) -> [Part] {
        guard let type = contentType, type.text.lowercased().contains("multipart/") else {
            throw Broken(text: "which is not multipart")
        }
        guard let boundary = parameter("boundary", of: type), !boundary.isEmpty, boundary.count <= 70 else {
            throw Broken(text: "whose Content-Type has no boundary")
        }
        let delimiter = Array("--".utf8) + boundary
        var parts: [Part] = []
        guard var place = next(delimiter, in: body, from: 0)?.end else {
            throw Broken(text: "without the boundary that Content-Type names")
        }
        while !body.slice(place, body.count).starts(with: "--".utf8) {
            guard let line = body.firstPlace(of: ASCII.lineFeed, from: place) else { break }
            guard parts.count < mostParts else { throw Broken(text: "of more than \(mostParts) parts") }
            var part = Part()
            let start = try readHead(of: &part, in: body, from: line + 1)
            // An empty content has its delimiter right after the empty line.
            guard let found = next(delimiter, in: body, from: start - 1) else {
                throw Broken(text: "without the boundary at its end")
            }
            part.content = body.slice(start, max(start, found.start))
            parts.append(part)
            place = found.end
        }
        return parts
    }

    /// The next delimiter that begins a line: where the line end before it begins, and where it ends.
    private static func next(_ delimiter: [UInt8], in body: Bytes, from: Int) -> (start: Int, end: Int)? {
        if from == 0, body.starts(with: delimiter) { return (0, delimiter.count) }
        var place = from
        while let line = body.firstPlace(of: ASCII.lineFeed, from: place) {
            let end = line + 1 + delimiter.count
            if end > body.count { return nil }
            if body.slice(line + 1, end).elementsEqual(delimiter) {
                return (line > 0 && body[line - 1] == ASCII.carriageReturn ? line - 1 : line, end)
            }
            place = line + 1
        }
        return nil
    }

    /// Reads header lines up to the empty one after them; returns where the content begins.
    private static func readHead(of part: inout Part, in body: Bytes, from start: Int) throws(Broken) -> Int {
        var place = start
        while part.headers.count <= mostLines, let lineEnd = body.firstPlace(of: ASCII.lineFeed, from: place) {
            let isLong = lineEnd > place && body[lineEnd - 1] == ASCII.carriageReturn
            let line = body.slice(place, isLong ? lineEnd - 1 : lineEnd)
            place = lineEnd + 1
            if line.isEmpty {
                readDisposition(of: &part)
                return place
            }
            guard let colon = line.firstPlace(of: ASCII.colon) else {
                throw Broken(text: "with a header line of a part that has no colon")
            }
            part.headers.append((trimmed(line.slice(0, colon)), trimmed(line.slice(colon + 1, line.count))))
        }
        throw Broken(text: "with a part whose header lines do not end")
    }

    private static func readDisposition(of part: inout Part) {
        let name: StaticString = "content-disposition"
        let bytes = Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let value = part.headers.first(where: { $0.name.equalsIgnoringCase(bytes) })?.value else { return }
        part.name = parameter("name", of: value)
        part.fileName = parameter("filename", of: value)
    }

    /// The value of a parameter after a field's first `;`, without quotes (RFC 9110 §5.6.6); nil where there is none.
    private static func parameter(_ name: String, of value: Bytes) -> [UInt8]? {
        var place = value.firstPlace(of: ASCII.semicolon) ?? value.count
        while place < value.count {
            place += 1
            let equals = value.firstPlace(of: ASCII.equals, from: place) ?? value.count
            let semicolon = value.firstPlace(of: ASCII.semicolon, from: place) ?? value.count
            if semicolon < equals {
                place = semicolon
                continue
            }
            if equals == value.count { return nil }
            let found = trimmed(value.slice(place, equals)).map(ASCII.lowercased)
            place = equals + 1
            var text: [UInt8] = []
            if place < value.count, value[place] == ASCII.quote {
                place += 1
                while place < value.count, value[place] != ASCII.quote {
                    let isEscape = value[place] == ASCII.backslash && place + 1 < value.count
                    // Browsers of old sent Windows paths unescaped; only a quote and a backslash are ever escaped.
                    if isEscape, value[place + 1] == ASCII.quote || value[place + 1] == ASCII.backslash { place += 1 }
                    text.append(value[place])
                    place += 1
                }
                place = value.firstPlace(of: ASCII.semicolon, from: place) ?? value.count
            } else {
                let end = value.firstPlace(of: ASCII.semicolon, from: place) ?? value.count
                text = Array(trimmed(value.slice(place, end)))
                place = end
            }
            if found.elementsEqual(name.utf8) { return text }
        }
        return nil
    }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        func isSpace(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }
        var start = 0
        var end = bytes.count
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return bytes.slice(start, end)
    }
}
