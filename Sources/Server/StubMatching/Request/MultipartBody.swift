// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Reads multipart bodies (RFC 2046 §5.1, RFC 7578) into their parts, in time that is linear in their bytes.
package enum MultipartBody {
    /// Why a body cannot be read into parts, in words that follow it.
    package struct Broken: Error {
        package var text: String
    }

    /// One part; it points into the body.
    package struct Part {
        /// The header lines with their line ends, and the empty line behind them.
        package fileprivate(set) var head = Bytes(start: nil, count: 0)
        package fileprivate(set) var headers: [(name: Bytes, value: Bytes)] = []
        /// The `name` and `filename` of Content-Disposition (RFC 7578 §4.2).
        package fileprivate(set) var name: [UInt8]?
        fileprivate(set) var fileName: [UInt8]?
        package fileprivate(set) var content = Bytes(start: nil, count: 0)
        /// The bytes between the content and the next delimiter; empty if an empty content has none.
        package fileprivate(set) var lineEnd = Bytes(start: nil, count: 0)

        /// The values of the header lines of a name, given in lower case.
        package func values(of name: Bytes) -> [Bytes] {
            headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
        }
    }

    /// Parts of one body; a body with more is not looked into. 1,024.
    static let mostParts = 1024
    /// Header lines of one part. 64.
    static let mostLines = 64

    package static func parts(of body: Bytes, contentType: Bytes?) throws(Broken) -> [Part] {
        guard let type = contentType, type.text.lowercased().contains("multipart/") else {
            throw Broken(text: "which is not multipart")
        }
        guard let boundary = FieldText.parameter("boundary", of: type), !boundary.isEmpty, boundary.count <= 70 else {
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
            part.head = body.slice(line + 1, start)
            let end = max(start, found.start)
            part.content = body.slice(start, end)
            part.lineEnd = body.slice(end, found.end - delimiter.count)
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
            part.headers.append(
                (Bytes(rebasing: line[..<colon].trimmed), Bytes(rebasing: line[(colon + 1)...].trimmed)))
        }
        throw Broken(text: "with a part whose header lines do not end")
    }

    private static func readDisposition(of part: inout Part) {
        let name: StaticString = "content-disposition"
        let bytes = Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let value = part.headers.first(where: { $0.name.equalsIgnoringCase(bytes) })?.value else { return }
        part.name = FieldText.parameter("name", of: value)
        part.fileName = FieldText.parameter("filename", of: value)
    }
}
