// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// The differences between a response and the one in a fixture, in words; none if only volatile parts differ.
struct ResponseChanges {
    private(set) var notes: [String] = []

    var isEmpty: Bool { notes.isEmpty }

    /// - Parameter lines: names of header lines whose values are volatile.
    init(from old: RecordedResponse, to new: RecordedResponse, volatile: [VolatilePath], lines: [String] = []) {
        if old.status != new.status { notes.append("status \(old.status) → \(new.status)") }
        // HTTP/2 has no reason phrases: a missing one is not another.
        if let reason = new.reason, old.reason != reason {
            notes.append("reason \"\(old.reason ?? "")\" → \"\(reason)\"")
        }
        let body = Self.bodyChanges(old, new, volatile)
        notes += body
        let lines = Set(lines.map { $0.lowercased() })
        notes += Self.lineChanges(
            Self.withoutPlace(of: old.contentEncoding, old.headers),
            Self.withoutPlace(of: new.contentEncoding, new.headers), lines, bodyIsSame: body.isEmpty, "")
        notes += Self.lineChanges(old.trailers, new.trailers, lines, bodyIsSame: body.isEmpty, "trailer ")
        if old.isLatin1 != new.isLatin1 {
            notes.append("lines written in \(new.isLatin1 ? "ISO-8859-1" : "UTF-8")")
        }
        if old.contentEncoding != new.contentEncoding {
            notes.append("coding \(old.contentEncoding ?? "none") → \(new.contentEncoding ?? "none")")
        }
        if old.contentLength != new.contentLength, body.isEmpty { notes.append("content length changed") }
        if old.rewriteOrigins != new.rewriteOrigins { notes.append("rewritten origins changed") }
    }

    // MARK: Lines

    /// The names of lines that samples have, too, and with other values.
    static func lines(thatDifferFrom response: RecordedResponse, in others: [RecordedResponse]) -> [String] {
        var names: [String] = []
        for line in withoutPlace(of: response.contentEncoding, response.headers) where !names.contains(line.name) {
            let key = line.name.lowercased()
            if [.volatile, .dropped].contains(ResponseHeaders.treatment(of: key)) { continue }
            let values = response.values(of: key).map { comparable($0, key) }
            let differs = others.contains { other in
                if ResponseHeaders.treatment(of: key) == .ofBody, response.body.hasSameBytes(as: other.body) {
                    return false
                }
                let found = other.values(of: key).map { comparable($0, key) }
                return !found.isEmpty && found != values
            }
            if differs { names.append(line.name) }
        }
        return names
    }

    /// Lines without the line of the coding: the coding is compared by itself.
    private static func withoutPlace(of coding: String?, _ lines: [HeaderLine]) -> [HeaderLine] {
        coding == nil ? lines : lines.filter { $0.name.lowercased() != "content-encoding" }
    }

    private static func lineChanges(
        _ old: [HeaderLine], _ new: [HeaderLine], _ volatile: Set<String>, bodyIsSame: Bool, _ kind: String
    ) -> [String] {
        var names: [String] = []
        for line in old + new where !names.contains(where: { $0.lowercased() == line.name.lowercased() }) {
            names.append(line.name)
        }
        return names.compactMap { name in
            let key = name.lowercased()
            let before = old.filter { $0.name.lowercased() == key }.map(\.value)
            let after = new.filter { $0.name.lowercased() == key }.map(\.value)
            if before.isEmpty { return "\(kind)\(name) added" }
            if after.isEmpty { return "\(kind)\(name) removed" }
            if before.count == after.count,
                zip(before, after).allSatisfy({ Placeholders.areEqual(comparable($0, key), comparable($1, key)) })
            {
                return nil
            }
            if volatile.contains(key) { return nil }
            switch ResponseHeaders.treatment(of: key) {
            case .volatile, .dropped: return nil
            case .ofBody where bodyIsSame: return nil
            default: return "\(kind)\(name) changed"
            }
        }
    }

    /// A value without the parts that are of the moment.
    private static func comparable(_ value: String, _ name: String) -> String {
        switch name {
        case "set-cookie":
            value.split(ascii: ";").filter { part in
                !part.drop { $0 == " " }.lowercased().hasPrefix("expires=")
            }.joined(separator: ";")
        case "content-security-policy", "content-security-policy-report-only":
            value.split(ascii: " ").filter { !$0.hasPrefix("'nonce-") }.joined(separator: " ")
        case "content-type":
            RequestContent.multipartBoundary(of: value) == nil ? value : String(value.prefix(before: ";"))
        default: value
        }
    }

    // MARK: Bodies

    private static func bodyChanges(
        _ old: RecordedResponse, _ new: RecordedResponse, _ volatile: [VolatilePath]
    ) -> [String] {
        if old.body.hasSameBytes(as: new.body) { return [] }
        if hasSameParts(old, new) { return [] }
        if old.body.count == 0 { return ["a body of \(new.body.count) bytes"] }
        if new.body.count == 0 { return ["no body any more"] }
        let sizes = "\(old.body.count) bytes → \(new.body.count) bytes"
        guard case .bytes(let bytes) = new.body, new.isText, let before = old.body.text else { return [sizes] }
        guard let left = try? JSONParser.parse(before), let right = try? JSONParser.parse(bytes) else {
            if Placeholders.areEqual(before, bytes) { return [] }
            guard volatile.contains(where: { $0.path == "$" && $0.kind != .text }) else { return [sizes] }
            let isJSON = [before, bytes].contains { (try? JSONParser.check($0)) != nil }
            if !isJSON, TextMake(before).isLike(TextMake(bytes)) { return [] }
            return ["a text of another make: \(sizes)"]
        }
        let marks = volatile.filter { $0.kind != .text }
        let differences = JSONDifferences(left, right, volatile: marks).differences
        if differences.isEmpty, Placeholders.areEqual(before, bytes) { return [] }
        if differences.isEmpty { return volatile.isEmpty ? [textNote] : [] }
        return words(differences)
    }

    /// The note on JSON that is the same but written differently.
    private static let textNote = "white space, escapes or order of members"

    /// Whether nothing differs but how the JSON is written, which is noted once.
    var isOfTextAlone: Bool { notes == [Self.textNote] }

    /// Whether two multipart bodies differ in their boundaries alone (RFC 2046 §5.1.1).
    private static func hasSameParts(_ old: RecordedResponse, _ new: RecordedResponse) -> Bool {
        guard let before = RequestContent.multipartBoundary(of: old.mediaType),
            let after = RequestContent.multipartBoundary(of: new.mediaType), before != after,
            old.body.count + new.body.count <= ContentSpool.textLimit, let left = old.body.bytes,
            let right = new.body.bytes, let one = MultipartParts(left, mediaType: old.mediaType),
            let other = MultipartParts(right, mediaType: new.mediaType)
        else { return false }
        return one.parts.count == other.parts.count
            && zip(one.parts, other.parts).allSatisfy { $0.head == $1.head && $0.content == $1.content }
    }

    /// The JSON paths of the values that differ between two bodies; empty if anything else differs, or too many do.
    static func valuePlaces(
        _ old: RecordedResponse, _ new: RecordedResponse, volatile: [VolatilePath]
    ) -> [String] {
        guard case .bytes(let bytes) = new.body, new.isText, let before = old.body.text,
            let left = try? JSONParser.parse(before), let right = try? JSONParser.parse(bytes)
        else { return [] }
        let marks = volatile.filter { $0.kind != .text }
        let differences = JSONDifferences(left, right, volatile: marks).differences
        guard differences.allSatisfy({ $0.kind == .changed && $0.old.kindName == $0.new.kindName }) else { return [] }
        let places = Set(differences.map(\.path)).sorted()
        return places.count <= nameLimit ? places : []
    }

    /// How many names are reported; the rest is a number. 4.
    private static let nameLimit = 4

    private static func words(_ differences: [JSONDifferences.Difference]) -> [String] {
        let kinds: [(JSONDifferences.Difference.Kind, String)] = [
            (.changed, "changed"), (.added, "added"), (.removed, "removed"),
        ]
        return kinds.compactMap { kind, word in
            let names = differences.filter { $0.kind == kind }.map(\.name)
            guard !names.isEmpty else { return nil }
            var order: [String] = []
            var counts: [String: Int] = [:]
            for name in names {
                if counts[name] == nil { order.append(name) }
                counts[name, default: 0] += 1
            }
            var list = order.prefix(nameLimit).map { name in
                counts[name].map { $0 > 1 ? "\(name) ×\($0)" : name } ?? name
            }
            if order.count > nameLimit { list.append("…") }
            return "\(names.count) \(names.count == 1 ? "value" : "values") \(word) (\(list.joined(separator: ", ")))"
        }
    }
}
