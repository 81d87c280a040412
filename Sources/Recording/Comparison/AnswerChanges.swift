// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

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
        notes += Self.lineChanges(
            Self.withoutPlace(of: old.contentEncoding, old.headers),
            Self.withoutPlace(of: new.contentEncoding, new.headers), bodyIsSame: body.isEmpty, "")
        notes += Self.lineChanges(old.trailers, new.trailers, bodyIsSame: body.isEmpty, "trailer ")
        if old.contentEncoding != new.contentEncoding {
            notes.append("coding \(old.contentEncoding ?? "none") → \(new.contentEncoding ?? "none")")
        }
        if old.contentLength != new.contentLength, body.isEmpty { notes.append("content length changed") }
        if old.rewriteOrigins != new.rewriteOrigins { notes.append("rewritten origins changed") }
    }

    // MARK: Lines

    /// Lines without the one that says where that of the coding stands: the coding is compared by itself.
    private static func withoutPlace(of coding: String?, _ lines: [HeaderLine]) -> [HeaderLine] {
        coding == nil ? lines : lines.filter { $0.name.lowercased() != "content-encoding" }
    }

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
            if before.map({ comparable($0, key) }) == after.map({ comparable($0, key) }) { return nil }
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
        if volatile.contains(where: { $0.path == "$" }), old.body.count > 0, new.body.count > 0 { return [] }
        if old.body.count == 0 { return ["a body of \(new.body.count) bytes"] }
        if new.body.count == 0 { return ["no body any more"] }
        guard case .bytes(let bytes) = new.body, new.isText, let before = old.body.bytes,
            let left = try? JSONParser.parse(before), let right = try? JSONParser.parse(bytes)
        else { return ["\(old.body.count) bytes → \(new.body.count) bytes"] }
        let differences = JSONDifferences(left, right, volatile: volatile).differences
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
