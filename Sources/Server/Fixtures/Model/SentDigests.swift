// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText

/// Digests of what the requests of a recorded stub had where no matcher asks, such as a token, a trace id or the time of a clock: a request that has the
/// same gets the response that it got.
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

    /// A request as far as places can name it.
    package struct Message {
        package var fields: [(name: String, value: [UInt8])]
        package var target: [UInt8]
        package var content: [UInt8]

        package init(fields: [(name: String, value: [UInt8])], target: [UInt8], content: [UInt8]) {
            self.fields = fields
            self.target = target
            self.content = content
        }
    }

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

    /// What a digest is made of: the same for the same values.
    package static func content(of values: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for value in values {
            Array("\(value.count)\n".utf8).withUnsafeBytes { hash.combine($0) }
            value.withUnsafeBytes { hash.combine($0) }
        }
        return hash.digest
    }

    /// The digest, which is another in each group and place, so that nobody sees where else the same was sent.
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

    /// - Returns: nil for a text that is none of a place.
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

    /// The values that a request has there, in their order.
    package func values(in message: SentDigests.Message) -> [[UInt8]] {
        switch self {
        case .header(let name):
            return message.fields.filter { $0.name.lowercased() == name }.map(\.value)
        case .cookie(let name):
            let lines = message.fields.filter { $0.name.lowercased() == "cookie" }
            return lines.flatMap { FieldText.cookies(of: String(decoding: $0.value, as: UTF8.self)) }
                .filter { $0.name == name }.map { Array($0.value.utf8) }
        case .parameter(let name):
            guard let question = message.target.firstIndex(of: UInt8(ascii: "?")) else { return [] }
            return QueryText.pairs(of: message.target[(question + 1)...])
                .filter { QueryText.decoded($0.name) == name }.map { Array($0.value ?? []) }
        case .target: return [message.target]
        case .content: return [message.content]
        }
    }
}
