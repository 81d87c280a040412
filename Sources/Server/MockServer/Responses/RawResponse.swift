// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// A response that no stub can say: with responses of 1xx in front of it, or by bytes of HTTP/1.1 that are sent as they are.
package struct RawResponse: Sendable {
    private let head: ResponseHead
    private let body: [UInt8]
    private let trailers: [WireField]
    private let interim: [ResponseHead]
    private let http1: [UInt8]?
    private let keepsConnection: Bool

    /// - Parameters:
    ///   - interim: status and field lines of the interim responses that go out in front.
    ///   - trailers: field lines after the content, whether the client asks for them or not.
    ///   - http1: the text that is sent over HTTP/1.1 in place of all the others, before the connection is closed.
    ///   - keepsConnection: whether the connection stays open after that text.
    package init(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: String = "",
        trailers: KeyValuePairs<String, String> = [:],
        interim: [(status: Int, headers: KeyValuePairs<String, String>)] = [], http1: String? = nil,
        keepsConnection: Bool = false
    ) {
        self.body = Array(body.utf8)
        self.trailers = Self.fields(trailers)
        self.interim = interim.map {
            ResponseHead(status: $0.status, fields: Self.fields($0.headers), framing: .none)
        }
        self.http1 = http1.map { Array($0.utf8) }
        self.keepsConnection = keepsConnection
        let framing: ResponseHead.Framing =
            status == 204 || status == 304 ? .none : trailers.isEmpty ? .length(self.body.count) : .chunked
        head = ResponseHead(status: status, fields: Self.fields(headers), framing: framing)
    }

    private static func fields(_ lines: KeyValuePairs<String, String>) -> [WireField] {
        lines.map { WireField($0.key, $0.value) }
    }

    func response(for version: HTTPVersion) -> Response {
        var response = Response(head: head, body: body.isEmpty ? .none : .bytes(body), trailers: trailers)
        var delivery = Delivery()
        if let http1, version != .http2 {
            delivery.sendsHead = false
            delivery.garbage = http1
            delivery.ending = keepsConnection ? .complete : .close
            response.delivery = delivery
        } else if !interim.isEmpty, version != .http10 {
            delivery.interim = interim
            response.delivery = delivery
        }
        return response
    }
}
