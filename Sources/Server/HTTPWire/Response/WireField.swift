// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A field line to be sent: name and value as they go on the wire.
package struct WireField: Hashable, Sendable {
    package var name: String
    package var value: String
    /// Whether the value is written in ISO 8859-1 rather than in UTF-8.
    package var isLatin1 = false

    package init(_ name: String, _ value: String, isLatin1: Bool = false) {
        self.name = name
        self.value = value
        self.isLatin1 = isLatin1
    }

    /// A line of bytes, whatever they are.
    package init(_ name: String, bytes: [UInt8]) {
        (value, isLatin1) = Latin1.read(bytes)
        self.name = name
    }

    /// Lines without those that cannot be trailers.
    static func trailers(_ lines: [WireField]) -> [WireField] {
        lines.isEmpty ? lines : lines.filter { !FieldNames.neverTrailers.contains($0.name.lowercased()) }
    }

    /// The value as it goes on the wire.
    var bytes: [UInt8] { isLatin1 ? Latin1.bytes(value) : Array(value.utf8) }
}
