// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets
package import MockapiUpstream

/// A request as it goes to an upstream.
package struct OutgoingRequest: Sendable {
    package var origin: UpstreamOrigin
    package var method: String
    /// The raw path and query.
    package var target: String
    package var fields: [UpstreamField]
    /// The host that its upstream sees; nil for the upstream's own.
    package var host: String?
    /// Whether it goes by a connection that is its client's alone, and so in HTTP/1.1 (RFC 9113 §8.1 has no connections to sign in).
    package var isBound = false
    /// The names, in lower case, of the fields that the client has not sent.
    package private(set) var added: Set<String> = []
    /// nil for no content; empty for one of length 0.
    package var body: [UInt8]?

    /// The part of a content that it asks for; nil if it asks for something else.
    package var part: PartRequest? { PartRequest(method: method, fields) }

    /// Whether asking again changes nothing.
    package var isSafe: Bool { method == "GET" || method == "HEAD" }

    package func upstream(_ version: UpstreamProtocol) -> UpstreamRequest {
        // The content of a HEAD request means nothing (RFC 9110 §9.3.2), and libcurl sends none.
        let content = method == "HEAD" ? nil : body
        let host = host.map { [UpstreamField("Host", $0)] } ?? []
        let request = UpstreamRequest(
            method, origin.text + (target.hasPrefix("/") ? target : "/"), fields: host + fields,
            body: content.map { .bytes($0) } ?? .none, version: version)
        guard !target.hasPrefix("/") || target.utf8.contains(UInt8(ascii: "#")) else { return request }
        var other = request
        other.target = target
        return other
    }

    package init(origin: UpstreamOrigin, method: String, target: String, fields: [UpstreamField], body: [UInt8]?) {
        self.origin = origin
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// Adds the lines for its upstream that identify the sender.
    package mutating func addFieldsOfOrigin() {
        if !origin.fields.isEmpty { add(origin.fields) }
        if let authorization = origin.authorization { add([UpstreamField("Authorization", authorization)]) }
    }

    /// Goes to another upstream, without the lines that were meant for this one alone (RFC 9110 §15.4).
    package mutating func turn(to other: UpstreamOrigin) {
        let own = Set(origin.fields.map { $0.name.lowercased() })
        let left = fields.filter { field in
            let name = field.name.lowercased()
            return CredentialNames.headers.contains(name) || CredentialNames.cookies.contains(name)
                || own.contains(name)
        }
        fields.removeAll { left.contains($0) }
        added.subtract(left.map { $0.name.lowercased() })
        host = nil
        origin = other
        addFieldsOfOrigin()
    }

    /// Adds fields if there is none of the name.
    package mutating func add(_ further: [UpstreamField]) {
        let names = Set(fields.map { $0.name.lowercased() })
        for field in further where !names.contains(field.name.lowercased()) {
            fields.append(field)
            added.insert(field.name.lowercased())
        }
    }
}

extension OutgoingRequest {
    /// The head as it goes over HTTP/1.1; nil if it cannot be written so, and if the response would be a tunnel.
    package var http1Head: [UInt8]? {
        guard method != "CONNECT", target.hasPrefix("/"), FieldText.isToken(method),
            target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + target.utf8.count)
        bytes.append(contentsOf: method.utf8)
        bytes.append(ASCII.space)
        bytes.append(contentsOf: target.utf8)
        bytes.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        bytes.append(contentsOf: (host ?? origin.authority).utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        for field in fields {
            let isLine = field.bytes.withUnsafeBufferPointer { value in
                ByteWords.firstUnprintable(in: value, value.indices) { $0 == 0 || $0 == 10 || $0 == 13 } == nil
            }
            guard isLine, FieldText.isToken(field.name) else { return nil }
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            bytes += field.bytes
            bytes.append(contentsOf: "\r\n".utf8)
        }
        if let body, method != "HEAD" { bytes.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }
}
