// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The name of a header line.
enum FieldName {
    /// As most people write it, whatever the protocol made of it: `X-Auth-Token`.
    static func shown(_ name: String) -> String {
        var startsWord = true
        return String(
            decoding: name.utf8.map { byte in
                defer { startsWord = byte == UInt8(ascii: "-") }
                return startsWord && byte &- UInt8(ascii: "a") < 26 ? byte & 0xDF : startsWord ? byte : byte.lowercased
            }, as: UTF8.self)
    }
}
