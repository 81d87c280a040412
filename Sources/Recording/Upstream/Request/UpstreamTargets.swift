// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The servers that may be asked, by their names and by the addresses that these lead to.
///
/// A rule is an address, a range of addresses with a hyphen between, or a name, in which `*` stands for any text.
package struct UpstreamTargets: Sendable {
    private enum Rule: Sendable {
        /// In lower case.
        case name([UInt8])
        /// The bytes of the first address and of the last, 4 or 16 of each.
        case addresses([UInt8], [UInt8])
    }

    private let allowed: [Rule]
    private let denied: [Rule]

    /// - Parameters:
    ///   - allowed: rules for the servers that may be asked; empty for all.
    ///   - denied: rules for those among them that may not.
    package init(allowed: [String], denied: [String]) {
        self.allowed = allowed.map(Self.rule)
        self.denied = denied.map(Self.rule)
    }

    private static func rule(_ text: String) -> Rule {
        if let one = address(text) { return .addresses(one, one) }
        let ends = text.split(ascii: "-").map { address(String($0.trimmingBlanks)) }
        if ends.count == 2, let first = ends[0], let last = ends[1], first.count == last.count {
            return .addresses(first, last)
        }
        return .name(Array(text.lowercased().utf8))
    }

    /// The bytes of an address; those of IPv4 for one of IPv6 that stands for it (RFC 4291 §2.5.5.2).
    private static func address(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Whether the server of a URL may be asked, as far as its name says; the address that the name leads to may be one that may not.
    package func mayTake(_ url: String) -> Bool {
        let host = Self.host(of: url)
        if Self.address(host) != nil { return take(url, at: host) }
        if denied.contains(where: { Self.meets($0, name: host) }) { return false }
        let mayBeAllowedByAddress = allowed.contains { if case .addresses = $0 { true } else { false } }
        return allowed.isEmpty || mayBeAllowedByAddress || allowed.contains { Self.meets($0, name: host) }
    }

    /// Whether the server of a URL may be asked at an address.
    package func take(_ url: String, at text: String) -> Bool {
        let host = Self.host(of: url)
        let address = Self.address(text)
        func meets(_ rule: Rule) -> Bool {
            if Self.meets(rule, name: host) { return true }
            guard case .addresses(let first, let last) = rule, let address, address.count == first.count else {
                return false
            }
            return !address.lexicographicallyPrecedes(first) && !last.lexicographicallyPrecedes(address)
        }
        return !denied.contains(where: meets) && (allowed.isEmpty || allowed.contains(where: meets))
    }

    private static func host(of url: String) -> String {
        let start = url.utf8.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
        let authority = Array(url[start...].utf8.prefix { $0 != ASCII.slash && $0 != ASCII.question && $0 != 0x23 })
        return String(decoding: Authority.host(authority[...]), as: UTF8.self).lowercased()
    }

    private static func meets(_ rule: Rule, name: String) -> Bool {
        guard case .name(let pattern) = rule else { return false }
        let name = Array(name.utf8)
        // The place behind the last star, and the end of the text that it stands for: that grows if the rest does not fit.
        var star: (pattern: Int, name: Int)?
        var (inPattern, inName) = (0, 0)
        while inName < name.count {
            if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") {
                inPattern += 1
                star = (inPattern, inName)
            } else if inPattern < pattern.count, pattern[inPattern] == name[inName] {
                inPattern += 1
                inName += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (inPattern, inName) = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
