// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText

/// Digests of the values that the requests of a recorded stub had where no matcher asks, such as a token, a trace id or the time of a clock: a request
/// with the same values gets the same response.
package struct SentDigests: Sendable {
    /// A place of a request, whose values are compared as bytes.
    package enum Place: Hashable, Sendable {
        /// By its name in lower case.
        case header(String)
        case cookie(String)
        case parameter(String)
        case target
        case content
    }

    /// The values of a request, by their places.
    package struct Message {
        package let fields: [(name: String, value: [UInt8])]
        package let cookies: [(name: String, value: [UInt8])]
        package let content: [UInt8]
        private var values: [Place: [[UInt8]]] = [:]

        package init(fields: [(name: String, value: [UInt8])], target: [UInt8], content: [UInt8]) {
            self.fields = fields.map { ($0.name.lowercased(), $0.value) }
            self.content = content
            cookies = self.fields.filter { $0.name == "cookie" }.flatMap { line in
                FieldText.cookies(of: String(decoding: line.value, as: UTF8.self)).map {
                    ($0.name, Array($0.value.utf8))
                }
            }
            values = [.target: [target], .content: [content]]
            for field in self.fields { values[.header(field.name), default: []].append(field.value) }
            for cookie in cookies { values[.cookie(cookie.name), default: []].append(cookie.value) }
            guard let question = target.firstIndex(of: UInt8(ascii: "?")) else { return }
            for pair in QueryText.pairs(of: target[(question + 1)...]) {
                values[.parameter(QueryText.decoded(pair.name)), default: []].append(Array(pair.value ?? []))
            }
        }

        /// The values at a place, in their order.
        package subscript(place: Place) -> [[UInt8]] { values[place] ?? [] }
    }

    /// Bytes of content that may have a digest. 64 KiB.
    package static let contentLimit = 64 * 1024

    /// The key of the stub for everybody, beside which the others of its requests stand; its own for that one.
    package let group: String
    package let isForEverybody: Bool
    /// The steps that a digest stands for, by the places in the order in which they count.
    package let places: [(place: Place, steps: [String: [Int]])]

    /// - Parameter recorded: a stub's `recorded`.
    /// - Returns: nil if it knows nothing of its requests.
    package init?(_ recorded: JSONNode) {
        guard let list = recorded[KeyName.sent.rawValue]?.array, let key = recorded[KeyName.key.rawValue]?.string
        else { return nil }
        let beside = recorded[KeyName.beside.rawValue]?.string
        group = beside ?? key
        isForEverybody = beside == nil
        places = list.compactMap { node in
            guard let place = node[KeyName.place.rawValue]?.string.flatMap(Place.init) else { return nil }
            var steps: [String: [Int]] = [:]
            for (step, texts) in (node[KeyName.digests.rawValue]?.array ?? []).enumerated() {
                for digest in (texts.string ?? "").split(ascii: " ") { steps[String(digest), default: []].append(step) }
            }
            return (place, steps)
        }
    }

    /// As a stub's `recorded` has them.
    ///
    /// - Parameter digests: of each step.
    package static func node(_ places: [(place: Place, digests: [[String]])]) -> JSONNode {
        .array(
            places.map { place, digests in
                var node = ObjectWriter()
                node.add(.place, text: place.text)
                node.add(.digests, texts: digests.map { $0.joined(separator: " ") })
                return node.node
            })
    }

    /// Hexadecimal digits of a digest: enough that no two of a stub's are the same by chance. 12.
    private static let digits = 12

    /// The input of a digest: the same for the same values.
    package static func content(of values: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for value in values {
            Array("\(value.count)\n".utf8).withUnsafeBytes { hash.combine($0) }
            value.withUnsafeBytes { hash.combine($0) }
        }
        return hash.digest
    }

    /// The digest, which differs in each group and place, so that it does not show where else the same value was sent.
    package static func text(of content: [UInt8], at place: Place, in group: String) -> String {
        String(SHA256.text(of: Array("\(group)\n\(place.text)\n".utf8) + content).prefix(digits))
    }
}

extension SentDigests.Place {
    package var text: String {
        switch self {
        case .header(let name): "header:\(name)"
        case .cookie(let name): "cookie:\(name)"
        case .parameter(let name): "query:\(name)"
        case .target: "target"
        case .content: "content"
        }
    }

    /// - Returns: nil if the text names no place.
    package init?(_ text: String) {
        switch text {
        case "target": self = .target
        case "content": self = .content
        case _ where text.hasPrefix("header:"): self = .header(String(text.dropFirst(7)))
        case _ where text.hasPrefix("cookie:"): self = .cookie(String(text.dropFirst(7)))
        case _ where text.hasPrefix("query:"): self = .parameter(String(text.dropFirst(6)))
        default: return nil
        }
    }
}
