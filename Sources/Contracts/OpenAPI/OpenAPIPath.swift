// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A path of a document, whose parts in braces stand for any text within a segment.
package struct OpenAPIPath: Hashable, Sendable {
    /// The texts around the braces of each segment: one for a segment without any.
    private let segments: [[String]]

    /// - Parameter template: such as `/users/{id}`; nil is returned if a brace has no partner.
    package init?(_ template: String) {
        var segments: [[String]] = []
        for segment in template.split(ascii: "/", omittingEmptySubsequences: false).dropFirst() {
            var texts: [String] = []
            var rest = segment
            while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
                guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}"),
                    !rest[rest.index(after: open)..<close].contains("{")
                else { return nil }
                texts.append(String(rest[..<open]))
                rest = rest[rest.index(after: close)...]
            }
            segments.append(texts + [String(rest)])
        }
        self.segments = segments
    }

    /// How many segments leave a choice: a path with fewer goes before one with more.
    package var choices: Int { segments.count { $0.count > 1 } }

    /// The segments of a raw path without its query, decoded.
    package static func segments(of path: some StringProtocol) -> [String] {
        path.split(ascii: "/", omittingEmptySubsequences: false).dropFirst().map { percentDecoded($0) }
    }

    /// Whether a path is one of these.
    ///
    /// - Parameters:
    ///   - parts: its segments.
    ///   - isTemplate: whether parts in braces stand for any text there, too.
    package func matches(_ parts: [String], isTemplate: Bool = false) -> Bool {
        guard parts.count == segments.count else { return false }
        return zip(segments, parts).allSatisfy { texts, part in
            if isTemplate, part.contains("{") { return texts.count > 1 }
            return Self.matches(texts, part)
        }
    }

    private static func matches(_ texts: [String], _ part: String) -> Bool {
        guard texts.count > 1, let first = texts.first, let last = texts.last else { return texts.first == part }
        guard part.hasPrefix(first) else { return false }
        var rest = part.dropFirst(first.count)
        for text in texts.dropFirst().dropLast() {
            // A variable has one character at least.
            guard let range = rest.dropFirst().firstRange(of: text) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }

    /// A segment with its escapes undone (RFC 3986 §2.1).
    static func percentDecoded(_ text: some StringProtocol) -> String {
        String(decoding: PercentCoding.decode(text.utf8), as: UTF8.self)
    }
}
