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

        var isOfAddresses: Bool { if case .addresses = self { true } else { false } }
    }

    /// A rule that cannot be read: if it matched nothing instead, the targets that it denies would be asked.
    package struct Mistake: Error, CustomStringConvertible {
        let rule: String
        package var description: String {
            "\"\(rule)\" is not a rule for targets; write an address (10.0.0.1, ::1), the first and the last of a range "
                + "(10.0.0.0-10.255.255.255), or a name without its port, in ASCII, with * for any text (*.example.com)"
        }
    }

    private let allowed: [Rule]
    private let denied: [Rule]

    /// - Parameters:
    ///   - allowed: rules for the servers that may be asked; empty for all.
    ///   - denied: rules for those among them that may not.
    package init(allowed: [String], denied: [String]) throws(Mistake) {
        var rules: [[Rule]] = []
        for texts in [allowed, denied] {
            var read: [Rule] = []
            for text in texts { read.append(try Self.rule(text)) }
            rules.append(read)
        }
        (self.allowed, self.denied) = (rules[0], rules[1])
    }

    private static func rule(_ text: String) throws(Mistake) -> Rule {
        if let one = address(text) { return .addresses(one, one) }
        let ends = text.split(ascii: "-").map { address(String($0.trimmingBlanks)) }
        if ends.count == 2, let first = ends[0], let last = ends[1], first.count == last.count,
            !last.lexicographicallyPrecedes(first)
        {
            return .addresses(first, last)
        }
        var name = Array(text.lowercased().utf8)
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        // A name that is digits, dots and stars alone is part of an address, which a name that leads to it would go past.
        let isOfNumbers =
            name.contains(where: ASCII.isDigit) && name.allSatisfy { ASCII.isDigit($0) || ".*".utf8.contains($0) }
        guard !name.isEmpty, !isOfNumbers, !ends.contains(where: { $0 != nil }),
            name.allSatisfy({ isOfName($0) || $0 == UInt8(ascii: "*") })
        else { throw Mistake(rule: text) }
        return .name(name)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || "-._".utf8.contains(byte)
    }

    /// The bytes of an address; those of IPv4 for one of IPv6 that stands for it (RFC 4291 §2.5.5.2).
    static func address(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Why the server of a URL may not be asked, as far as its name says; nil if it may.
    ///
    /// The address that the name leads to is judged when it is known. A proxy looks the name up by itself, so that the address stays unknown:
    /// then only a name can be allowed, and no name can be shown to lead past the denied addresses.
    package func refusal(of url: String, isProxied: Bool) -> String? {
        let host = Self.host(of: url)
        if Self.address(host) != nil { return refusal(of: url, at: host) }
        // libcurl decodes percent signs, and has other ways to write letters beyond ASCII.
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfName) else {
            return "the rules of targets judge no such host; write it in ASCII, without percent signs"
        }
        if denied.contains(where: { Self.meets($0, name: host) }) { return Self.isDenied }
        if isProxied, denied.contains(where: \.isOfAddresses) {
            return "the proxy looks the name up, and addresses are denied; ask without the proxy, or deny names alone"
        }
        let mayBe = allowed.isEmpty || allowed.contains { Self.meets($0, name: host) || $0.isOfAddresses && !isProxied }
        return mayBe ? nil : Self.isNotAllowed
    }

    /// Why the server of a URL may not be asked at an address; nil if it may.
    package func refusal(of url: String, at text: String) -> String? {
        let host = Self.host(of: url)
        var addresses = [Self.address(text)].compactMap(\.self)
        // The address for none leads to this machine, too.
        if let only = addresses.first, only.allSatisfy({ $0 == 0 }) {
            addresses.append(only.count == 4 ? [127, 0, 0, 1] : Array(only.dropLast()) + [1])
        }
        func meets(_ rule: Rule) -> Bool {
            if Self.meets(rule, name: host) { return true }
            guard case .addresses(let first, let last) = rule else { return false }
            return addresses.contains {
                $0.count == first.count && !$0.lexicographicallyPrecedes(first) && !last.lexicographicallyPrecedes($0)
            }
        }
        if denied.contains(where: meets) { return Self.isDenied }
        return allowed.isEmpty || allowed.contains(where: meets) ? nil : Self.isNotAllowed
    }

    private static let isDenied = "the server is among the denied targets"
    private static let isNotAllowed = "the server is not one that may be asked; name it among the allowed targets"

    static func host(of url: String) -> String {
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

/// The addresses of a server that libcurl has tried in turn, as the rules for targets judge them.
struct JudgedAddresses {
    /// Why the last of them is forbidden; nil once one was allowed.
    private(set) var denial: String?
    private var isOneAllowed = false

    /// - Parameter refusal: why the rules forbid the address; nil if they allow it.
    /// - Returns: whether it may be connected to.
    mutating func add(_ refusal: String?) -> Bool {
        isOneAllowed = isOneAllowed || refusal == nil
        denial = isOneAllowed ? nil : refusal
        return refusal == nil
    }
}
