// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CPCRE2

/// A regular expression of a template (PCRE2).
///
/// Each use counts as 200 steps, and a match that tries anew more than 200,000 times is given up.
struct TemplatePattern: ~Copyable {
    private static let steps = 200
    private static let tries: UInt32 = 200_000

    private let code: OpaquePointer
    private let text: String

    /// - Parameter isWhole: whether the whole of a text has to match.
    init(_ text: String, isWhole: Bool, _ renderer: borrowing Renderer) throws(TemplateFailure) {
        guard text.utf8.count <= 4096 else { throw renderer.failure("the pattern is longer than 4,096 bytes") }
        var error: Int32 = 0
        var place = 0
        var options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
        if isWhole { options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED }
        var copy = text
        let code = copy.withUTF8 { pcre2_compile_8($0.baseAddress, $0.count, options, &error, &place, nil) }
        guard let code else {
            throw renderer.failure("the pattern \(Renderer.shown(.string(text))) is broken at its byte \(place)")
        }
        self.code = code
        self.text = text
    }

    deinit { pcre2_code_free_8(code) }

    borrowing func isIn(_ subject: String, _ renderer: inout Renderer) throws(TemplateFailure) -> Bool {
        try !matches(in: subject, all: false, &renderer).isEmpty
    }

    /// The matches, each as the whole and its groups; a group that takes no part is empty.
    borrowing func matches(
        in subject: String, all: Bool, _ renderer: inout Renderer
    ) throws(TemplateFailure) -> [[String]] {
        var found: [[String]] = []
        guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else { return [] }
        defer { pcre2_match_data_free_8(data) }
        let context = pcre2_match_context_create_8(nil)
        defer { pcre2_match_context_free_8(context) }
        pcre2_set_match_limit_8(context, Self.tries)
        let bytes = Array(subject.utf8)
        try renderer.spend(bytes: bytes.count)
        var start = 0
        repeat {
            try renderer.spend(Self.steps)
            let result = bytes.withUnsafeBufferPointer { bytes in
                var nothing: UInt8 = 0
                return withUnsafePointer(to: &nothing) { empty in
                    pcre2_match_8(code, bytes.baseAddress ?? empty, bytes.count, start, 0, data, context)
                }
            }
            if result == PCRE2_ERROR_NOMATCH { break }
            guard result > 0 else {
                throw renderer.failure("the pattern \(Renderer.shown(.string(text))) takes too long on this text")
            }
            let offsets = UnsafeBufferPointer(
                start: pcre2_get_ovector_pointer_8(data), count: 2 * Int(pcre2_get_ovector_count_8(data)))
            var groups: [String] = []
            for group in 0..<offsets.count / 2 {
                let (first, end) = (offsets[2 * group], offsets[2 * group + 1])
                let isPart = group < Int(result) && first <= end && end <= bytes.count
                groups.append(isPart ? String(decoding: bytes[first..<end], as: UTF8.self) : "")
            }
            found.append(groups)
            let end = offsets[1]
            start = end > start ? end : start + 1
            if end == offsets[0] { start = max(start, end + 1) }
        } while all && start <= bytes.count
        return found
    }
}
