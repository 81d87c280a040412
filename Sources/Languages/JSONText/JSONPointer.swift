// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The texts of JSON pointers (RFC 6901), read and written by bytes: `~` and `/` may carry an accent of their own.
package enum JSONPointer {
    private static let tilde = UInt8(ascii: "~")
    private static let slash = UInt8(ascii: "/")

    /// A pointer with one more token, which is a member's name.
    package static func appending(_ name: String, to pointer: String) -> String { pointer + "/" + escape(name) }

    /// A name as a token: `~` and `/` are `~0` and `~1` (§3).
    package static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == tilde || $0 == slash }) else { return name }
        var token: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case tilde: token += [tilde, UInt8(ascii: "0")]
            case slash: token += [tilde, UInt8(ascii: "1")]
            default: token.append(byte)
            }
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// The names that a pointer goes by; text before its first slash is not part of it. A `~` before anything but `0` and `1` stands for itself.
    package static func tokens(_ pointer: some StringProtocol) -> [String] {
        pointer.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst().map { unescape($0).name }
    }

    /// - Returns: nil unless it is a pointer (§3): a text that does not begin with a slash, or has a `~` before anything but `0` and `1`, is not.
    package static func tokens(strictly pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.utf8.first == slash else { return nil }
        var names: [String] = []
        for token in pointer.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst() {
            let (name, isRegular) = unescape(token)
            guard isRegular else { return nil }
            names.append(name)
        }
        return names
    }

    private static func unescape(_ token: some Sequence<UInt8>) -> (name: String, isRegular: Bool) {
        var name: [UInt8] = []
        var isRegular = true
        var isEscape = false
        for byte in token {
            guard isEscape || byte == tilde else {
                name.append(byte)
                continue
            }
            if isEscape {
                switch byte {
                case UInt8(ascii: "0"): name.append(tilde)
                case UInt8(ascii: "1"): name.append(slash)
                default:
                    name += [tilde, byte]
                    isRegular = false
                }
            }
            isEscape.toggle()
        }
        if isEscape { name.append(tilde) }
        return (String(decoding: name, as: UTF8.self), isRegular && !isEscape)
    }
}

extension JSONNode {
    /// The value behind one token of a pointer: an item by its index, or a member by its name; nil if there is none.
    package func child(_ token: String) -> JSONNode? {
        guard let array else { return self[token] }
        return Int(token).flatMap { array.indices.contains($0) ? array[$0] : nil }
    }
}
