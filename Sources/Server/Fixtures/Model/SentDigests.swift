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
        /// A field of a form, by its name decoded.
        case field(String)
        /// A member of JSON, in a list of each item.
        case member(JSONPlace)
        /// Of Authorization, in lower case (RFC 9110 §11.1).
        case scheme
        case path
        case target
        case content

        /// Whether it is of the target or of the content, and has a name that the user can give.
        package var isNamed: Bool {
            switch self {
            case .parameter, .field, .member, .path: true
            case .header, .cookie, .scheme, .target, .content: false
            }
        }

        /// Whether its value is found only by reading the content.
        package var isInContent: Bool {
            switch self {
            case .field, .member: true
            default: false
            }
        }
    }

    /// The values of a request, by their places.
    package struct Message {
        package let fields: [(name: String, value: [UInt8])]
        package let cookies: [(name: String, value: [UInt8])]
        package let content: [UInt8]
        private var values: [Place: [[UInt8]]] = [:]
        private var document: JSONNode?

        /// - Parameter readsContent: whether the fields of a form and the members of JSON are asked for.
        package init(
            fields: [(name: String, value: [UInt8])], target: [UInt8], content: [UInt8], readsContent: Bool
        ) {
            self.fields = fields.map { ($0.name.lowercased(), $0.value) }
            self.content = content
            cookies = self.fields.filter { $0.name == "cookie" }.flatMap { line in
                FieldText.cookies(of: String(decoding: line.value, as: UTF8.self)).map {
                    ($0.name, Array($0.value.utf8))
                }
            }
            let path = target.prefix { $0 != UInt8(ascii: "?") }
            values = [.target: [target], .content: [content], .path: [Array(path)]]
            for field in self.fields { values[.header(field.name), default: []].append(field.value) }
            for value in values[.header("authorization")] ?? [] {
                guard let end = value.firstIndex(of: ASCII.space) else { continue }
                let scheme = value[..<end].map(ASCII.lowercased)
                if schemes.contains(String(decoding: scheme, as: UTF8.self)) { values[.scheme] = [scheme] }
            }
            for cookie in cookies { values[.cookie(cookie.name), default: []].append(cookie.value) }
            for pair in QueryText.pairs(of: target.dropFirst(path.count + 1)) {
                values[.parameter(QueryText.decoded(pair.name)), default: []].append(Array(pair.value ?? []))
            }
            guard readsContent, content.count <= contentLimit else { return }
            document = try? JSONParser.parse(content)
            if document != nil { return }
            for pair in QueryText.pairs(of: content) {
                values[.field(QueryText.decoded(pair.name)), default: []].append(Array(pair.value ?? []))
            }
        }

        /// The text of the first string at a place between its quotes, with the escapes that the client chose; nil for another value.
        package func written(_ place: JSONPlace) -> [UInt8]? {
            guard let document, let node = place.values(in: document).first, node.string != nil else { return nil }
            let text = content[(node.offset + 1)...]
            var end = text.startIndex
            while end < text.endIndex, text[end] != ASCII.quote { end += text[end] == ASCII.backslash ? 2 : 1 }
            return Array(text[..<min(end, text.endIndex)])
        }

        /// The values at a place, in their order.
        package subscript(place: Place) -> [[UInt8]] {
            guard case .member(let place) = place else { return values[place] ?? [] }
            return document.map { place.values(in: $0).map(JSONWriter.compact) } ?? []
        }
    }

    /// Registered schemes (IANA), and those that services use: anything else may be the secret itself.
    private static let schemes: Set<String> = [
        "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "oauth",
        "privatetoken",
        "scram-sha-1", "scram-sha-256", "vapid", "ntlm", "token", "apikey", "hawk", "aws4-hmac-sha256", "jwt",
    ]

    /// Bytes of content that may have a digest. 64 KiB.
    package static let contentLimit = 64 * 1024

    /// The key of the stub for everybody, beside which the others of its requests stand; its own for that one.
    package let group: String
    package let isForEverybody: Bool
    /// In the place of the digest of a value that could be guessed.
    package static let noDigest = "-"
    /// The same, if such values got different responses.
    package static let mixed = "?"

    /// A place of values where no matcher asks.
    package struct Told: Sendable {
        package let place: Place
        /// Whether it told requests apart that nothing else tells apart.
        package let decides: Bool
        /// The steps that a digest stands for.
        package var steps: [String: [Int]] = [:]
        /// The steps whose request had a value without a digest.
        package var undigested: [Int]?
        /// Whether the values without digests got different responses.
        package var isMixed = false
    }

    /// In the order in which they count.
    package let places: [Told]
    /// The secrets in whose place the stub asks for a placeholder.
    package let handed: [Handed]
    /// The key of all stubs that tell requests apart by such secrets.
    package let family: String

    /// A place of secrets, what the stub asks for there, and digests of the secrets.
    package struct Handed: Sendable {
        package let place: Place
        package let placeholder: String
        package let digests: [String]

        package init(_ place: Place, _ placeholder: String, _ digests: [String]) {
            (self.place, self.placeholder, self.digests) = (place, placeholder, digests)
        }
    }

    /// - Parameter recorded: a stub's `recorded`.
    /// - Returns: nil if it knows nothing of its requests.
    package init?(_ recorded: JSONNode) {
        guard let list = recorded[KeyName.sent.rawValue]?.array, let key = recorded[KeyName.key.rawValue]?.string
        else { return nil }
        let beside = recorded[KeyName.beside.rawValue]?.string
        group = beside ?? key
        isForEverybody = beside == nil
        family = recorded[KeyName.base.rawValue]?.string ?? key
        handed = list.compactMap { node in
            guard let place = node[KeyName.place.rawValue]?.string.flatMap(Place.init),
                let placeholder = node[KeyName.placeholder.rawValue]?.string
            else { return nil }
            let texts = (node[KeyName.digests.rawValue]?.array ?? []).compactMap(\.string)
            return Handed(place, placeholder, texts.flatMap { $0.split(ascii: " ").map(String.init) })
        }
        places = list.compactMap { node in
            guard node[KeyName.placeholder.rawValue] == nil,
                let place = node[KeyName.place.rawValue]?.string.flatMap(Place.init)
            else { return nil }
            var told = Told(place: place, decides: node[KeyName.decides.rawValue]?.bool == true)
            for (step, texts) in (node[KeyName.digests.rawValue]?.array ?? []).enumerated() {
                for digest in (texts.string ?? "").split(ascii: " ").map(String.init) {
                    if digest == Self.noDigest || digest == Self.mixed {
                        told.undigested = (told.undigested ?? []) + [step]
                        told.isMixed = told.isMixed || digest == Self.mixed
                    } else {
                        told.steps[digest, default: []].append(step)
                    }
                }
            }
            return told
        }
    }

    /// As a stub's `recorded` has them.
    ///
    /// - Parameter digests: of each step.
    package static func node(
        _ places: [(place: Place, decides: Bool, digests: [[String]])], _ handed: [Handed]
    ) -> JSONNode {
        func node(_ place: Place, _ placeholder: String?, _ decides: Bool, _ digests: [[String]]) -> JSONNode {
            var node = ObjectWriter()
            node.add(.place, text: place.text)
            node.add(.placeholder, text: placeholder)
            node.add(.decides, if: decides)
            node.add(.digests, texts: digests.map { $0.joined(separator: " ") })
            return node.node
        }
        return .array(
            places.map { node($0.place, nil, $0.decides, $0.digests) }
                + handed.map { node($0.place, $0.placeholder, false, [$0.digests]) })
    }

    /// The digests of a stub, and the places of them that decided until now and vary by the user's word.
    package static func settled(_ sent: JSONNode, _ varies: (Place) -> Bool) -> (node: JSONNode, places: [String]) {
        var places: [String] = []
        let nodes = (sent.array ?? []).map { node in
            guard let text = node[KeyName.place.rawValue]?.string, let place = Place(text), varies(place),
                let object = node.object, node[KeyName.decides.rawValue]?.bool == true
            else { return node }
            places.append(text)
            return JSONNode(.object(JSONObject(object.members.filter { $0.name != KeyName.decides.rawValue })))
        }
        return (.array(nodes), places)
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
        case .field(let name): "form:\(name)"
        case .member(let place): place.path
        case .scheme: "scheme"
        case .path: "path"
        case .target: "target"
        case .content: "content"
        }
    }

    /// - Returns: nil if the text names no place.
    package init?(_ text: String) {
        switch text {
        case "scheme": self = .scheme
        case "path": self = .path
        case "target": self = .target
        case "content": self = .content
        case _ where text.hasPrefix("$"):
            guard let place = try? JSONPlace(text) else { return nil }
            self = .member(place)
        case _ where text.hasPrefix("form:"): self = .field(String(text.dropFirst(5)))
        case _ where text.hasPrefix("header:"): self = .header(String(text.dropFirst(7)))
        case _ where text.hasPrefix("cookie:"): self = .cookie(String(text.dropFirst(7)))
        case _ where text.hasPrefix("query:"): self = .parameter(String(text.dropFirst(6)))
        default: return nil
        }
    }
}
