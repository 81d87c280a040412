// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// The head of an upstream's response as the client of a proxy sees it: byte for byte, but for the lines that would
/// lead it past the proxy.
struct SeenHead {
    /// The treatment of the content.
    enum Content: Equatable {
        /// It passes byte for byte, with the lines about its bytes.
        case untouched
        /// It has other bytes, decoded; so many, if that is known.
        case rewritten(length: Int?)
    }

    let head: ReceivedHead
    private let view: ProxyView
    private let isHead: Bool
    private let connection: ConnectionFields
    /// The length that the upstream has announced.
    let length: Int?

    /// Whether content can come after the head (RFC 9110 §6.4.1).
    var hasContent: Bool { !isHead && head.status != 204 && head.status != 304 }

    init(_ head: ReceivedHead, isHead: Bool, view: ProxyView) {
        self.head = head
        self.view = view
        self.isHead = isHead
        var connection = ConnectionFields()
        var length: Int?
        for field in head.fields {
            switch field.name.count {
            case 10 where head.equals(field.name, "connection"):
                connection.add(connection: head.bytes[field.value.range])
            case 14 where head.equals(field.name, "content-length"):
                length = ReceivedHead.length(head.bytes[field.value.range].prefix { $0 != ASCII.comma })
            default: break
            }
        }
        self.connection = connection
        self.length = length
    }

    func responseHead(_ content: Content) -> ResponseHead {
        // An origin may stand in any line: in a policy, a challenge, the place of an operation that takes long.
        let mayLead = view.mayStand(in: head.bytes)
        var lines: [UInt8] = []
        lines.reserveCapacity(head.bytes.count + 4 * head.fields.count)
        var hasDate = false
        head.bytes.withUnsafeBufferPointer { bytes in
            for field in head.fields {
                let name = UnsafeBufferPointer(rebasing: bytes[field.name.range])
                if connection.contain(name) || leadsAway(field.name) { continue }
                if content != .untouched, speaksOfBytes(field.name) { continue }
                hasDate = hasDate || name.isTextIgnoringCase("date")
                lines.append(contentsOf: name)
                lines.append(ASCII.colon)
                lines.append(ASCII.space)
                if content != .untouched || mayLead || name.isTextIgnoringCase("set-cookie") {
                    append(field, content, to: &lines)
                } else {
                    lines.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[field.value.range]))
                }
                lines.append(ASCII.carriageReturn)
                lines.append(ASCII.lineFeed)
            }
        }
        // HTTP/2 has no reasons; an empty one of HTTP/1.1 stays empty.
        let reason = head.version == .http2 ? nil : Array(head.bytes[head.reason.range])
        return ResponseHead(
            status: head.status, reason: reason, lines: lines, hasDate: hasDate, framing: framing(content))
    }

    private func framing(_ content: Content) -> ResponseHead.Framing {
        guard hasContent else { return isHead ? length.map { .length($0) } ?? .none : .none }
        switch content {
        case .untouched: return length.map { .length($0) } ?? .chunked
        case .rewritten(let length): return length.map { .length($0) } ?? .chunked
        }
    }

    // MARK: Lines

    /// Whether a line would lead the client past the proxy, or bind the proxy's name to TLS.
    private func leadsAway(_ name: ByteRange) -> Bool {
        switch name.count {
        case 7: head.equals(name, "alt-svc")
        case 25: head.equals(name, "strict-transport-security")
        default: false
        }
    }

    /// Whether a line is about the content byte for byte.
    private func speaksOfBytes(_ name: ByteRange) -> Bool {
        let key = head.string(name).lowercased()
        return key == "accept-ranges" || key == "content-encoding" || FieldNames.isDigest(key)
    }

    private func append(_ field: RequestHead.Field, _ content: Content, to lines: inout [UInt8]) {
        let value = head.bytes[field.value.range]
        switch field.name.count {
        case 4 where head.equals(field.name, "etag"):
            // Other bytes than those the strong tag stands for (RFC 9110 §8.8.1).
            if content != .untouched, !value.starts(with: "W/".utf8) {
                lines.append(contentsOf: "W/".utf8)
                view.tags.insert(value)
            }
            lines += value
        case 10 where head.equals(field.name, "set-cookie"):
            let seen = SeenCookie.lines(value, isSecure: view.isSecure)
            let next =
                [ASCII.carriageReturn, ASCII.lineFeed] + head.bytes[field.name.range] + [ASCII.colon, ASCII.space]
            lines += seen.joined(separator: next)
        default: lines += view.rewritten(Array(value))
        }
    }
}
