// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// Where a Location line leads, whatever identifiers are in it.
struct RouteShape {
    /// Scheme and authority in lower case; nil for a reference without.
    let origin: String?
    private let segments: [Substring]
    private let queryNames: Set<String>

    init(_ reference: String) {
        var rest = reference[...].prefix { $0 != "#" }
        if let scheme = rest.firstRange(of: "://"), !rest[..<scheme.lowerBound].contains("/") {
            let authority = rest[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
            origin = String(rest[..<authority.endIndex]).lowercased()
            rest = rest[authority.endIndex...]
        } else {
            origin = nil
        }
        let path = rest.prefix { $0 != "?" }
        segments = path.split(ascii: "/")
        let query = rest[path.endIndex...].dropFirst()
        queryNames = Set(query.split(ascii: "&").map { String($0.prefix { $0 != "=" }) })
    }

    /// Whether both lead to the same route: the same segments, but for identifiers.
    func isRoute(of other: RouteShape) -> Bool {
        guard segments.count == other.segments.count, queryNames == other.queryNames else { return false }
        return zip(segments, other.segments).allSatisfy { left, right in
            left == right || Self.isIdentifier(left) && Self.isIdentifier(right)
                || Placeholders.stand(in: String(left))
        }
    }

    /// A number, a UUID, or a word with digits in it.
    private static func isIdentifier(_ segment: Substring) -> Bool {
        let bytes = segment.utf8
        if bytes.allSatisfy({ $0 &- 0x30 < 10 }) { return true }
        if Placeholders.isWhole(String(segment)) { return true }
        // v1 and v2 are two routes.
        return bytes.count >= 4 && bytes.contains { $0 &- 0x30 < 10 }
    }
}
