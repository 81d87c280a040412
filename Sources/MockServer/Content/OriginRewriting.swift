// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Points absolute URLs of recorded origins at this server.
enum OriginRewriting {
    /// Replaces each origin where it stands as such: what follows is no part of a longer host name or port.
    ///
    /// JSON may write the slashes of a URL as `\/`; both spellings are replaced, each by its own.
    static func rewrite(_ body: [UInt8], origins: [String], to base: String) -> [UInt8] {
        let pairs = origins.flatMap { origin -> [(from: [UInt8], to: [UInt8])] in
            [
                (Array(origin.utf8), Array(base.utf8)),
                (escaped(origin), escaped(base)),
            ]
        }
        var output: [UInt8] = []
        output.reserveCapacity(body.count)
        var index = 0
        while index < body.count {
            // Every origin starts with its scheme: h of http, or another letter of a rare one.
            if let pair = pairs.first(where: { matches(body, at: index, $0.from) }) {
                output.append(contentsOf: pair.to)
                index += pair.from.count
            } else {
                output.append(body[index])
                index += 1
            }
        }
        return output
    }

    private static func matches(_ body: [UInt8], at index: Int, _ origin: [UInt8]) -> Bool {
        guard body[index] == origin[0], index + origin.count <= body.count else { return false }
        for offset in 1..<origin.count where body[index + offset] != origin[offset] { return false }
        guard index + origin.count < body.count else { return true }
        return !isHostByte(body[index + origin.count], next: body.dropFirst(index + origin.count + 1).first)
    }

    /// Whether a byte goes on a host name or adds a port: `.` and `:` do so only before a letter or a digit.
    private static func isHostByte(_ byte: UInt8, next: UInt8?) -> Bool {
        if isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return true }
        guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@") else { return false }
        return next.map(isAlphanumeric) ?? false
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }

    private static func escaped(_ origin: String) -> [UInt8] {
        Array(origin.utf8).flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    /// Whether a media type is text that URLs stand in.
    static func isText(_ mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" }.trimmingSpace().lowercased()
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
            || [
                "application/json", "application/xml", "application/javascript", "application/x-ndjson",
                "application/x-www-form-urlencoded", "application/yaml", "application/graphql",
            ]
            .contains(Substring(type).trimmingSpace().description)
    }
}
