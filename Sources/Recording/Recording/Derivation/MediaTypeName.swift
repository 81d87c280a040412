// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A media type as people call it.
enum MediaTypeName {
    /// The subtype, without parameters: `vnd.api+json`, `png`; text and unknown types as they are.
    static func short(_ mediaType: String) -> String {
        let essence = mediaType.prefix(before: ";").filter { $0 != " " }.lowercased()
        guard let slash = essence.firstIndex(ascii: "/"), !essence.hasPrefix("text/") else { return essence }
        return String(essence.suffix(behind: slash))
    }
}
