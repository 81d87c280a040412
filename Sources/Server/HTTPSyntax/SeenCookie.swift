// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A Set-Cookie line as the client of a proxy or of a recorded stub sees it.
package enum SeenCookie {
    /// The lines as bytes, which need not be UTF-8: each byte stands for the character of its number.
    package static func lines(_ value: ArraySlice<UInt8>, isSecure: Bool) -> [[UInt8]] {
        lines(Latin1.text(value), isSecure: isSecure).map { Latin1.bytes($0) }
    }

    /// The line, or two of a cookie whose name asks for Secure (RFC 6265bis §4.1.3), for a client without TLS: a browser takes the first, as
    /// this machine's own names are safe to it, and drops the second; other clients do not send a cookie with Secure, and take the second.
    package static func lines(_ value: String, isSecure: Bool) -> [String] {
        let name = value.prefix(before: "=").lowercased().utf8
        let needsSecure = ["__host-", "__secure-"].contains { name.starts(with: $0.utf8) }
        let line = text(value, isSecure: isSecure)
        return needsSecure && !isSecure ? [text(value, isSecure: true), line] : [line]
    }

    /// The line without Domain, which is not the host that the client calls, and for a client without TLS also without the attributes that need TLS.
    package static func text(_ value: String, isSecure: Bool) -> String {
        let parts = value.split(ascii: ";", omittingEmptySubsequences: false)
        let kept = parts.dropFirst().filter { attribute in
            let sides = attribute.split(ascii: "=", maxSplits: 1).map { $0.trimmingBlanks.lowercased() }
            switch sides.first {
            case "domain": return false
            case "secure", "partitioned": return isSecure
            // A browser takes SameSite=None only together with Secure.
            case "samesite": return isSecure || sides.last != "none"
            default: return true
            }
        }
        return (parts.prefix(1) + kept).joined(separator: ";")
    }

    /// The line with its Expires date moved by some seconds if it is later than a moment; a removed cookie stays removed.
    package static func moved(_ value: String, by seconds: Int, from moment: Int) -> String {
        value.split(ascii: ";", omittingEmptySubsequences: false).enumerated().map { index, part in
            let sides = part.split(ascii: "=", maxSplits: 1)
            guard index > 0, sides.count == 2, sides[0].trimmingBlanks.lowercased() == "expires",
                // Netscape's form has hyphens in the date.
                let end = HTTPDate.parse(
                    String(sides[1].trimmingBlanks).replacing(bytesOf: "-", with: " "), now: moment),
                end > moment
            else { return String(part) }
            return "\(sides[0])=\(HTTPDate.format(end + seconds))"
        }.joined(separator: ";")
    }
}
