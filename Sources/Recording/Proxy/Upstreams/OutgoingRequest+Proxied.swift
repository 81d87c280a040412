// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiUpstream

extension OutgoingRequest {
    /// A client's request as it goes on: without the connection's own lines, and with the URLs and the tags that the upstream has given out.
    package init(_ request: UnmatchedRequest, to origin: UpstreamOrigin, seenAs view: ProxyView) {
        let head = request.head
        var target = head.string(head.path)
        if let query = head.query { target += "?" + head.string(query) }
        self.init(
            origin: origin, method: head.string(head.method), target: view.returned(target), fields: [], body: nil)
        if origin.keepsHost, !head.authority.range.isEmpty { host = head.string(head.authority) }
        var connection = ConnectionFields()
        for field in head.fields where head.equalsIgnoringCase(field.name, "connection") {
            connection.add(connection: head.string(field.value))
        }
        let content = Self.content(of: request, seenAs: view)
        let isSame = content == request.body
        var codings: [String]?
        var hasLength = false
        // Where the first of its lines stood.
        var place = 0
        var takesTrailers = false
        for field in head.fields {
            // Host is the upstream's, or kept above.
            if head.equalsIgnoringCase(field.name, "host") { continue }
            let name = head.string(field.name)
            switch name.lowercased() {
            case "content-length", "transfer-encoding": hasLength = true
            // The server has dealt with these.
            case "expect", "trailer": break
            // The connection's own: the codings that the client takes are asked for.
            case "te": takesTrailers = takesTrailers || ConnectionFields.takesTrailers(head.string(field.value))
            case let key where connection.contain(key): break
            case "accept-encoding":
                if codings == nil { place = fields.count }
                codings = (codings ?? []) + [head.string(field.value)]
            // A digest is right, or left out.
            case let key where !isSame && FieldNames.isDigest(key): break
            case let key:
                var value = view.returned(Array(head.sentValue(of: field)))
                if WeakenedTags.areSent(in: key) { value = view.tags.restored(value) }
                fields.append(UpstreamField(name, bytes: value))
            }
        }
        if let codings {
            let reduced = AcceptedCodings.reduced(codings.joined(separator: ", "))
            fields.insert(UpstreamField("Accept-Encoding", reduced), at: place)
        }
        if takesTrailers { add(ConnectionFields.askingForTrailers) }
        body = content.isEmpty && !hasLength ? nil : content
        addFieldsOfOrigin()
    }

    /// The content with the proxies' URLs pointing at the upstreams, if it is text, or has parts that are, and not coded.
    private static func content(of request: UnmatchedRequest, seenAs view: ProxyView) -> [UInt8] {
        let head = request.head
        guard !request.body.isEmpty, let type = head.firstValue("content-type"),
            head.firstValue("content-encoding") == nil
        else { return request.body }
        return view.returned(request.body, mediaType: head.string(type))
    }

    /// The same request for the whole response, to GET or HEAD; nil if the request asks for nothing less.
    ///
    /// A response that is a part, or none since the client has it already, is right for the client but is not a fixture (RFC 9110 §13.1, §14.2).
    package var whole: OutgoingRequest? {
        guard isSafe else { return nil }
        let kept = fields.filter { !Self.asksForLess($0) }
        guard kept.count < fields.count else { return nil }
        var whole = self
        whole.fields = kept
        return whole
    }

    private static let conditions: Set = [
        "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range",
    ]

    /// A range in another unit than bytes asks for another response, as a page of a list does.
    private static func asksForLess(_ field: UpstreamField) -> Bool {
        let name = field.name.lowercased()
        if name == "range" { return field.value.lowercased().hasPrefix("bytes") }
        return conditions.contains(name)
    }

    /// Whether a response to a request for less may have a status because it is not whole.
    package static func mayBeLess(_ status: Int) -> Bool { [206, 304, 412, 416].contains(status) }
}
