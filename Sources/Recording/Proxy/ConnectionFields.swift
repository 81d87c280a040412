// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Which fields belong to a connection and not to what passes by it (RFC 9110 §7.6.1).
package struct ConnectionFields {
    private static let known = FieldNames.hopByHop.union(FieldNames.framing)

    private var named: Set<String> = []

    package init() {}

    /// Takes note of the names that a Connection line gives.
    package mutating func add(connection value: String) {
        for name in value.split(ascii: ",") {
            named.insert(name.filter { $0 != " " && $0 != "\t" }.lowercased())
        }
    }

    /// - Parameter name: in lower case.
    package func contain(_ name: String) -> Bool {
        Self.known.contains(name) || named.contains(name)
    }
}
