// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiUpstream

/// A client's request as it goes on: without the lines of its connection, and with the stub's changes.
struct ProxiedRequest: Sendable {
    let url: String
    let method: String
    let route: ForwardedRequest.Route
    /// Whether it has come by this server before.
    let isLoop: Bool
    private let fields: [UpstreamField]
    /// How many of the fields are the client's, which come first.
    private let ownCount: Int
    /// The client's path and query.
    private let ownTarget: String
    private let number: UInt64
    /// Nil for no content; empty for one of length 0.
    private let body: [UInt8]?

    /// - Parameter preservesHost: whether the other server sees the host that the client asked for.
    init(_ request: ForwardedRequest, preservesHost: Bool = false) {
        let (head, route) = (request.head, request.route)
        self.route = route
        method = head.string(head.method)
        number = request.number
        ownTarget = head.string(head.path) + (head.query.map { "?" + head.string($0) } ?? "")
        var target = head.string(head.path)
        if target.hasPrefix(route.prefixToRemove) { target.removeFirst(route.prefixToRemove.count) }
        if !target.isEmpty, !target.hasPrefix("/") { target = "/" + target }
        if let query = head.query { target += "?" + head.string(query) }
        url = route.base + target
        var connection = ConnectionFields()
        for field in head.fields where head.equalsIgnoringCase(field.name, "connection") {
            connection.add(connection: head.string(field.value))
        }
        let replaced = Set(route.addedFields.map { $0.name.lowercased() })
        var fields: [UpstreamField] = []
        var vias: [String] = []
        var hasLength = false
        var takesTrailers = false
        for field in head.fields {
            let name = head.string(field.name)
            switch name.lowercased() {
            case "content-length", "transfer-encoding": hasLength = true
            // The server has dealt with the others; the client's host comes below.
            case "host", "expect", "trailer": break
            // The connection's own: the codings that the client takes are asked for.
            case "te": takesTrailers = takesTrailers || ConnectionFields.takesTrailers(head.string(field.value))
            case "via": vias.append(head.string(field.value))
            case let key where connection.contain(key) || route.removedNames.contains(key) || replaced.contains(key):
                break
            default: fields.append(UpstreamField(name, bytes: Array(head.sentValue(of: field))))
            }
        }
        ownCount = fields.count
        if preservesHost, !replaced.contains("host"), !route.removedNames.contains("host"), !head.authority.isEmpty {
            fields.append(UpstreamField("Host", head.string(head.authority)))
        }
        if takesTrailers, !replaced.contains("te"), !route.removedNames.contains("te") {
            fields += ConnectionFields.askingForTrailers
        }
        fields += route.addedFields.map { UpstreamField($0.name, $0.value) }
        isLoop = vias.contains { value in
            // A webhook of this server, which has a comment behind the name, may lead to a stub that passes requests on.
            value.split(ascii: ",").contains { member in
                let words = member.split(ascii: " ").filter { !$0.isEmpty }
                return words.count == 2 && words[1] == route.pseudonym
            }
        }
        // RFC 9110 §7.6.3.
        vias.append("\(head.version == .http2 ? "2.0" : head.version == .http10 ? "1.0" : "1.1") \(route.pseudonym)")
        fields.append(UpstreamField("Via", vias.joined(separator: ", ")))
        self.fields = fields
        body = request.body.isEmpty && !hasLength ? nil : request.body
    }

    var isHead: Bool { method == "HEAD" }

    /// The request as the client sent it, with the response that came whole.
    ///
    /// - Parameter content: as it was transferred; nil if it was too long to keep.
    func exchange(_ head: UpstreamHead, _ content: [UInt8]?, _ trailers: [UpstreamField]) -> ForwardedExchange {
        ForwardedExchange(
            number: number, base: route.base, method: method, target: ownTarget, fields: Array(fields[..<ownCount]),
            body: body ?? [], head: head, content: content, trailers: trailers)
    }

    /// The content of a HEAD request means nothing (RFC 9110 §9.3.2), and libcurl sends none.
    var upstream: UpstreamRequest {
        UpstreamRequest(method, url, fields: fields, body: isHead ? .none : body.map { .bytes($0) } ?? .none)
    }

    /// The response to the client if the upstream has given none.
    func failure(_ error: UpstreamError) -> Response {
        if route.isOfWireMock {
            return ProxiedResponse.text(
                500,
                "Network failure trying to make a proxied request from WireMock to \(url)\r\n\(error.text)",
                isHead: isHead)
        }
        var status = 502
        if case .timeout = error.kind { status = 504 }
        return ProxiedResponse.text(status, "\(status): \(method) \(url): \(error.text)\n", isHead: isHead)
    }
}
