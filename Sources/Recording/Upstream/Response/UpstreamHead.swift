// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The status line and the fields of a response, or of an interim one.
package struct UpstreamHead: Hashable, Sendable {
    package var version: UpstreamVersion
    package var status: Int
    /// Empty in HTTP/2; it need not be UTF-8.
    package var reasonBytes: [UInt8]
    /// The field lines in the order they came, repeats too.
    package var fields: [UpstreamField]

    package init(version: UpstreamVersion, status: Int, reason: String = "", fields: [UpstreamField] = []) {
        self.version = version
        self.status = status
        reasonBytes = Array(reason.utf8)
        self.fields = fields
    }

    /// The reason as text.
    package var reason: String { String(decoding: reasonBytes, as: UTF8.self) }

    /// The value of the first line with a name, in any case.
    package subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}
