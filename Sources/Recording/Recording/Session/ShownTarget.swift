// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// A request target as it may be reported.
enum ShownTarget {
    /// The target with the secrets in its segments and in its query replaced.
    static func text(_ target: String, _ redactor: Redactor) -> String {
        let parts = target.split(ascii: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var previous = ""
        let segments = withoutCredentials(parts.first ?? "").split(ascii: "/", omittingEmptySubsequences: false)
        let last = segments.last?.isEmpty == true ? segments.count - 2 : segments.count - 1
        var text = segments.enumerated().map { place, segment in
            let decoded = decoded(segment)
            defer { previous = decoded }
            let next = place < last ? Self.decoded(segments[place + 1]) : nil
            return redacted(segment, by: redactor.path(segment: decoded, behind: previous, before: next))
        }.joined(separator: "/")
        guard parts.count > 1 else { return text }
        text += "?"
        text += parts[1].split(ascii: "&", omittingEmptySubsequences: false).map { parameter in
            let sign = parameter.firstIndex(ascii: "=") ?? parameter.endIndex
            // A name may be a secret too, and names the placeholder of its value.
            let name = redactor.path(segment: decoded(parameter[..<sign], isQuery: true))
            let shown = redacted(parameter[..<sign], by: name)
            guard sign < parameter.endIndex else { return shown }
            let value = parameter.suffix(behind: sign)
            let redaction = redactor.query(name.value, decoded(value, isQuery: true))
            return "\(shown)=\(redacted(value, by: redaction))"
        }.joined(separator: "&")
        return text
    }

    /// A URL, or one without its scheme, without the user and the password in front of its host.
    private static func withoutCredentials(_ path: Substring) -> Substring {
        guard path.utf8.first != ASCII.slash || path.utf8.starts(with: "//".utf8),
            let start = path.utf8.firstRange(of: "//".utf8)?.upperBound
        else { return path }
        let end = path[start...].firstIndex(ascii: "/") ?? path.endIndex
        guard let sign = path[start..<end].lastIndex(ascii: "@") else { return path }
        return path[..<start] + path.suffix(behind: sign)
    }

    /// The redacted text, or the text as it is written if it is not a secret.
    private static func redacted(_ text: Substring, by redaction: Redaction<String>) -> String {
        redaction.isRedacted ? redaction.value : String(text)
    }

    private static func decoded(_ text: Substring, isQuery: Bool = false) -> String {
        String(decoding: PercentCoding.decode(text.utf8, plusIsSpace: isQuery), as: UTF8.self)
    }
}
