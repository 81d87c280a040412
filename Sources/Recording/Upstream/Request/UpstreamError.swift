// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why there is no response, or no more of it.
package struct UpstreamError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The host's name has no address.
        case resolve
        case connect
        /// A certificate or key was refused or cannot be read, or no way to speak TLS was found.
        case tls
        case timeout(Timeout)
        /// The task was cancelled, or the client ended.
        case cancelled
        /// The server closed early or did not speak HTTP.
        case `protocol`
        /// The response is beyond one of the client's limits.
        case tooLarge
        /// libcurl is not installed, or not of use.
        case libraryMissing
        /// The request cannot be sent as it is written.
        case invalid
        /// The source of the request's content threw, or gave another length than it said.
        case requestBody
    }

    package enum Timeout: Hashable, Sendable {
        case connect, whole, idle
    }

    /// A closer reason, if libcurl has one.
    package enum Reason: Hashable, Sendable {
        /// The server's certificate is not of an authority that is trusted, or not of this name.
        case untrustedCertificate
        /// The server wants a certificate of the client, which has none.
        case clientCertificateRequired
        /// The client's certificate was refused, or cannot be read.
        case clientCertificateRefused
        /// The connection or the stream ended before the response did.
        case connectionLost
    }

    package let kind: Kind
    package let reason: Reason?
    /// The request's URL, without credentials.
    package let url: String
    /// The failure, in libcurl's words if it has some, and the way out.
    package let text: String

    package init(_ kind: Kind, _ reason: Reason? = nil, url: String, _ text: String) {
        self.kind = kind
        self.reason = reason
        self.url = Self.withoutCredentials(url)
        self.text = text
    }
}

extension UpstreamError: CustomStringConvertible {
    package var description: String { "\(url): \(text)" }
}

extension UpstreamError {
    /// Where the user information of a URL begins and the sign after it.
    private static func credentials(_ url: String) -> Range<String.Index>? {
        guard let scheme = url.utf8.firstRange(of: "://".utf8) else { return nil }
        let rest = url[scheme.upperBound...]
        let authority = rest[..<(rest.utf8.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex)]
        guard let sign = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        return authority.startIndex..<url.utf8.index(after: sign)
    }

    static func hasCredentials(_ url: String) -> Bool { credentials(url) != nil }

    private static func withoutCredentials(_ url: String) -> String {
        guard let range = credentials(url) else { return url }
        return String(url[..<range.lowerBound] + url[range.upperBound...])
    }
}
