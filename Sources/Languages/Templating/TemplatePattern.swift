// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRegularExpressions

/// A regular expression of a template (PCRE2).
///
/// Each use counts as 200 steps, and four steps of its matches as one.
struct TemplatePattern {
    private static let steps = 200

    private let expression: RegularExpression

    /// - Parameter isWhole: whether the whole of a text has to match.
    init(_ text: String, isWhole: Bool, _ renderer: borrowing Renderer) throws(TemplateFailure) {
        guard text.utf8.count <= 4096 else { throw renderer.failure("the pattern is longer than 4,096 bytes") }
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(
                text, renderer.dialect == .wireMock ? .javaTemplates : .templates, isWhole ? .whole : .part)
        } catch {
            throw renderer.failure(
                "the pattern \(Renderer.shown(.string(text))) is broken at its byte \(error.offset)")
        }
    }

    func isIn(_ subject: String, _ renderer: inout Renderer) throws(TemplateFailure) -> Bool {
        try !matches(in: subject, all: false, &renderer).isEmpty
    }

    /// The matches, each as the whole and its groups; a group that takes no part is empty.
    func matches(
        in subject: String, all: Bool, _ renderer: inout Renderer
    ) throws(TemplateFailure) -> [[String]] {
        var found: [[String]] = []
        let matcher = RegularExpressionMatcher(groups: expression.groupCount)
        let bytes = Array(subject.utf8)
        try renderer.spend(bytes: bytes.count)
        var start = 0
        repeat {
            try renderer.spend(Self.steps)
            let outcome = bytes.withUnsafeBufferPointer {
                matcher.match(expression, $0, from: start, allowance: &renderer.allowance)
            }
            if outcome == .differs { break }
            guard outcome == .matches, let whole = matcher.range(ofGroup: 0) else {
                throw renderer.failure(
                    "the pattern \(Renderer.shown(.string(expression.text))) takes too long on this text")
            }
            try renderer.make(whole.count + expression.groupCount * MemoryLayout<String>.stride)
            found.append(
                (0..<expression.groupCount).map { group in
                    matcher.range(ofGroup: group).map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
                })
            let end = whole.upperBound
            start = end > start ? end : start + 1
            if whole.isEmpty { start = max(start, end + 1) }
        } while all && start <= bytes.count
        return found
    }
}
