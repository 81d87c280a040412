// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiUpstream

/// An upstream's response as it goes back: without the lines of its connection, byte for byte otherwise.
struct ProxiedResponse {
    let head: ResponseHead

    /// - Parameters:
    ///   - isHead: whether it is the response to HEAD, which has no content.
    ///   - further: lines after the upstream's.
    init(_ head: UpstreamHead, isHead: Bool, further: [WireField]) {
        var connection = ConnectionFields()
        for field in head.fields where field.name.lowercased() == "connection" {
            connection.add(connection: field.value)
        }
        var lines: [UInt8] = []
        var length: Int?
        var hasDate = false
        for field in head.fields {
            let name = field.name.lowercased()
            if name == "content-length" { length = Int(field.value).map { max(0, $0) } }
            if connection.contain(name) { continue }
            hasDate = hasDate || name == "date"
            Self.append(field.name, field.bytes, to: &lines)
        }
        for field in further { Self.append(field.name, Array(field.value.utf8), to: &lines) }
        let hasContent = !isHead && head.status >= 200 && head.status != 204 && head.status != 304
        let framing: ResponseHead.Framing =
            hasContent ? length.map { .length($0) } ?? .chunked : isHead ? length.map { .length($0) } ?? .none : .none
        // HTTP/2 has no reasons; an empty one of HTTP/1.1 stays empty.
        let reason = head.version == .http2 ? nil : Array(head.reason.utf8)
        self.head = ResponseHead(status: head.status, reason: reason, lines: lines, hasDate: hasDate, framing: framing)
    }

    private static func append(_ name: String, _ value: [UInt8], to lines: inout [UInt8]) {
        lines.append(contentsOf: name.utf8)
        lines += [ASCII.colon, ASCII.space]
        lines += value
        lines += [ASCII.carriageReturn, ASCII.lineFeed]
    }

    static func text(_ status: Int, _ text: String, isHead: Bool) -> Response {
        let bytes = Array(text.utf8)
        let head = ResponseHead(
            status: status, fields: [WireField("Content-Type", "text/plain; charset=utf-8")],
            framing: .length(bytes.count))
        return Response(head: head, body: isHead ? .none : .bytes(bytes))
    }
}
