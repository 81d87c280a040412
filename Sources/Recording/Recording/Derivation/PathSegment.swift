// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A part of a path between slashes.
enum PathSegment {
    /// Without percent-encoding; as it is if its bytes are not text.
    static func decoded(_ raw: Substring) -> String {
        String(validating: PercentCoding.decode(raw.utf8), as: UTF8.self) ?? String(raw)
    }
}
