// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// How the target of a stub or the path of a file differs from a request's.
struct TargetComparison {
    /// From 0 for the same; 2.5 to 10 for different texts, less for differences of form alone.
    var distance: Double
    /// A summary of the difference; empty if the values speak for themselves.
    var note = ""

    /// Two that were not compared, since the request has taken all the work it may.
    static let unknown = TargetComparison(distance: 10)

    /// Two paths, as they were written.
    static func paths(_ expected: some Collection<UInt8>, _ actual: Bytes) -> TargetComparison {
        let expected = Array(expected)
        let actual = Array(actual)
        if expected == actual { return TargetComparison(distance: 0) }
        if PercentCoding.decode(expected) == PercentCoding.decode(actual) {
            return TargetComparison(distance: 1, note: "only the percent-encoding differs")
        }
        if trimmed(expected) == trimmed(actual) {
            return TargetComparison(distance: 1.5, note: "only the slash at the end differs")
        }
        if expected.map(ASCII.lowercased) == actual.map(ASCII.lowercased) {
            return TargetComparison(distance: 1.5, note: "only the case differs")
        }
        if let note = partNote(expected, actual) { return TargetComparison(distance: 2, note: note) }
        let texts = [expected, actual].map { String(decoding: PercentCoding.decode($0), as: UTF8.self) }
        if texts[0] == texts[1] { return TargetComparison(distance: 1.5, note: Difference.otherForm) }
        return TargetComparison(distance: 2.5 + 7.5 * TextDistance.normalized(expected, actual))
    }

    /// The note on a path with more slashes, or with more or fewer segments at its beginning; nil for any other difference.
    private static func partNote(_ expected: [UInt8], _ actual: [UInt8]) -> String? {
        let segments = [expected, actual].map { $0.split(separator: ASCII.slash) }
        if segments[0] == segments[1] { return "only the number of slashes differs" }
        guard let shorter = segments.map(\.count).min(), shorter > 0,
            segments[0].suffix(shorter) == segments[1].suffix(shorter),
            (expected.last == ASCII.slash) == (actual.last == ASCII.slash),
            let longer = segments.max(by: { $0.count < $1.count })
        else { return nil }
        let prefix = longer.dropLast(shorter).map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
        return segments[1].count > shorter
            ? "only \"\(prefix)\" stands before it" : "only \"\(prefix)\" is missing before it"
    }

    /// A `url` and a raw target: their paths, then their queries.
    static func urls(_ expected: String, _ actual: Bytes) -> TargetComparison {
        let expected = Array(ProgramBuilder.normalized(expected).utf8)
        let expectedPath = expected.prefix { $0 != ASCII.question }
        let pathEnd = actual.firstPlace(of: ASCII.question) ?? actual.count
        let path = paths(expectedPath, actual.slice(0, pathEnd))
        let expectedQuery = Array(expected.dropFirst(expectedPath.count + 1))
        let actualQuery = Array(actual.slice(min(pathEnd + 1, actual.count), actual.count))
        if expectedQuery == actualQuery { return path }
        if path.distance > 0 { return TargetComparison(distance: path.distance + 1) }
        let distance = 1 + TextDistance.normalized(expectedQuery, actualQuery)
        let differs = TargetComparison(distance: distance, note: "only the query differs")
        let expectedParts = QueryText.pairs(of: expectedQuery)
        let actualParts = QueryText.pairs(of: actualQuery)
        guard expectedParts.count == actualParts.count else { return differs }
        let expectedPairs = expectedParts.map(decoded)
        let actualPairs = actualParts.map(decoded)
        if expectedPairs == actualPairs {
            let note = "only the percent-encoding differs: urlPath and queryParameters compare decoded names and values"
            return TargetComparison(distance: 1, note: note)
        }
        let hasSameSize = expectedPairs.joined().count == actualPairs.joined().count
        if hasSameSize, expectedPairs.sorted(by: precedes) == actualPairs.sorted(by: precedes) {
            let note = "only the order of the parameters differs: urlPath and queryParameters compare them in any order"
            return TargetComparison(distance: 1, note: note)
        }
        return differs
    }

    /// A name and a value, decoded: the NUL keeps them apart if the name has an equals sign.
    private static func decoded(_ pair: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)) -> [UInt8] {
        PercentCoding.decode(pair.name, plusIsSpace: true) + [0]
            + PercentCoding.decode(pair.value ?? [], plusIsSpace: true)
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

    private static func trimmed(_ path: [UInt8]) -> ArraySlice<UInt8> {
        path.last == ASCII.slash ? path.dropLast() : path[...]
    }

    /// A template and a path: the template with the request's segments in the place of its variables, then as two paths.
    static func template(_ template: PathTemplate, _ actual: Bytes) -> TargetComparison {
        let segments = actual.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        var filled: [UInt8] = []
        var position = 0
        for piece in template.pieces {
            switch piece {
            case .literal(let bytes):
                let parts = bytes.split(separator: ASCII.slash, omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() {
                    if index > 0 {
                        filled.append(ASCII.slash)
                        position += 1
                    }
                    // A segment that other servers read as a variable is most likely meant as one.
                    let isForeign = part.count > 1 && [UInt8(ascii: ":"), UInt8(ascii: "<")].contains(part.first)
                    if isForeign, position < segments.count {
                        filled += segments[position]
                    } else {
                        filled += part
                    }
                }
            case .variable(let name):
                if position < segments.count, !segments[position].isEmpty {
                    filled += segments[position]
                } else {
                    filled += Array("{\(name)}".utf8)
                }
            case .rest:
                filled += segments.dropFirst(position).joined(separator: [ASCII.slash])
                position = segments.count
            }
        }
        var comparison = paths(filled, actual)
        comparison.distance = max(comparison.distance, 1.5)
        return comparison
    }

    /// A pattern, whose literal prefix alone can be compared.
    static func pattern(prefix: Bytes, _ actual: Bytes) -> TargetComparison {
        let common = zip(prefix, actual).prefix { $0 == $1 }.count
        let share = actual.isEmpty ? 0 : Double(common) / Double(actual.count)
        return TargetComparison(distance: 3 + 6 * (1 - share))
    }
}
