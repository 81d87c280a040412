// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response as it came over the wire.
package struct WireResponse: Sendable {
    package var version = ""
    package var status = 0
    package var reason = ""
    /// The field lines in the order they came.
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    package var trailers: [(name: String, value: String)] = []

    package init() {}

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first line with a name, in any case.
    package subscript(_ name: String) -> String? { all(name).first }

    /// The values of all lines with a name, in any case.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
