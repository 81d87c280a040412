// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiUpstream

extension OutgoingRequest {
    /// A client's request as it goes on: without what is the connection's or would bring less than the whole response.
    package init(_ request: UnmatchedRequest, to origin: UpstreamOrigin, seenAs view: ProxyView) {
        let head = request.head
        var target = head.string(head.path)
        if let query = head.query { target += "?" + head.string(query) }
        self.init(origin: origin, method: head.string(head.method), target: target, fields: [], body: nil)
        var connection = ConnectionFields()
        for field in head.fields where head.equalsIgnoringCase(field.name, "connection") {
            connection.add(connection: head.string(field.value))
        }
        var codings: [String]?
        var hasLength = false
        var takesTrailers = false
        for field in head.fields {
            // Host is the upstream's.
            if head.equalsIgnoringCase(field.name, "host") { continue }
            let name = head.string(field.name)
            switch name.lowercased() {
            case "content-length", "transfer-encoding": hasLength = true
            // The server has dealt with these.
            case "expect", "trailer": break
            // The connection's own: what the client takes is asked for.
            case "te": takesTrailers = takesTrailers || ConnectionFields.takesTrailers(head.string(field.value))
            case let key where connection.contain(key): break
            case let key where isSafe && Self.conditions.contains(key): break
            case "accept-encoding": codings = (codings ?? []) + [head.string(field.value)]
            case "origin", "referer":
                fields.append(UpstreamField(name, view.upstream(head.string(field.value))))
            default: fields.append(UpstreamField(name, bytes: Array(head.bytes[field.value.range])))
            }
        }
        if let codings {
            fields.append(
                UpstreamField("Accept-Encoding", AcceptedCodings.reduced(codings.joined(separator: ", "))))
        }
        if takesTrailers { add(ConnectionFields.askingForTrailers) }
        body = request.body.isEmpty && !hasLength ? nil : request.body
        addFieldsOfOrigin()
    }

    /// The fields that make a response to GET or HEAD a 304, a 412 or a part (RFC 9110 §13.1, §14.2).
    ///
    /// Those of other methods go on: without them a write would be another one.
    private static let conditions: Set = [
        "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range",
    ]
}
