// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The text of JSON paths (RFC 9535), as options and messages have it.
package enum JSONPathText {
    /// The path of a member: behind a dot if its name is plain, or in brackets and quotes.
    package static func member(_ parent: String, _ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
        return isPlain ? "\(parent).\(name)" : "\(parent)['\(name)']"
    }
}
