// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiHTTPSyntax
import MockapiJSONText

/// Identifiers and cursors that one recorded response gave and a later recorded request has: those of the live response take their places.
struct FollowedValues: Sendable {
    /// A value and where in the response it stands.
    struct Source: Sendable {
        let value: String
        let pointer: String
    }

    /// Bytes of a recorded response that is looked through. 1 MiB.
    private static let bodyLimit = 1024 * 1024

    /// Keyed by the names of the fixtures whose responses give them.
    private(set) var sources: [String: [Source]] = [:]
    /// The live values in the places of recorded ones.
    private var values: [String: String] = [:]

    /// - Parameter fixtures: in the order they were recorded in.
    init(_ fixtures: [VerifiedFixture]) {
        var last: [String: Int] = [:]
        for (index, fixture) in fixtures.enumerated() where fixture.recordedAt != nil {
            for value in Self.parts(of: fixture.target ?? "") where Self.isIdentifier(value) { last[value] = index }
        }
        guard !last.isEmpty else { return }
        var given: Set<String> = []
        for (index, fixture) in fixtures.enumerated() where fixture.recordedAt != nil {
            let body = fixture.samples.first?.body ?? []
            guard !body.isEmpty, body.count <= Self.bodyLimit, let node = try? JSONParser.parse(body) else { continue }
            for (pointer, value) in Self.scalars(in: node) {
                guard let user = last[value], user > index, Self.names(pointer, value), given.insert(value).inserted
                else { continue }
                sources[fixture.name, default: []].append(Source(value: value, pointer: pointer))
            }
        }
    }

    /// Takes the values of a live response that the recorded ones have gone from.
    mutating func learn(from live: JSONNode, of fixture: String) {
        guard let wanted = sources[fixture] else { return }
        for source in wanted {
            let all = JSONPlace(pointer: Self.everyItem(of: source.pointer)).values(in: live).compactMap(
                RecordedPlaceholders.text)
            guard !all.contains(source.value),
                let value = RecordedPlaceholders.text(JSONPlace(pointer: source.pointer).values(in: live).first)
                    ?? all.first
            else { continue }
            values[source.value] = value
        }
    }

    /// A target with the values that came in the places of those that were recorded.
    func followed(_ target: String) -> String {
        if values.isEmpty { return target }
        let sides = target.split(ascii: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = sides[0].split(ascii: "/", omittingEmptySubsequences: false).map { replaced($0) }
        guard sides.count == 2 else { return path.joined(separator: "/") }
        let query = sides[1].split(ascii: "&", omittingEmptySubsequences: false).map { item in
            guard let sign = item.firstIndex(of: "=") else { return String(item) }
            return item[...sign] + replaced(item[item.index(after: sign)...])
        }
        return path.joined(separator: "/") + "?" + query.joined(separator: "&")
    }

    private func replaced(_ part: Substring) -> String {
        values[Self.decoded(part)].map(PercentCoding.encode) ?? String(part)
    }

    /// The segments of a target's path and the values of its query, decoded.
    private static func parts(of target: String) -> [String] {
        let sides = target.split(ascii: "?", maxSplits: 1)
        let path = sides.first?.split(ascii: "/").map(decoded) ?? []
        guard sides.count == 2 else { return path }
        return path
            + sides[1].split(ascii: "&").compactMap { item in
                item.firstIndex(of: "=").map { decoded(item[item.index(after: $0)...]) }
            }
    }

    private static func decoded(_ text: Substring) -> String {
        QueryText.decoded(text.utf8)
    }

    /// Whether a service made up the value: three digits or more, or six letters and more with a digit among them.
    ///
    /// A client has dates, versions and the names of regions and hosts in its code.
    private static func isIdentifier(_ value: String) -> Bool {
        let digits = value.utf8.count { $0 &- 0x30 < 10 }
        if digits == value.utf8.count { return digits >= 3 }
        return digits > 0 && value.utf8.count >= 6 && !isVersion(value) && !isRegion(value)
            && StringFormats.of(value).isDisjoint(with: [.date, .dateTime, .localDateTime, .uri, .email])
    }

    /// `2024-10-01-preview`, `v1beta1`, `1.2.3-rc1`, `api2.example.com`.
    private static func isVersion(_ value: String) -> Bool {
        let parts = value.lowercased().split { "-._".contains($0) }
        let words = ["v", "alpha", "beta", "rc", "preview", "stable", "dev", "pre", "m", "release"]
        if value.contains("."), parts.count > 1 { return true }
        return parts.allSatisfy { part in
            let letters = part.split { $0.isASCII && $0.isNumber }
            return letters.allSatisfy { words.contains(String($0)) } && part.utf8.count < 12
        }
    }

    /// `eu-west-1`, `us-east4`: words and a number of at most two digits.
    private static func isRegion(_ value: String) -> Bool {
        let parts = value.split(ascii: "-")
        guard parts.count > 1, let last = parts.last else { return false }
        let isWords = parts.dropLast().allSatisfy { $0.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 } }
        let ending = last.drop { $0.isASCII && $0.isLetter }.prefix { $0.isASCII && $0.isNumber }
        return isWords && ending.utf8.count < 3 && last.utf8.count < 12
    }

    /// Whether a place is one of identifiers: a number alone may be a count that happens to be the same.
    private static func names(_ pointer: String, _ value: String) -> Bool {
        guard value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return true }
        let name = pointer.split(ascii: "/").last { Int($0) == nil }?.lowercased() ?? ""
        return ["id", "ids", "key", "cursor", "token", "number", "code", "ref"].contains { name.hasSuffix($0) }
    }

    private static func everyItem(of pointer: String) -> String {
        pointer.split(ascii: "/", omittingEmptySubsequences: false).map { Int($0) == nil ? String($0) : "*" }
            .joined(separator: "/")
    }

    private static func scalars(in node: JSONNode, at pointer: String = "") -> [(pointer: String, value: String)] {
        switch node.value {
        case .array(let elements):
            return elements.enumerated().flatMap { scalars(in: $1, at: "\(pointer)/\($0)") }
        case .object(let object):
            return object.members.flatMap { member in
                scalars(in: member.value, at: JSONPointer.appending(member.name, to: pointer))
            }
        default: return RecordedPlaceholders.text(node).map { [(pointer, $0)] } ?? []
        }
    }
}
