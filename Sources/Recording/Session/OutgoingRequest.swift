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

    /// Adds what its upstream is to be told of who asks.
    mutating func addFieldsOfOrigin() {
        add(origin.fields)
        if let authorization = origin.authorization { add([UpstreamField("Authorization", authorization)]) }
    }

    /// Goes to another upstream, without what was meant for this one alone (RFC 9110 §15.4).
    mutating func turn(to other: UpstreamOrigin) {
        let own = Set(origin.fields.map { $0.name.lowercased() })
        let left = fields.filter { field in
            let name = field.name.lowercased()
            return RequestHeaders.credentials.contains(name) || RequestHeaders.cookies.contains(name)
                || own.contains(name)
        }
        fields.removeAll { left.contains($0) }
        added.subtract(left.map { $0.name.lowercased() })
        origin = other
        addFieldsOfOrigin()
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
