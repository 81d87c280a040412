// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Origins as they are written: `scheme://host[:port]` of http or https.
package enum Origin {
    package static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.lowercased().hasPrefix) else { return false }
        var host = text.dropFirst(scheme.count).utf8[...]
        // An IPv6 address holds colons of its own.
        let bracket = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
        if let colon = host[bracket...].firstIndex(of: UInt8(ascii: ":")) {
            guard let port = Int(Substring(host[host.index(after: colon)...])), 1...65_535 ~= port else { return false }
            host = host[..<colon]
        }
        return !host.isEmpty && host.allSatisfy(isHostByte)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }
}
