// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A Set-Cookie line as the client of a proxy sees it.
package enum SeenCookie {
    /// The same for bytes, which need not be UTF-8: each stands for the character of its number.
    package static func bytes(_ value: ArraySlice<UInt8>, isSecure: Bool) -> [UInt8] {
        Latin1.bytes(text(Latin1.text(value), isSecure: isSecure))
    }

    /// Without Domain, which is not the proxy's; for a client without TLS without what holds for TLS alone.
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
}
