// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Names that begin with a dot, which are not served.
enum HiddenName {
    /// The exception, which is served: it holds a host's well-known resources (RFC 8615).
    static let wellKnown = ".well-known"

    /// Whether a path, relative to the fixture directory, is left out for its names.
    static func isIn(_ path: String) -> Bool {
        path.split(ascii: "/").contains { $0.utf8.first == UInt8(ascii: ".") && $0 != wellKnown }
    }
}
