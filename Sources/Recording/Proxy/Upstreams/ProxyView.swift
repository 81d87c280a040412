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
    /// Hosts in lower case.
    private let hosts: [[UInt8]]

    init(_ origins: [String]) {
        hosts = Set(origins.map { Self.host(of: $0) }).sorted().map { Array($0.utf8) }.filter { !$0.isEmpty }
    }

    /// Without scheme and port, and for an IPv6 address the text in its brackets: their surroundings have several spellings.
    private static func host(of origin: String) -> String {
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        return String(UpstreamOrigin.parts(authority.lowercased()).host.drop { $0 == "[" }.prefix { $0 != "]" })
    }

    func mayStand(in text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in
            hosts.contains { host in host.withUnsafeBufferPointer { Self.stands($0, in: text) } }
        }
    }

    /// Looks at many places at a time, whether the first and the last byte of a host may stand there.
    private static func stands(_ host: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let last = host.count - 1
        guard last < text.count, let base = text.baseAddress.map({ UnsafeRawPointer($0) }) else { return false }
        func isAt(_ place: Int) -> Bool {
            for index in host.indices where ASCII.lowercased(text[place + index]) != host[index] { return false }
            return true
        }
        // Two letters that differ in it alone are one in another case; other bytes that it makes alike are compared in full.
        let bit: UInt8 = 0x20
        let bits = Sixteen(repeating: bit)
        let (first, end) = (Sixteen(repeating: host[0] | bit), Sixteen(repeating: host[last] | bit))
        func mayStand(from place: Int) -> SIMD2<UInt64> {
            let starts = base.loadUnaligned(fromByteOffset: place, as: Sixteen.self) | bits
            let ends = base.loadUnaligned(fromByteOffset: place &+ last, as: Sixteen.self) | bits
            return unsafeBitCast((starts .== first) .& (ends .== end), to: SIMD2<UInt64>.self)
        }
        let step = 32
        var place = 0
        while place &+ last &+ step <= text.count {
            let found = mayStand(from: place) | mayStand(from: place &+ 16)
            if found[0] | found[1] != 0, (place..<(place &+ step)).contains(where: isAt) { return true }
            place &+= step
        }
        return (place..<max(place, text.count - last)).contains(where: isAt)
    }

    /// The compiler turns vectors of 16 bytes into instructions, and longer ones into calls.
    private typealias Sixteen = SIMD16<UInt8>
}
