// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Compares texts in which placeholders stand.
package enum Placeholders {
    /// Whether a text is a placeholder and nothing else.
    package static func isWhole(_ text: String) -> Bool {
        return Array(text.utf8).withUnsafeBufferPointer(Placeholder.isWhole)
    }

    /// Whether a placeholder stands somewhere in a text.
    package static func stand(in text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer(Placeholder.stands)
    }

    /// The name behind `redacted.` in the first placeholder of a text; nil if there is none.
    package static func firstName(in text: String) -> String? {
        guard stand(in: text) else { return nil }
        return Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard
                let index = bytes.indices.first(where: {
                    bytes.has(Placeholder.start, at: $0) || TokenPlaceholder.find(in: bytes, at: $0) != nil
                })
            else { return nil }
            if let token = TokenPlaceholder.find(in: bytes, at: index) {
                return String(token.name.dropFirst(Placeholder.start.count))
            }
            let start = index + Placeholder.start.count
            let end = bytes.end(of: .placeholder, from: start, limit: index + Placeholder.limit)
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }

    /// The whole name of a text that is a placeholder and nothing else; nil for any other.
    package static func name(of text: String) -> String? {
        guard isWhole(text) else { return nil }
        return firstName(in: text).map { String(decoding: Placeholder.start, as: UTF8.self) + $0 }
    }

    /// A pattern of the placeholders of a name that have the form of a value; nil if it has none of these.
    package static func formPattern(_ name: String, like value: [UInt8]) -> String? {
        TokenPlaceholder.pattern(name, like: value)
            ?? UUIDPlaceholder.text(name, like: value).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether placeholders stand in a text.
    package static func stand(in text: [UInt8]) -> Bool { text.withUnsafeBufferPointer(Placeholder.stands) }

    /// Whether two texts are the same but for the names of their placeholders, which say where a secret was met first, and not which secret it is.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) || areEqual(Array(left.utf8), Array(right.utf8))
    }

    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        let one = left.withUnsafeBufferPointer(nameless)
        guard let one, let other = right.withUnsafeBufferPointer(nameless) else { return false }
        return one == other
    }

    /// A text whose placeholders have no names.
    package static func nameless(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer(nameless) ?? text
    }

    /// A text in which placeholders have other names, in the form that they have; nil if none of them stands in it.
    ///
    /// - Parameter names: the new names by the old.
    package static func renamed(_ text: [UInt8], _ names: [String: String]) -> [UInt8]? {
        text.withUnsafeBufferPointer { text in
            // A UUID does not show its name.
            let uuids = Dictionary(
                names.map { (UUIDPlaceholder.text($0.key), UUIDPlaceholder.text($0.value)) },
                uniquingKeysWith: { first, _ in first })
            var output: [UInt8] = []
            var copied = 0
            var index = 0
            while index < text.count {
                var end = index + 1
                var renamed: [UInt8]?
                if text[index] == Placeholder.start[0], text.has(Placeholder.start, at: index) {
                    end = text.end(of: .placeholder, from: index, limit: index + Placeholder.limit)
                    renamed = names[String(decoding: text[index..<end], as: UTF8.self)].map { Array($0.utf8) }
                } else if let formed = Placeholder.formed(in: text, at: index) {
                    end = formed.end
                    let form = Array(text[index..<end])
                    renamed =
                        formed.name.map { name in names[name].map { TokenPlaceholder.renamed(form, to: $0) } }
                        ?? uuids[form]
                }
                if let renamed {
                    output += text[copied..<index]
                    output += renamed
                    copied = end
                }
                index = end
            }
            return copied == 0 ? nil : output + text[copied...]
        }
    }

    /// A text with other claims in the placeholders that are tokens; nil if none changes.
    ///
    /// - Parameter claims: those of a token by its own, both as JSON.
    package static func rewritten(_ text: [UInt8], claims: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        text.withUnsafeBufferPointer { text in
            var output: [UInt8] = []
            var copied = 0
            var index = 0
            while let start = text[index...].firstIndex(of: TokenPlaceholder.first) {
                guard let end = TokenPlaceholder.find(in: text, at: start)?.end,
                    let known = TokenPlaceholder.claims(in: text, start..<end)
                else {
                    index = start + 1
                    continue
                }
                let others = claims(known)
                if others != known {
                    output += text[copied..<start]
                    output += TokenPlaceholder.claiming(others, in: Array(text[start..<end]))
                    copied = end
                }
                index = end
            }
            return copied == 0 ? nil : output + text[copied...]
        }
    }

    /// Whether a placeholder that is a token has a claim.
    package static func hasClaim(_ name: String, in text: [UInt8]) -> Bool {
        var isFound = false
        _ = rewritten(text) { claims in
            isFound = isFound || (try? JSONParser.parse(claims))?[name] != nil
            return claims
        }
        return isFound
    }

    /// A text with another value for a claim that placeholders have; nil if none changes.
    package static func claiming(_ name: String, _ value: String, in text: [UInt8]) -> [UInt8]? {
        rewritten(text) { claims in
            guard var object = (try? JSONParser.parse(claims))?.object,
                let index = object.members.firstIndex(where: { $0.name == name })
            else { return claims }
            object.members[index] = .init(name: name, value: .string(value))
            return JSONWriter.compact(JSONNode(.object(object)))
        }
    }

    /// A text whose placeholders have no names; nil if there is none.
    private static func nameless(_ text: Bytes) -> [UInt8]? {
        guard Placeholder.stands(in: text) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == Placeholder.start[0], text.has(Placeholder.start, at: index) {
                output += Placeholder.start
                index = text.end(of: .placeholder, from: index, limit: index + Placeholder.limit)
            } else if let formed = Placeholder.formed(in: text, at: index) {
                output += Placeholder.start
                index = formed.end
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }
}
