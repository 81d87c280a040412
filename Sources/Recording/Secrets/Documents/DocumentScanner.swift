// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Finds the secrets in content, by the kind of document that it is.
struct DocumentScanner {
    let bytes: Bytes
    let strictness: TextScanner.Strictness
    let known: ValueIndex
    /// The word that places begin with: whose content it is.
    let base: String
    var paths: [JSONPlace] = []
    /// Whose values stay.
    var allowedPaths: [JSONPlace] = []
    /// Where values begin that are replaced whatever they are.
    var chosen: Set<Int> = []
    /// The recorded texts of strings, with placeholders in them, by where the strings begin.
    var recorded: [Int: String] = [:]
    var hits: [SecretHit] = []
    /// The namings of members, so that each name is looked up once: those of documents before this one, and those of
    /// this one.
    let namings: [String: JSONNaming] = JSONNaming.kept
    var found: [String: JSONNaming] = [:]

    init(_ bytes: Bytes, strictness: TextScanner.Strictness, known: ValueIndex, base: String) {
        self.bytes = bytes
        self.strictness = strictness
        self.known = known
        self.base = base
    }

    /// Whether the text was sent by a client, so that nothing in it is a text for people.
    var isOfRequest: Bool { base == MessageSide.request.rawValue }

    /// Whether a content of a media type is read by its type, and not by its looks.
    static func isReadByType(_ mediaType: String) -> Bool {
        let type = mediaType.lowercased()
        return type.hasPrefix("application/x-www-form-urlencoded") || type.hasPrefix("multipart/")
    }

    /// - Parameter mediaType: the value of Content-Type; empty if it is not known.
    mutating func find(mediaType: String) -> [SecretHit] {
        let type = mediaType.lowercased()
        if type.hasPrefix("application/x-www-form-urlencoded") {
            // JSON that is sent by `curl -d` is called a form.
            if !json(0..<bytes.count) { form(0..<bytes.count) }
        } else if type.hasPrefix("multipart/") {
            multipart()
        } else if !json(0..<bytes.count), !lines() {
            plain(isBrokenJSON: type.contains("json") || type.hasPrefix("text/event-stream"), mediaType: type)
        }
        if !found.isEmpty { JSONNaming.keep(found) }
        return hits.apart()
    }

    /// Looks through a part as one JSON text; false if it is not JSON.
    mutating func json(_ range: Range<Int>) -> Bool {
        guard let first = bytes[range].first(where: { !ByteClass.space.contains($0) }),
            "{[\"\u{FEFF}".utf8.contains(first),
            let node = try? JSONParser.parse(Array(bytes[range]))
        else { return false }
        visit(node, from: range.lowerBound)
        return true
    }

    /// Looks through a text as a JSON value per line; false if its first line is not an object or an array.
    private mutating func lines() -> Bool {
        guard let end = bytes.firstIndex(of: 0x0A), end > 1,
            bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "["),
            (try? JSONParser.check(Array(bytes[..<end]))) != nil
        else { return false }
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if !json(start..<end) { text(start..<end, isBrokenJSON: true) }
            start = end + 1
        }
        return true
    }

    /// Looks through a text that is not JSON: as one token, as a table, and as any text.
    private mutating func plain(isBrokenJSON: Bool, mediaType: String) {
        table(isNamed: mediaType.hasPrefix("text/csv") || mediaType.hasPrefix("text/tab-separated-values"))
        directives()
        if bytes.contains(UInt8(ascii: "<")) { pageTables() }
        text(0..<bytes.count, isBrokenJSON: isBrokenJSON)
        if hits.isEmpty, let token = wholeToken(0..<bytes.count) {
            hits.append(
                SecretHit(range: token, value: Array(bytes[token]), kind: .highEntropy, place: "\(base).token"))
        }
    }

    /// The token that is the whole text but for white space, as in responses of services that are asked for nothing
    /// else.
    private func wholeToken(_ range: Range<Int>) -> Range<Int>? {
        guard bytes.count <= 4096 + 8 else { return nil }
        let start = bytes.end(of: .space, from: range.lowerBound, limit: 8)
        let end = bytes.end(of: Self.token, from: start)
        guard end - start >= 16, bytes.end(of: .space, from: end) == bytes.count else { return nil }
        let value = bytes.slice(start..<end)
        let traits = TextTraits(value)
        guard traits.isToken(least: 16), traits.uppercase > 0, traits.lowercase > 0, traits.shannon >= 3.3,
            !traits.isWordy,
            !traits.isSlug, !traits.isFileName, !traits.isPublishable, !traits.isAddressOfChain, !traits.isContent,
            traits.changes * 10 >= 3 * (min(value.count, TextTraits.limit) - 1),
            strictness == .redaction || traits.isRealToken
        else { return nil }
        return start..<end
    }

    private static let token = ByteClass.run.union(".~")

    mutating func text(_ range: Range<Int>, isBrokenJSON: Bool = false) {
        let matches = TextScanner.matches(
            in: bytes.slice(range), strictness: strictness, known: known, trustsQuotedNames: isBrokenJSON || isOfRequest
        )
        for match in matches {
            add(
                match, at: range.lowerBound + match.range.lowerBound..<range.lowerBound + match.range.upperBound,
                place: nil)
        }
    }

    /// Adds a match that was found in a text.
    ///
    /// - Parameter place: the place of the text; nil for content without places of its own.
    mutating func add(_ match: SecretMatch, at range: Range<Int>, place: String?) {
        hits.append(
            SecretHit(
                range: range, value: match.value, kind: match.kind, place: match.place(in: place, base: base),
                spread: match.spread))
    }
}

extension SecretMatch {
    /// The place that names the placeholder.
    ///
    /// - Parameter place: the place of the text; nil for content without places of its own.
    func place(in place: String?, base: String) -> String {
        if isInQuery { return "query.\(name)" }
        if kind == .cookie { return "cookie.\(name)" }
        if !name.isEmpty, place != Placeholder.unnamed { return "\(place ?? base).\(name)" }
        return place ?? "\(base).\(kind.slug)"
    }
}
