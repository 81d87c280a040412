// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where a stub passes its requests on to, and how.
package struct ProxyTarget: Equatable, Sendable {
    /// Scheme, authority and the beginning of the path, without a slash at its end.
    package var base: String
    /// What the path loses at its beginning; empty for nothing.
    package var prefixToRemove = ""
    /// Lines that take the place of the client's of the same name.
    package var addedFields: [HeaderLine] = []
    /// The names, in lower case, of lines that do not go on.
    package var removedNames: Set<String> = []
    /// Whether a failure is told as WireMock tells it.
    package var isOfWireMock = false

    package init(base: String) {
        self.base = base
    }
}
