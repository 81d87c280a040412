// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire
import Upstream

/// The head of an upstream's answer as the client of a proxy sees it.
struct SeenHead {
    let responseHead: ResponseHead

    var framing: ResponseHead.Framing { responseHead.framing }

    /// - Parameter rewriter: what changes the content; nil where it passes as it is.
    init(_ head: UpstreamHead, rewriter: ContentRewriter?, hasContent: Bool, isHead: Bool, view: ProxyView) {
        var connection = ConnectionFields()
        var length: Int?
        for field in head.fields {
            switch field.name.lowercased() {
            case "connection": connection.add(connection: field.value)
            case "content-length": length = Int(field.value).map { max(0, $0) }
            default: break
            }
        }
        var fields: [WireField] = []
        fields.reserveCapacity(head.fields.count)
        for field in head.fields {
            let name = field.name.lowercased()
            if connection.contain(name) || Self.lead(name) { continue }
            if rewriter != nil, Self.speaksOfBytes(name) { continue }
            fields.append(WireField(field.name, Self.value(of: field, name, rewriter != nil, view)))
        }
        let framing: ResponseHead.Framing
        if isHead || !hasContent {
            framing = rewriter == nil && isHead ? length.map { .length($0) } ?? .none : .none
        } else if let length, rewriter == nil {
            framing = .length(length)
        } else {
            framing = .chunked
        }
        // HTTP/2 has no reasons; an empty one of HTTP/1.1 stays empty.
        let reason = head.version == .http2 ? nil : head.reason
        responseHead = ResponseHead(status: head.status, reason: reason, fields: fields, framing: framing)
    }

    /// Whether a field would lead the client past the proxy, or bind the proxy's name to TLS.
    private static func lead(_ name: String) -> Bool {
        name == "alt-svc" || name == "strict-transport-security"
    }

    /// Whether a field tells of the content byte for byte.
    private static func speaksOfBytes(_ name: String) -> Bool {
        ["content-encoding", "content-md5", "digest", "content-digest", "repr-digest", "accept-ranges"].contains(name)
    }

    private static func value(of field: UpstreamField, _ name: String, _ isRewritten: Bool, _ view: ProxyView) -> String
    {
        let value = field.value
        switch name {
        case "location", "content-location", "link", "refresh", "access-control-allow-origin":
            return ContentRewriter.rewrite(value, seenAs: view)
        case "set-cookie": return SeenCookie.text(value, isSecure: view.isSecure)
        // Other bytes than those the strong tag stands for (RFC 9110 §8.8.1).
        case "etag" where isRewritten && !value.hasPrefix("W/"): return "W/" + value
        default: return value
        }
    }
}
