// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// A place in JSON whose value differs from response to response.
struct VolatilePath: Hashable, Sendable {
    enum Kind: String, Sendable {
        case timestamp
        case uuid
        case counter
        case signedURL = "signed URL"
        /// The elements of an array are the same, in another order.
        case order
        /// An array has other elements, or as many as it happens to.
        case list
        /// The JSON is written otherwise: white space, escapes and the order of members.
        case text
        case value
    }

    /// Such as `$.items[*].updated_at`.
    var path: String
    var kind: Kind

    var node: JSONNode {
        var mark = ObjectWriter()
        mark.add(.path, text: path)
        mark.add(.kind, text: kind.rawValue)
        return mark.node
    }

    init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// - Returns: nil if it does not name a place.
    init?(_ node: JSONNode) {
        guard let path = node["path"]?.string else { return nil }
        // However its names are quoted.
        self.path = (try? JSONPlace(path))?.path ?? path
        kind = node["kind"]?.string.flatMap(Kind.init) ?? .value
    }
}
