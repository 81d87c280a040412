// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire

/// Responses of the server's own making.
enum PlainResponse {
    static let plainText = "text/plain; charset=utf-8"

    /// The methods that `OPTIONS *` says are allowed (RFC 9110 §9.3.7).
    static let allMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]

    /// The header field that lets pages of any origin read a response.
    static let readableByPages = WireField("Access-Control-Allow-Origin", "*")

    /// - Parameter isHead: true for a response to HEAD, which has the length only.
    static func text(
        _ status: Int, _ text: String, fields: [WireField] = [], closes: Bool = false, isHead: Bool = false
    ) -> Response {
        content(status, plainText, Array(text.utf8), fields: fields, closes: closes, isHead: isHead)
    }

    static func content(
        _ status: Int, _ mediaType: String, _ bytes: [UInt8], fields: [WireField] = [], closes: Bool = false,
        isHead: Bool = false
    ) -> Response {
        let head = ResponseHead(
            status: status, fields: [WireField("Content-Type", mediaType)] + fields, framing: .length(bytes.count))
        return Response(head: head, body: isHead ? .none : .bytes(bytes), closes: closes)
    }

    static func options(_ methods: [String]) -> Response {
        Response(
            head: ResponseHead(
                status: 204, fields: [WireField("Allow", methods.joined(separator: ", "))], framing: .none))
    }
}

extension RequestError {
    /// The reason, with the setting of the limit that the message exceeds.
    func told(_ names: SettingNames) -> String {
        switch exceeded {
        case .head: "\(text) (\(names(.maxHead)))"
        case .content: "\(text) (\(names(.maxBody)))"
        case nil: text
        }
    }
}
