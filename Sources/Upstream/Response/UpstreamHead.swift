// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The status line and the fields of a response, or of an interim one.
package struct UpstreamHead: Hashable, Sendable {
    package var version: UpstreamVersion
    package var status: Int
    /// Empty in HTTP/2.
    package var reason: String
    /// The field lines in the order they came, repeats too.
    package var fields: [UpstreamField]

    package init(version: UpstreamVersion, status: Int, reason: String = "", fields: [UpstreamField] = []) {
        self.version = version
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The value of the first line with a name, in any case.
    package subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}
