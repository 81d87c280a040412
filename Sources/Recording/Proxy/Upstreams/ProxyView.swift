// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// The upstreams as one client sees them: each has the proxy's scheme and name, by which the client called, and a port of its own.
package final class ProxyView: Sendable {
    /// The upstreams' origins.
    package let origins: [String]
    /// The base URLs by which the client calls them, in the same order.
    package let bases: [String]
    package let isSecure: Bool
    /// The entity tags that clients have been given another form of.
    let tags: WeakenedTags
    private let rewriter: OriginRewriter
    private let scanner: OriginScanner
    private let returning: OriginRewriter
    private let returningScanner: OriginScanner

    package init(origins: [String], bases: [String], isSecure: Bool, tags: WeakenedTags = WeakenedTags()) {
        self.origins = origins
        self.bases = bases
        self.isSecure = isSecure
        self.tags = tags
        rewriter = OriginRewriter(zip(origins, bases).map { (origin: $0, base: $1) }, keepsIssuers: true)
        scanner = OriginScanner(origins)
        returning = OriginRewriter(zip(bases, origins).map { (origin: $0, base: $1) })
        returningScanner = OriginScanner(bases)
    }

    /// A rewriter that points the upstreams' URLs at their proxies in text that comes piece by piece.
    ///
    /// - Returns: nil for a media type whose content passes as it is.
    package func streamRewriter(for mediaType: String) -> ContentOrigins? {
        ContentOrigins(rewriter, mediaType: mediaType)
    }

    /// Whether an upstream's URL may stand in bytes; if none does it is seen quickly.
    func mayStand(in bytes: [UInt8]) -> Bool { scanner.mayStand(in: bytes) }

    /// A text with the upstreams' URLs pointing at their proxies.
    ///
    /// - Parameter mediaType: empty for a text by itself, such as a line's value.
    package func rewritten(_ text: [UInt8], mediaType: String = "") -> [UInt8] {
        guard scanner.mayStand(in: text) else { return text }
        return ContentOrigins(rewriter, mediaType: mediaType)?.rewritten(text) ?? text
    }

    /// A text of the client with the proxies' URLs pointing at the upstreams, as these know them.
    package func returned(_ text: [UInt8], mediaType: String = "") -> [UInt8] {
        guard returningScanner.mayStand(in: text) else { return text }
        return ContentOrigins(returning, mediaType: mediaType)?.rewritten(text) ?? text
    }

    package func returned(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let returned = returned(bytes)
        return returned == bytes ? text : String(decoding: returned, as: UTF8.self)
    }
}

/// Finds quickly that no origin stands in a text, by looking for their hosts, which are written in one way but for their case.
private struct OriginScanner: Sendable {
    /// A host in lower case, and by how much the search moves on past each byte (Boyer, Moore and Horspool): 0 for the last, behind which the
    /// others are compared.
    private struct Needle {
        var bytes: [UInt8]
        var shifts: [Int]
        /// By how much it moves on if they are others.
        var next: Int
    }

    private let needles: [Needle]

    init(_ origins: [String]) {
        needles = Set(origins.map { Self.host(of: $0) }).sorted().compactMap { host in
            let bytes = Array(host.utf8)
            guard !bytes.isEmpty else { return nil }
            var needle = Needle(bytes: bytes, shifts: [Int](repeating: bytes.count, count: 256), next: bytes.count)
            for (index, byte) in bytes.enumerated() {
                let shift = bytes.count - 1 - index
                if shift == 0 { needle.next = needle.shifts[Int(byte)] }
                needle.shifts[Int(byte)] = shift
                if byte &- 0x61 < 26 { needle.shifts[Int(byte & 0xDF)] = shift }
            }
            return needle
        }
    }

    /// Without scheme and port, and for an IPv6 address the text in its brackets: their surroundings have several spellings.
    private static func host(of origin: String) -> String {
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        return String(UpstreamOrigin.parts(authority.lowercased()).host.drop { $0 == "[" }.prefix { $0 != "]" })
    }

    func mayStand(in text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in needles.contains { Self.stands($0, in: text) } }
    }

    private static func stands(_ needle: Needle, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let last = needle.bytes.count - 1
        return needle.bytes.withUnsafeBufferPointer { bytes in
            needle.shifts.withUnsafeBufferPointer { shifts in
                var end = last
                while end < text.count {
                    let shift = shifts[Int(text[end])]
                    end &+= shift
                    if shift > 0 { continue }
                    var index = last - 1
                    while index >= 0, ASCII.lowercased(text[end - last + index]) == bytes[index] { index -= 1 }
                    if index < 0 { return true }
                    end &+= needle.next
                }
                return false
            }
        }
    }
}
