// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Upstream

/// A request as it goes to an upstream.
struct OutgoingRequest: Sendable {
    var origin: UpstreamOrigin
    var method: String
    /// The raw path and query.
    var target: String
    var fields: [UpstreamField]
    /// The names, in lower case, of the fields that the client has not sent.
    private(set) var added: Set<String> = []
    /// nil for no content; empty for one of length 0.
    var body: [UInt8]?

    /// Whether asking again changes nothing.
    var isSafe: Bool { method == "GET" || method == "HEAD" }

    func upstream(_ version: UpstreamProtocol) -> UpstreamRequest {
        // The content of a HEAD request means nothing (RFC 9110 §9.3.2), and libcurl sends none.
        let content = method == "HEAD" ? nil : body
        let request = UpstreamRequest(
            method, origin.text + (target.hasPrefix("/") ? target : "/"), fields: fields,
            body: content.map { .bytes($0) } ?? .none, version: version)
        guard !target.hasPrefix("/") || target.utf8.contains(UInt8(ascii: "#")) else { return request }
        var other = request
        other.target = target
        return other
    }

    init(origin: UpstreamOrigin, method: String, target: String, fields: [UpstreamField], body: [UInt8]?) {
        self.origin = origin
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// Adds fields where there is none of the name.
    mutating func add(_ further: [UpstreamField]) {
        let names = Set(fields.map { $0.name.lowercased() })
        for field in further where !names.contains(field.name.lowercased()) {
            fields.append(field)
            added.insert(field.name.lowercased())
        }
    }
}
