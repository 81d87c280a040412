// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A host with an optional port (RFC 3986 §3.2; no user information, RFC 9110 §4.2.4).
package enum Authority {
    /// Whether bytes are `host [ ":" port ]`.
    ///
    /// - Parameters:
    ///   - allowsEmpty: true for a Host line, which is empty if the target has no authority (RFC 9112 §3.2).
    ///   - allowsAnyPort: true if the caller has words of its own for a number that names no port.
    package static func isValid(
        _ bytes: ArraySlice<UInt8>, allowsEmpty: Bool, allowsAnyPort: Bool = false
    ) -> Bool {
        guard let first = bytes.first else { return allowsEmpty }
        guard let hostEnd = first == UInt8(ascii: "[") ? literalEnd(bytes) : nameEnd(bytes) else { return false }
        let rest = bytes[hostEnd...]
        if rest.isEmpty { return true }
        guard rest.first == ASCII.colon, rest.count <= 6 else { return false }
        let port = rest.dropFirst()
        // 65536 and above name no port (RFC 9293 §3.1).
        return port.allSatisfy(ASCII.isDigit) && (allowsAnyPort || number(port, 0) <= Int(UInt16.max))
    }

    /// The host without its port, without brackets, and without the dot that may end a full name (RFC 1034 §3.1).
    package static func host(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let host = hostAsWritten(bytes)
        return host.count > 1 && host.last == UInt8(ascii: ".") ? host.dropLast() : host
    }

    private static func hostAsWritten(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
            return bytes[..<end].dropFirst()
        }
        return bytes[..<(bytes.lastIndex(of: ASCII.colon) ?? bytes.endIndex)]
    }

    /// Whether two authorities say the same: letters without case, and the port of the scheme if there is none (RFC 3986 §6.2).
    package static func areEquivalent(
        _ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>, defaultPort: Int
    ) -> Bool {
        let (firstHost, firstPort) = parts(first)
        let (secondHost, secondPort) = parts(second)
        return number(firstPort, defaultPort) == number(secondPort, defaultPort)
            && firstHost.lazy.map(ASCII.lowercased).elementsEqual(secondHost.lazy.map(ASCII.lowercased))
    }

    /// The host, in its brackets if it has them, and the digits of the port; if the port is not one, all is host.
    private static func parts(_ bytes: ArraySlice<UInt8>) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
        guard let colon = bytes.lastIndex(of: ASCII.colon), bytes.endIndex - colon <= 6,
            bytes[(colon + 1)...].allSatisfy(ASCII.isDigit)
        else { return (bytes, []) }
        return (bytes[..<colon], bytes[(colon + 1)...])
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ absent: Int) -> Int {
        digits.isEmpty ? absent : digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private static func literalEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let inside = bytes[..<end].dropFirst()
        let isAddress = inside.allSatisfy {
            ASCII.hexValue($0) != nil || $0 == ASCII.colon || $0 == UInt8(ascii: ".")
        }
        let isFuture = inside.first.map(ASCII.lowercased) == UInt8(ascii: "v") && inside.allSatisfy(isNameByte)
        return isAddress && inside.contains(ASCII.colon) || isFuture ? end + 1 : nil
    }

    /// The end of a registered name or IPv4 address: unreserved, percent-encoded or sub-delimiter bytes.
    private static func nameEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index < bytes.endIndex, bytes[index] != ASCII.colon {
            let byte = bytes[index]
            if byte == ASCII.percent {
                guard index + 2 < bytes.endIndex, ASCII.hexValue(bytes[index + 1]) != nil,
                    ASCII.hexValue(bytes[index + 2]) != nil
                else { return nil }
                index += 3
            } else {
                guard isNameByte(byte) else { return nil }
                index += 1
            }
        }
        return index > bytes.startIndex ? index : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
