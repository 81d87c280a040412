// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// The placeholder of a secret that a response has handed out, as the value by which a request is told from others.
struct HandedPlaceholder: Hashable, Sendable {
    let name: String
    /// A pattern of it in the form of the secret, which is handed out as a token or a UUID if it is one.
    let form: String?

    init(_ name: String, like secret: [UInt8]) {
        self.name = name
        form = Placeholders.formPattern(name, like: secret)
    }

    /// A word of it for the names of files: `redacted.query.cursor-4b1f0a925c3d` is `cursor-4b1f0a925c3d`.
    var word: String { name.split(ascii: ".").dropFirst(2).joined(separator: ".") }

    var matcher: ValueMatcher { form == nil ? .equal(to: name) : .matching(pattern) }

    /// The text that a member of JSON is to equal.
    var member: JSONNode { .string(form == nil ? name : "${json-unit.regex}" + pattern) }

    /// The name, or that and its form.
    var pattern: String {
        let escaped = PatternText.escaped(name)
        return form.map { "(\(escaped)|\($0))" } ?? escaped
    }
}
