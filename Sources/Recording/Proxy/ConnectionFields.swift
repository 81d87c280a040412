// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiUpstream

/// Which fields belong to a connection and not to the messages on it (RFC 9110 §7.6.1).
package struct ConnectionFields: Sendable {
    /// The names that Connection lines give, in lower case, without those that always belong to one.
    private var named: Set<[UInt8]> = []

    package init() {}

    /// Takes note of the names that a Connection line gives.
    package mutating func add(connection value: some Collection<UInt8>) {
        // The usual ones name no field: "close" is reserved (RFC 9110 §18.4).
        let isUsual = value.withContiguousStorageIfAvailable {
            $0.isTextIgnoringCase("keep-alive") || $0.isTextIgnoringCase("close")
        }
        if isUsual == true { return }
        for member in value.split(separator: ASCII.comma) {
            let name = member.filter { $0 != ASCII.space && $0 != ASCII.tab }
            let isField = name.withUnsafeBufferPointer {
                !FieldNames.isNotPassedOn($0) && !$0.isTextIgnoringCase("close")
            }
            if isField { named.insert(name.map(ASCII.lowercased)) }
        }
    }

    package mutating func add(connection value: String) { add(connection: value.utf8) }

    /// Whether a TE line says that trailers are taken (RFC 9110 §10.1.4).
    package static func takesTrailers(_ value: String) -> Bool {
        value.split(ascii: ",").contains { member in
            member.split(ascii: ";", maxSplits: 1).first?.trimmingBlanks.lowercased() == "trailers"
        }
    }

    /// The lines by which trailers are asked for on a connection of one's own.
    package static let askingForTrailers = [UpstreamField("TE", "trailers"), UpstreamField("Connection", "TE")]

    /// - Parameter name: in any case.
    package func contain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        FieldNames.isNotPassedOn(name) || !named.isEmpty && named.contains(name.map(ASCII.lowercased))
    }

    package func contain(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { contain($0) }
    }
}
