// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is a secret beyond what is one everywhere.
package struct RedactionRules: Sendable {
    /// JSON paths such as `$.user.email` and `$.items[*].token`, whose values are replaced in the bodies of requests and responses.
    package var jsonPaths: [String] = []
    /// Names of header lines, in any case, whose values are replaced in responses and never told of requests.
    package var headers: [String] = []

    package init() {}
}
