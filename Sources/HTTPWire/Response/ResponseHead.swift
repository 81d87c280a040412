// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The head of an answer, laid out for the wire once and sent any number of times.
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
    }

    package let status: Int
    package let framing: Framing
    package let fields: [WireField]
    /// Status line and field lines, each with its CR LF, without the empty line.
    package let http1: [UInt8]
    /// Whether a Date line is among the fields, as it is in an answer from elsewhere.
    package let hasDate: Bool
    private let fieldBlock = AtomicLazyReference<HTTP2FieldBlock>()

    /// - Parameter reason: nil for the usual phrase of the status.
    package init(status: Int, reason: String? = nil, fields: [WireField], framing: Framing) {
        self.status = status
        self.framing = framing
        self.fields = fields
        hasDate = Self.hasDate(fields)
        // The space behind the status stays where the reason is empty (RFC 9112 §4).
        http1 = Self.lines("HTTP/1.1 \(status) \(reason ?? StatusReason.phrase(status))\r\n".utf8, fields, framing)
    }

    private init(_ head: ResponseHead, fields: [WireField]) {
        status = head.status
        framing = head.framing
        self.fields = fields
        hasDate = Self.hasDate(fields)
        let statusLine = head.http1[...(head.http1.firstIndex(of: UInt8(ascii: "\n")) ?? head.http1.startIndex)]
        http1 = Self.lines(statusLine, fields, head.framing)
    }

    private static func hasDate(_ fields: [WireField]) -> Bool {
        fields.contains { $0.name.utf8.count == 4 && $0.name.lowercased() == "date" }
    }

    private static func lines(
        _ statusLine: some Collection<UInt8>, _ fields: [WireField], _ framing: Framing
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        bytes.append(contentsOf: statusLine)
        for field in fields {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: field.value.utf8)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: line(framing).utf8)
        return bytes
    }

    /// The same status line and framing with other field lines.
    package func replacing(fields: [WireField]) -> ResponseHead { ResponseHead(self, fields: fields) }

    private init(unframed head: ResponseHead) {
        status = head.status
        framing = .none
        fields = head.fields
        hasDate = head.hasDate
        http1 = head.http1.dropLast(Self.line(head.framing).utf8.count)
    }

    private static func line(_ framing: Framing) -> String {
        switch framing {
        case .length(let length): "Content-Length: \(length)\r\n"
        case .chunked: "Transfer-Encoding: chunked\r\n"
        case .none: ""
        }
    }

    /// The same head without the line that says where the content ends.
    var unframed: ResponseHead { ResponseHead(unframed: self) }

    /// Whether answers of this status have content at all (RFC 9110 §6.4.1).
    var mayHaveContent: Bool { status >= 200 && status != 204 && status != 304 && framing != .none }

    /// The same for HTTP/2, laid out when first asked for.
    package var http2: HTTP2FieldBlock {
        fieldBlock.load() ?? fieldBlock.storeIfNil(HTTP2FieldBlock(self))
    }
}
