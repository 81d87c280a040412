// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The origin of a page as browsers send it (RFC 6454 §6.2): in lower case, without the port of its scheme, or `null`.
package enum PageOrigin {
    private static let ports = ["http": ":80", "https": ":443", "ws": ":80", "wss": ":443", "ftp": ":21"]

    /// The origin that a text means, of any scheme: hybrid apps have their own. Nil for a text that is not an origin.
    package static func parse(_ text: String) -> String? {
        let lowered = text.lowercased()
        if lowered == "null" { return lowered }
        guard let separator = lowered.firstRange(of: "://") else { return nil }
        let scheme = lowered[..<separator.lowerBound]
        var authority = lowered[separator.upperBound...]
        if authority.utf8.last == UInt8(ascii: "/") { authority.removeLast() }
        let isScheme =
            scheme.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
            && scheme.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || "+-.".utf8.contains($0)
            }
        let isAuthority =
            !authority.isEmpty
            && authority.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@\\,*".utf8.contains($0) }
        guard isScheme, isAuthority else { return nil }
        if let port = ports[String(scheme)], authority.hasSuffix(port) {
            authority = authority.dropLast(port.utf8.count)
            if authority.isEmpty { return nil }
        }
        return "\(scheme)://\(authority)"
    }
}
