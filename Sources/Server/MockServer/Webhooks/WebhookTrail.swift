// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The servers by which a webhook has come about: the `Via` of the request that it follows, and this server (RFC 9110 §7.6.3).
///
/// A webhook may lead to a stub that sends another, on this server or by way of others. By the `Via` line the server knows how often that
/// has gone on, and lets it end.
struct WebhookTrail: Sendable {
    /// Webhooks of one server that may follow from each other. 5.
    static let limit = 5
    /// The comment that tells a webhook from a request that is passed on.
    private static let comment = "(webhook)"

    /// The value of the webhook's `Via`.
    let via: String
    /// Whether as many webhooks of this server as may be have led to the request.
    let isTooLong: Bool

    /// - Parameter server: the server's name in Via lines.
    init(of head: borrowing RequestHead, server: String) {
        var values: [String] = []
        for field in head.fields where head.equalsIgnoringCase(field.name, "via") {
            values.append(head.string(field.value))
        }
        let mark = "\(server) \(Self.comment)"
        isTooLong = values.reduce(0) { $0 + $1.split(ascii: ",").count { $0.hasSuffix(mark) } } >= Self.limit
        via = (values + ["1.1 \(mark)"]).joined(separator: ", ")
    }
}
