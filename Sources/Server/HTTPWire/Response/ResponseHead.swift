// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

/// The head of a response, laid out for the wire once and sent any number of times.
///
/// Date and Connection are not in it: they belong to the moment and to the connection.
package final class ResponseHead: Sendable {
    /// How the recipient knows where the content ends.
    package enum Framing: Equatable, Sendable {
        /// A Content-Length line with this number.
        case length(Int)
        /// `Transfer-Encoding: chunked`, for content with trailers.
        case chunked
        /// Neither line: 1xx, 204 and 304 (RFC 9110 §8.6).
        case none

        /// The framing that a response of a status may have: 1xx and 204 have neither line, a 304 may say the length that a 200 would have
        /// (RFC 9110 §8.6), and a 205 has no content, but a client that does not know that waits for it (§15.3.6).
        fileprivate func allowed(for status: Int) -> Framing {
            switch status {
            case ..<200, 204: .none
            case 205: .length(0)
            case 304: self == .chunked ? .none : self
            default: self
            }
        }
    }

    package let status: Int
    package let framing: Framing
    /// The field lines as text; those of a head that was given as bytes are made when they are asked for.
    package var fields: [WireField] { given ?? lines.map { WireField(Self.text($0.name), Self.text($0.value)) } }
    private let given: [WireField]?
    /// Status line and field lines, each with its CR LF, without the empty line.
    package let http1: [UInt8]
    /// Whether a Date line is among the fields, as it is in a response from elsewhere.
    package let hasDate: Bool
    private let fieldBlock = LazyObject<HTTP2FieldBlock>()

    /// - Parameters:
    ///   - reason: nil for the usual phrase of the status.
    ///   - isLatin1: whether the phrase is written in ISO 8859-1 rather than in UTF-8.
    ///   - fields: the field lines; those that say where the content ends are left out, since `framing` does.
    package init(
        status: Int, reason: String? = nil, isLatin1: Bool = false, fields: [WireField], framing: Framing
    ) {
        let framing = framing.allowed(for: status)
        let fields = Self.unframed(fields)
        self.status = status
        self.framing = framing
        given = fields
        hasDate = Self.hasDate(fields)
        // The space after the status stays if the reason is empty (RFC 9112 §4).
        let statusLine = "HTTP/1.1 \(status) \(reason ?? StatusReason.phrase(status))\r\n"
        http1 = Self.bytes(isLatin1 ? Latin1.bytes(statusLine) : Array(statusLine.utf8), fields, framing)
    }

    /// A second line of the kind would have two readers see two ends (RFC 9112 §6.3).
    private static func unframed(_ fields: [WireField]) -> [WireField] {
        func isFraming(_ field: WireField) -> Bool {
            let count = field.name.utf8.count
            return (count == 14 || count == 17) && FieldNames.framing.contains(field.name.lowercased())
        }
        return fields.contains(where: isFraming) ? fields.filter { !isFraming($0) } : fields
    }

    private static func hasDate(_ fields: [WireField]) -> Bool {
        fields.contains { $0.name.utf8.count == 4 && $0.name.lowercased() == "date" }
    }

    private static func bytes(
        _ statusLine: some Collection<UInt8>, _ fields: [WireField], _ framing: Framing
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        bytes.append(contentsOf: statusLine)
        for field in fields {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            if field.isLatin1 { bytes += field.bytes } else { bytes.append(contentsOf: field.value.utf8) }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        append(framing, to: &bytes)
        return bytes
    }

    /// A head whose lines pass as they came, whatever bytes are in them.
    ///
    /// - Parameters:
    ///   - reason: nil for the usual phrase of the status.
    ///   - lines: field lines, each with its CR LF; none says where the content ends.
    package init(status: Int, reason: [UInt8]?, lines: [UInt8], hasDate: Bool, framing: Framing) {
        let framing = framing.allowed(for: status)
        self.status = status
        self.framing = framing
        self.hasDate = hasDate
        given = nil
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + (reason?.count ?? 0) + lines.count)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: String(status).utf8)
        bytes.append(ASCII.space)
        if let reason { bytes += reason } else { bytes.append(contentsOf: StatusReason.phrase(status).utf8) }
        bytes.append(contentsOf: "\r\n".utf8)
        bytes += lines
        Self.append(framing, to: &bytes)
        http1 = bytes
    }

    /// Names and values of the field lines in `http1`, but that of the framing.
    var lines: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        let end = http1.count - Self.line(framing).count
        return http1[..<end].split(separator: ASCII.lineFeed).dropFirst().compactMap { line in
            let line = line.last == ASCII.carriageReturn ? line.dropLast() : line
            guard let colon = line.firstIndex(of: ASCII.colon) else { return nil }
            return (line[..<colon], line[(colon + 1)...].drop { $0 == ASCII.space })
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The same status line and framing with other field lines; of a head that was given as bytes, lines that stay in their order keep theirs.
    package func replacing(fields: [WireField]) -> ResponseHead { ResponseHead(self, fields: fields) }

    private init(_ head: ResponseHead, fields: [WireField]) {
        let fields = Self.unframed(fields)
        status = head.status
        framing = head.framing
        hasDate = Self.hasDate(fields)
        let statusLine = head.http1[...(head.http1.firstIndex(of: ASCII.lineFeed) ?? head.http1.startIndex)]
        guard head.given == nil else {
            given = fields
            http1 = Self.bytes(statusLine, fields, head.framing)
            return
        }
        given = nil
        var rest = head.lines.map { (text: WireField(Self.text($0.name), Self.text($0.value)), bytes: $0) }[...]
        var bytes = Array(statusLine)
        for field in fields {
            if let index = rest.firstIndex(where: { $0.text == field }) {
                bytes += rest[index].bytes.name + [ASCII.colon, ASCII.space] + rest[index].bytes.value
                rest = rest[(index + 1)...]
            } else {
                bytes.append(contentsOf: field.name.utf8)
                bytes += [ASCII.colon, ASCII.space] + field.bytes
            }
            bytes += [ASCII.carriageReturn, ASCII.lineFeed]
        }
        Self.append(head.framing, to: &bytes)
        http1 = bytes
    }

    private init(_ head: ResponseHead, framing: Framing) {
        let framing = framing.allowed(for: head.status)
        status = head.status
        self.framing = framing
        given = head.given
        hasDate = head.hasDate
        http1 = head.http1.dropLast(Self.line(head.framing).count) + Self.line(framing)
    }

    private static func append(_ framing: Framing, to bytes: inout [UInt8]) {
        switch framing {
        case .length(let length):
            bytes.append(contentsOf: "Content-Length: ".utf8)
            bytes.append(contentsOf: String(length).utf8)
            bytes.append(contentsOf: "\r\n".utf8)
        case .chunked: bytes.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .none: break
        }
    }

    private static func line(_ framing: Framing) -> [UInt8] {
        var line: [UInt8] = []
        append(framing, to: &line)
        return line
    }

    /// The same head without the line that says where the content ends.
    var unframed: ResponseHead { framed(.none) }

    /// The same head with another line that says where the content ends.
    func framed(_ framing: Framing) -> ResponseHead { ResponseHead(self, framing: framing) }

    /// Whether responses of this status have content at all (RFC 9110 §6.4.1, §15.3.6).
    @usableFromInline
    var mayHaveContent: Bool {
        switch status {
        case ..<200, 204, 205, 304: false
        default: framing != .none
        }
    }

    /// The same for HTTP/2, laid out when first asked for.
    package var http2: HTTP2FieldBlock { fieldBlock.get { HTTP2FieldBlock(self) } }
}
