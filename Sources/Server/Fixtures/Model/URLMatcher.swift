// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The targets that a stub matches.
///
/// Patterns are indirect: nearly every stub has a text.
package enum URLMatcher: Sendable {
    case any
    /// The raw target, path and query, byte for byte; `/x?` equals `/x`.
    case url(String)
    /// The raw path, byte for byte, without the query.
    case path(String)
    /// A pattern over the raw path and query, full match.
    indirect case pattern(Pattern)
    /// A pattern over the raw path, full match.
    indirect case pathPattern(Pattern)
    /// A path with variables, as it was written: `/articles/{id}`; a variable is one segment, `**` any rest.
    case pathTemplate(String)

    /// The key of the fixture format; nil for any target.
    package var key: String? { written?.key.rawValue }

    /// The keys of the fixture format; a request has one of them.
    package static let keys: [KeyName] = [.urlPath, .urlPathTemplate, .url, .urlPathPattern, .urlPattern]

    /// The key and its value as a stub file has them; nil for any target.
    package var written: (key: KeyName, text: String)? {
        switch self {
        case .any: nil
        case .url(let text): (.url, text)
        case .path(let text): (.urlPath, text)
        case .pattern(let pattern): (.urlPattern, pattern.text)
        case .pathPattern(let pattern): (.urlPathPattern, pattern.text)
        case .pathTemplate(let text): (.urlPathTemplate, text)
        }
    }
}
