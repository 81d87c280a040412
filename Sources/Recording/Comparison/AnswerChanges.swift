// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText
import Secrets

/// In what an answer differs from the one that a fixture holds, in words; nothing where it is the same but for what is volatile.
struct AnswerChanges {
    private(set) var notes: [String] = []

    var isEmpty: Bool { notes.isEmpty }

    init(from old: RecordedAnswer, to new: RecordedAnswer, volatile: [VolatilePath]) {
        if old.status != new.status { notes.append("status \(old.status) → \(new.status)") }
        // HTTP/2 has no reason phrases: none is no other.
        if let reason = new.reason, old.reason != reason {
            notes.append("reason \"\(old.reason ?? "")\" → \"\(reason)\"")
        }
        let body = Self.bodyChanges(old, new, volatile)
        notes += body
        notes += Self.lineChanges(old.headers, new.headers, bodyIsSame: body.isEmpty, "")
        notes += Self.lineChanges(old.trailers, new.trailers, bodyIsSame: body.isEmpty, "trailer ")
        if old.contentEncoding != new.contentEncoding {
            notes.append("coding \(old.contentEncoding ?? "none") → \(new.contentEncoding ?? "none")")
        }
        if old.contentLength != new.contentLength, body.isEmpty { notes.append("content length changed") }
        if old.rewriteOrigins != new.rewriteOrigins { notes.append("rewritten origins changed") }
    }

    // MARK: Lines

    private static func lineChanges(
        _ old: [HeaderLine], _ new: [HeaderLine], bodyIsSame: Bool, _ kind: String
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
            value.split(separator: ";").filter { part in
                !part.drop { $0 == " " }.lowercased().hasPrefix("expires=")
            }.joined(separator: ";")
        case "content-security-policy", "content-security-policy-report-only":
            value.split(separator: " ").filter { !$0.hasPrefix("'nonce-") }.joined(separator: " ")
        default: value
        }
    }

    // MARK: Bodies

    private static func bodyChanges(
        _ old: RecordedAnswer, _ new: RecordedAnswer, _ volatile: [VolatilePath]
    ) -> [String] {
        if old.body.hasSameBytes(as: new.body) { return [] }
        if old.body.count == 0 { return ["a body of \(new.body.count) bytes"] }
        if new.body.count == 0 { return ["no body any more"] }
        let sizes = "\(old.body.count) bytes → \(new.body.count) bytes"
        guard case .bytes(let bytes) = new.body, new.isText, let before = old.body.text else { return [sizes] }
        guard let left = try? JSONParser.parse(before), let right = try? JSONParser.parse(bytes) else {
            if Placeholders.areEqual(before, bytes) { return [] }
            guard volatile.contains(where: { $0.path == "$" }) else { return [sizes] }
            let isJSON = [before, bytes].contains { (try? JSONParser.check($0)) != nil }
            if !isJSON, TextMake(before).isLike(TextMake(bytes)) { return [] }
            return ["a text of another make: \(sizes)"]
        }
        let differences = JSONDifferences(left, right, volatile: volatile).differences
        if differences.isEmpty, Placeholders.areEqual(before, bytes) { return [] }
        if differences.isEmpty { return volatile.isEmpty ? ["white space, escapes or order of members"] : [] }
        return words(differences)
    }

    /// How many names are told; the rest is a number. 4.
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
