// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMetering
import MockapiRegularExpressions

/// Finds patterns that are given up on a text of everyday length, by trying them on texts made of their own words and characters.
///
/// A pattern whose repeats can share a text in many ways (`.*[0-9]+x`, `(a+)+b`) takes steps by the square of the text's length, or worse.
package struct DearPatterns {
    /// Patterns of a set that are tried. 1,000.
    static let limit = 1_000
    /// The length of a text in bytes, which a header line may well have. 4,096.
    static let length = 4_096
    /// Pieces of a pattern that texts are made of. 8.
    private static let pieceLimit = 8

    private let matcher = RegularExpressionMatcher.ofStubs()
    private var known: Set<String> = []
    private var findings: [Finding] = []

    /// The findings on the patterns of stubs, one for each text of a pattern.
    package static func findings(_ set: FixtureSet) -> [Finding] {
        var search = DearPatterns()
        for stub in set.stubs { search.look(at: stub.request) }
        return search.findings
    }

    private mutating func look(at request: RequestPattern) {
        switch request.url {
        case .pattern(let pattern), .pathPattern(let pattern): judge(pattern)
        case .any, .url, .path, .pathTemplate: break
        }
        for condition in request.conditions {
            switch condition {
            case .host(let matcher), .clientIP(let matcher): look(at: matcher)
            case .pathParameter(let named): look(at: named.matcher)
            case .cookie(let named): look(at: named.matcher)
            case .queryParameter(let named), .header(let named), .formParameter(let named): look(at: named.matcher)
            case .body(let body): look(at: body)
            case .multipart(let part):
                for header in part.headers { look(at: header.matcher) }
                for body in part.body { look(at: body) }
            case .port, .scheme, .onlyNamedQueryParameters, .basicAuth: break
            }
        }
    }

    private mutating func look(at body: BodyMatcher) {
        if case .value(let matcher) = body.compared { look(at: matcher) }
    }

    private mutating func look(at matcher: MultiValueMatcher) {
        switch matcher {
        case .single(let matcher): look(at: matcher)
        case .hasExactly(let matchers), .includes(let matchers): for matcher in matchers { look(at: matcher) }
        }
    }

    private mutating func look(at matcher: ValueMatcher) {
        switch matcher {
        case .matches(let pattern), .doesNotMatch(let pattern): judge(pattern)
        case .leaf(let leaf as CaselessPattern): judge(leaf.pattern)
        case .jsonPath(_, let matcher?), .xPath(_, _, let matcher?), .not(let matcher): look(at: matcher)
        case .and(let matchers), .or(let matchers): for matcher in matchers { look(at: matcher) }
        case .equalTo, .contains, .doesNotContain, .absent, .equalToJSON, .anything, .leaf, .jsonPath, .xPath, .graphQL:
            break
        }
    }

    private mutating func judge(_ pattern: Pattern) {
        guard known.count < Self.limit, Self.mayBeDear(pattern.text), known.insert(pattern.text).inserted,
            let expression = try? RegularExpression(pattern.text, .stubs, .whole),
            let text = Self.texts(for: pattern.text).first(where: { exceeds(expression, $0) })
        else { return }
        findings.append(
            Finding(
                .warning,
                "this pattern is given up, and does not match, on a text such as \(Self.shown(text)): its repeats can share the text in "
                    + "too many ways; let each take what the next cannot, such as [^0-9]* in front of [0-9]+, or make it possessive (*+)",
                at: pattern.place))
    }

    private func exceeds(_ expression: RegularExpression, _ text: [UInt8]) -> Bool {
        var allowance = Allowance(steps: PatternLimits.steps)
        return text.withUnsafeBufferPointer { matcher.match(expression, $0, allowance: &allowance) } == .exceedsLimit
    }

    /// Whether a pattern may be dear: it has two repeats, or repeats a group.
    private static func mayBeDear(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let repeats = bytes.indices.filter {
            bytes[$0] == UInt8(ascii: "*") || bytes[$0] == ASCII.plus || bytes[$0] == UInt8(ascii: "{")
        }
        return repeats.count > 1 || repeats.contains { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: ")") }
    }

    /// Texts that repeat one or two pieces of a pattern. They begin as every match does, and end as no match does: with a character that the
    /// pattern does not name, at once or behind a word or a mark of the pattern, which every try needs.
    private static func texts(for pattern: String) -> [[UInt8]] {
        let prefix = LiteralPrefix.of(pattern)
        var (pieces, last) = pieces(of: pattern)
        let marks = Array(pattern.utf8)
        let end = "!~@;".utf8.first { !marks.contains($0) } ?? 0x01
        let mark = marks.last { (0x21...0x7E).contains($0) && !isSpecial($0) }.map { [$0] } ?? []
        if !mark.isEmpty { pieces.append(mark) }
        let seldom = ([last, mark] + pieces).reduce(into: [[UInt8]()]) { if !$0.contains($1) { $0.append($1) } }
        func texts(_ unit: [UInt8], _ ends: [[UInt8]]) -> [[UInt8]] {
            let body = (0..<max(1, length / unit.count)).flatMap { _ in unit }.prefix(length)
            return ends.map { prefix + body + $0 + [end] }
        }
        var pairs: [[UInt8]] = []
        for (index, piece) in pieces.enumerated() {
            for other in pieces.dropFirst(index + 1) { pairs.append(piece + other) }
        }
        return pieces.flatMap { texts($0, seldom) } + pairs.flatMap { texts($0, [[], last, mark]) }
    }

    /// Whether a character has a meaning of its own in a pattern, or is a letter or a digit.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        ".*+?()[]{}|^$\\".utf8.contains(byte) || ASCII.isDigit(byte) || ASCII.lowercased(byte) &- 0x61 < 26
    }

    /// The words and characters that a pattern names, and a letter, a digit, a blank and a slash.
    ///
    /// - Returns: the pieces, and the last word.
    private static func pieces(of pattern: String) -> (pieces: [[UInt8]], last: [UInt8]) {
        var pieces: [[UInt8]] = []
        var word: [UInt8] = []
        var last: [UInt8] = []
        func add(_ piece: [UInt8]) {
            if !piece.isEmpty, pieces.count < pieceLimit, !pieces.contains(piece) { pieces.append(piece) }
        }
        func end() {
            if word.count > 1 { add(word) }
            if let first = word.first { add([first]) }
            if !word.isEmpty { last = word }
            word = []
        }
        for byte in Array(pattern.utf8) {
            if ASCII.isDigit(byte) || ASCII.lowercased(byte) &- 0x61 < 26 {
                word.append(byte)
                continue
            }
            end()
        }
        end()
        for byte in [UInt8(ascii: "a"), UInt8(ascii: "0"), ASCII.space, ASCII.slash] { pieces.append([byte]) }
        return (pieces, last)
    }

    private static func shown(_ text: [UInt8]) -> String {
        let (start, end) = (
            String(decoding: text.prefix(12), as: UTF8.self), String(decoding: text.suffix(3), as: UTF8.self)
        )
        return "\"\(start)…\(end)\" of \(text.count) bytes".printable
    }
}
