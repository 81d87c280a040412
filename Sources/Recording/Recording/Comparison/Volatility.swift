// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// Finds the differences between responses to the same request that came one after the other.
enum Volatility {
    /// - Returns: the places in byte order; if the bodies are not JSON and differ, the whole.
    static func paths(in bodies: [[UInt8]]) -> [VolatilePath] {
        guard let first = bodies.first else { return [] }
        var found: [String: VolatilePath.Kind] = [:]
        for other in bodies.dropFirst() where other != first {
            guard let old = try? JSONParser.parse(first), let new = try? JSONParser.parse(other) else {
                found["$"] = .value
                continue
            }
            let differences = JSONDifferences(old, new).differences
            // Only their written forms differ.
            if differences.isEmpty { found["$"] = found["$"] ?? .text }
            for difference in differences {
                let kind = kind(of: difference)
                found[difference.path] = found[difference.path].map { $0 == kind ? kind : .value } ?? kind
            }
        }
        return found.map { VolatilePath($0.key, $0.value) }.sorted {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
    }

    /// The kind of volatile value that a value alone suggests.
    static func kind(of value: JSONNode) -> VolatilePath.Kind {
        kind(of: .init(path: "", name: "", kind: .changed, old: value, new: value))
    }

    /// Fresh responses that must agree, and the recorded one with them, before a place does not count as volatile any more. 3.
    static let steadyCount = 3

    /// The marked places whose values are the same in all of several bodies.
    static func steady(_ marks: [VolatilePath], in bodies: [[UInt8]]) -> [VolatilePath] {
        // How JSON is written is not a value.
        let marks = marks.filter { $0.kind != .text }
        guard let first = bodies.first, !marks.isEmpty else { return [] }
        var differing: Set<String> = []
        for other in bodies.dropFirst() where other != first {
            guard let old = try? JSONParser.parse(first), let new = try? JSONParser.parse(other) else { return [] }
            for difference in JSONDifferences(old, new).differences { differing.insert(difference.path) }
        }
        if differing.isEmpty { return marks }
        // A place inside a differing one may differ, and a place with a differing one inside differs.
        let within = Set(differing.flatMap { parents(of: $0) })
        return marks.filter { mark in
            !within.contains(mark.path) && !parents(of: mark.path).contains(where: differing.contains)
        }
    }

    /// A path and those that it begins with.
    private static func parents(of path: String) -> [String] {
        guard let place = try? JSONPlace(path) else { return [path] }
        return (0...place.steps.count).map { JSONPlace(Array(place.steps.prefix($0))).path }
    }

    /// Whether a string at a place of a kind looks like the kind, if the one before it does.
    static func isLike(_ old: String, _ new: String, _ kind: VolatilePath.Kind) -> Bool {
        switch kind {
        case .timestamp: !isTimestamp(old) || isTimestamp(new)
        case .uuid: !TextLook.isUUID(old.utf8) || TextLook.isUUID(new.utf8)
        case .counter: Int(old) == nil || Int(new) != nil
        case .signedURL: !old.contains("://") || new.contains("://")
        case .order, .list, .text, .value: true
        }
    }

    private static func kind(of difference: JSONDifferences.Difference) -> VolatilePath.Kind {
        switch (difference.old.value, difference.new.value) {
        case (.array(let left), .array(let right)): JSONDifferences.isReordered(left, right) ? .order : .list
        case (.string(let left), .string(let right)): kind(of: left, right)
        case (.number(let left), .number(let right)): kind(of: left, right)
        default: .value
        }
    }

    private static func kind(of left: String, _ right: String) -> VolatilePath.Kind {
        if TextLook.isUUID(left.utf8), TextLook.isUUID(right.utf8) { return .uuid }
        if isTimestamp(left), isTimestamp(right) { return .timestamp }
        if let query = left.firstIndex(ascii: "?"), left.contains("://"),
            right.hasPrefix(left[..<query]), right.contains("?")
        {
            return .signedURL
        }
        if let left = Int(left), let right = Int(right) { return kind(of: left, right) }
        return .value
    }

    private static func kind(of left: JSONNumber, _ right: JSONNumber) -> VolatilePath.Kind {
        guard let old = left.integer, let new = right.integer else { return .value }
        return kind(of: old, new)
    }

    /// A number of seconds or milliseconds since 1970 is a time; a growing number is a counter.
    private static func kind(of left: Int, _ right: Int) -> VolatilePath.Kind {
        let seconds = 1_000_000_000...4_000_000_000
        let milliseconds = 1_000_000_000_000...4_000_000_000_000
        for times in [seconds, milliseconds] where times.contains(left) && times.contains(right) { return .timestamp }
        return right > left ? .counter : .value
    }

    /// `2026-11-20`, with a time after it or without.
    private static func isTimestamp(_ text: String) -> Bool {
        text.utf8.count <= 40 && TextLook.day(text.utf8) != nil
    }
}
