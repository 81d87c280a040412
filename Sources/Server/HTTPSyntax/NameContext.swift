// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds by the text in front of a URL that it is a name, and not a place to ask: namespaces of XML, contexts and identifiers of JSON-LD and
/// JSON Schema.
enum NameContext {
    /// Bytes that are looked at. 256.
    private static let limit = 256
    /// Members of JSON.
    private static let members: [[UInt8]] = ["@context", "@vocab", "@base", "$id", "$schema"].map { Array($0.utf8) }
    /// The name of a signer of tokens (RFC 8414 §2), and the same as a parameter (RFC 9207 §2).
    private static let issuer = (member: Array("issuer".utf8), parameter: Array("iss".utf8))
    /// Attributes of XML, and those whose prefix is the first of them.
    private static let namespace = Array("xmlns".utf8)
    private static let targetNamespace = Array("targetNamespace".utf8)

    /// The bytes to be looked at in front of a text that goes on.
    static func last(of before: [UInt8], _ text: ArraySlice<UInt8>) -> [UInt8] {
        text.count >= limit ? Array(text.suffix(limit)) : Array((before + text).suffix(limit))
    }

    /// Whether the URL that begins at a place is a name.
    ///
    /// - Parameters:
    ///   - before: the bytes in front of the text.
    ///   - keepsIssuers: whether the name of an issuer is one.
    static func isName(at index: Int, in text: [UInt8], behind before: [UInt8], keepsIssuers: Bool) -> Bool {
        var place = Place(index: index, text: text, before: before, left: limit, keepsIssuers: keepsIssuers)
        let quote = place.previous()
        if keepsIssuers, quote == ASCII.equals { return place.isParameter() }
        guard let quote, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
        place.skipBlanks()
        switch place.previous() {
        case ASCII.colon: return quote == UInt8(ascii: "\"") && place.isMember()
        case UInt8(ascii: "="): return place.isNamespace()
        case UInt8(ascii: "["), ASCII.comma: return quote == UInt8(ascii: "\"") && place.isInList()
        default: return false
        }
    }

    /// A place in the bytes that is moved towards their beginning.
    private struct Place {
        var index: Int
        let text: [UInt8]
        let before: [UInt8]
        /// Bytes that may still be looked at.
        var left: Int
        let keepsIssuers: Bool

        mutating func previous() -> UInt8? {
            guard left > 0 else { return nil }
            left -= 1
            index -= 1
            if index >= 0 { return text[index] }
            return before.indices.contains(before.count + index) ? before[before.count + index] : nil
        }

        mutating func skipBlanks() {
            while true {
                let place = self
                guard let byte = previous(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) else {
                    self = place
                    return
                }
            }
        }

        /// The bytes back to one of these, which is taken.
        private mutating func back(to ends: Set<UInt8>) -> [UInt8] {
            var bytes: [UInt8] = []
            while let byte = previous(), !ends.contains(byte) { bytes.append(byte) }
            return bytes.reversed()
        }

        /// Whether the name of a member stands in front of its colon.
        mutating func isMember() -> Bool {
            skipBlanks()
            guard previous() == UInt8(ascii: "\"") else { return false }
            let name = back(to: [UInt8(ascii: "\"")])
            return NameContext.members.contains(name) || keepsIssuers && name == NameContext.issuer.member
        }

        /// Whether the name of an issuer's parameter stands in front of its equals sign.
        mutating func isParameter() -> Bool {
            back(to: [ASCII.question, ASCII.ampersand, ASCII.hash]) == NameContext.issuer.parameter
        }

        mutating func isNamespace() -> Bool {
            skipBlanks()
            let name = back(to: [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "<")])
            return name == NameContext.namespace || name == NameContext.targetNamespace
                || name.starts(with: NameContext.namespace + [ASCII.colon])
        }

        /// Whether strings alone stand between the place, which is behind a bracket or a comma, and the name of a member.
        mutating func isInList() -> Bool {
            index += 1
            while true {
                skipBlanks()
                switch previous() {
                case UInt8(ascii: "["):
                    skipBlanks()
                    return previous() == ASCII.colon && isMember()
                case ASCII.comma:
                    skipBlanks()
                    guard previous() == UInt8(ascii: "\"") else { return false }
                    _ = back(to: [UInt8(ascii: "\"")])
                default: return false
                }
            }
        }
    }
}
