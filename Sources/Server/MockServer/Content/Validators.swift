// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

/// The validators of a response (RFC 9110 §8.8).
struct Validators: Sendable {
    let entityTag: EntityTag?
    /// Seconds since 1970.
    let lastModified: Int?

    init(_ fields: [WireField]) {
        entityTag = fields.value(of: "etag").flatMap(EntityTag.init)
        lastModified = fields.value(of: "last-modified").flatMap {
            HTTPDate.parse($0, now: Int(Clock.wall() / 1_000_000_000))
        }
    }
}
