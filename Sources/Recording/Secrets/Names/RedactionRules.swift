// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Rules for values that are secrets beyond those that are secrets everywhere, and for values that are not secrets.
package struct RedactionRules: Sendable {
    /// JSON paths such as `$.user.email` and `$.items[*].token`, whose values are replaced in the bodies of requests and responses.
    package var jsonPaths: [String] = []
    /// Names of header lines, in any case, whose values are replaced in responses and never shown of requests.
    package var headers: [String] = []
    /// JSON paths whose values stay in the bodies of requests and responses, though they look like secrets.
    package var allowedPaths: [String] = []

    package init() {}
}
