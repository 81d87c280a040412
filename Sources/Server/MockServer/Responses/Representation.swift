// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPWire

/// A response that one request could get as a whole: in one coding, with its origins rewritten or not (RFC 9110 §3.2).
final class Representation {
    let response: PreparedResponse
    /// All of it; nil if the body is in a file.
    let whole: Response?
    let head: ResponseHead
    let body: Body
    let validators: Validators
    /// The response to HEAD if it was recorded without its body; nil if it is `head`.
    let recordedHead: ResponseHead?

    /// The response as it was laid out at load.
    init(_ response: PreparedResponse) {
        self.response = response
        whole = response.whole
        head = response.head
        body = response.body
        validators = response.validators
        recordedHead = response.recordedHead
    }

    /// The response in its content coding.
    ///
    /// - Parameter fields: its lines, if they are not the response's own.
    convenience init(_ response: PreparedResponse, coded bytes: [UInt8], fields: [WireField]? = nil) {
        var fields = fields ?? response.fields
        if let coding = response.coding {
            let line = WireField("Content-Encoding", coding.rawValue)
            fields.insert(line, at: min(response.codingPlace ?? fields.count, fields.count))
        }
        self.init(response, body: .bytes(bytes), fields: fields)
    }

    /// The response with another body, or with other lines.
    init(_ response: PreparedResponse, body: Body, fields: [WireField]) {
        self.response = response
        self.body = body
        validators = Validators(fields)
        recordedHead = response.recordedHead.map {
            ResponseHead(
                status: response.status, reason: response.reason, isLatin1: response.isLatin1, fields: fields,
                framing: $0.framing)
        }
        head = ResponseHead(
            status: response.status, reason: response.reason, isLatin1: response.isLatin1, fields: fields,
            framing: PreparedResponse.framing(response.status, body.count))
        whole = Response(head, body)
    }

    /// The same with a weak entity tag: the recorded one is that of the coded bytes, and two codings must not share a strong one
    /// (RFC 9110 §8.8.3.3).
    func weakened() -> Representation {
        guard let tag = validators.entityTag, !tag.isWeak else { return self }
        let fields = head.fields.map { field in
            field.name.lowercased() == "etag" ? WireField(field.name, "W/" + tag.opaque) : field
        }
        return Representation(response, body: body, fields: fields)
    }
}
