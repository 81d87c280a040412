// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// The upstreams as one client sees them: each has the proxy's scheme and name, by which the client called, and a port of its own.
package struct ProxyView: Sendable {
    /// The upstreams' origins.
    package let origins: [String]
    /// The base URLs by which the client calls them, in the same order.
    package let bases: [String]
    package let isSecure: Bool
    private let rewriter: OriginRewriter
    private let scanner: OriginScanner

    package init(origins: [String], bases: [String], isSecure: Bool) {
        self.origins = origins
        self.bases = bases
        self.isSecure = isSecure
        rewriter = OriginRewriter(zip(origins, bases).map { (origin: $0, base: $1) })
        scanner = OriginScanner(origins)
    }

    /// A rewriter that points the upstreams' URLs at their proxies in text that comes piece by piece.
    package var streamRewriter: OriginRewriter { rewriter }

    /// A text with the upstreams' URLs pointing at their proxies.
    package func rewritten(_ text: [UInt8]) -> [UInt8] {
        scanner.mayStand(in: text) ? rewriter.rewritten(text) : text
    }

    /// A URL or an origin that the client made from a base, as the upstream is to see it.
    package func upstream(_ url: String) -> String {
        for (base, origin) in zip(bases, origins) where url.hasPrefix(base) {
            let rest = url.dropFirst(base.count)
            if rest.isEmpty || "/?#".contains(rest.first ?? "/") { return origin + rest }
        }
        return url
    }
}

/// Tells quickly that no origin stands in a text, by looking for their hosts: these are written in one way.
private struct OriginScanner: Sendable {
    /// A host with its port, and by how much the search moves on past each byte (Boyer, Moore and Horspool).
    private struct Needle {
        var bytes: [UInt8]
        var shifts: [Int]
    }

    private let needles: [Needle]

    init(_ origins: [String]) {
        needles = origins.compactMap { origin in
            let bytes = Array((origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]).utf8)
            guard !bytes.isEmpty else { return nil }
            var shifts = [Int](repeating: bytes.count, count: 256)
            for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
            return Needle(bytes: bytes, shifts: shifts)
        }
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
                    var index = last
                    while index >= 0, text[end - last + index] == bytes[index] { index -= 1 }
                    if index < 0 { return true }
                    end += shifts[Int(text[end])]
                }
                return false
            }
        }
    }
}
