// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiUpstream

/// Which fields belong to a connection and not to the messages on it (RFC 9110 §7.6.1).
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

    /// Whether a TE line says that trailers are taken (RFC 9110 §10.1.4).
    package static func takesTrailers(_ value: String) -> Bool {
        value.split(ascii: ",").contains { member in
            member.split(ascii: ";", maxSplits: 1).first?.trimmingBlanks.lowercased() == "trailers"
        }
    }

    /// The lines by which trailers are asked for on a connection of one's own.
    package static let askingForTrailers = [UpstreamField("TE", "trailers"), UpstreamField("Connection", "TE")]

    /// - Parameter name: in lower case.
    package func contain(_ name: String) -> Bool {
        Self.known.contains(name) || named.contains(name)
    }
}
