// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A field line as it is written: a name and a value, which need not be UTF-8.
package struct UpstreamField: Hashable, Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }

    package init(_ name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The value as text.
    package var value: String { String(decoding: bytes, as: UTF8.self) }
}

extension UpstreamField: CustomStringConvertible {
    package var description: String { "\(name): \(value)" }
}
