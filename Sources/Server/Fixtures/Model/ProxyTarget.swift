// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where a stub forwards its requests to, and how.
package struct ProxyTarget: Equatable, Sendable {
    /// Scheme, authority and the beginning of the path, without a slash at its end; a template if it is rendered for each request.
    package var base: String
    /// The prefix that is removed from the path; empty for none.
    package var prefixToRemove = ""
    /// Lines that take the place of the client's of the same name.
    package var addedFields: [HeaderLine] = []
    /// The names, in lower case, of lines that do not go on.
    package var removedNames: Set<String> = []
    /// Whether a failure is reported as WireMock reports it.
    package var isOfWireMock = false

    package init(base: String) {
        self.base = base
    }

    /// The base that a text is, without a slash at its end; nil if it is not a URL of http or https, or has credentials, a query or a fragment.
    package static func base(of text: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: text.lowercased().hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let isBase =
            !authority.isEmpty && !authority.contains("@")
            && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) }
        guard isBase else { return nil }
        return String(text.hasSuffix("/") ? text.dropLast() : text[...])
    }
}
