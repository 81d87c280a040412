// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// The placeholder of a secret that a response has handed out, as the value by which a request is told from others.
enum HandedPlaceholder {
    /// In front of it; no text begins with it.
    private static let mark: UInt8 = 0xFD

    /// - Parameter value: the secret: one that is a token or a UUID is handed out as one.
    static func value(_ name: String, like value: [UInt8]) -> [UInt8] {
        let form = Placeholders.formPattern(name, like: value).map { "\n" + $0 } ?? ""
        return [mark] + Array((name + form).utf8)
    }

    /// The placeholder's name; nil for any other value.
    static func name(of value: [UInt8]) -> String? {
        guard value.first == mark else { return nil }
        return String(String(decoding: value.dropFirst(), as: UTF8.self).prefix(before: "\n"))
    }

    /// A word of it for the names of files: `redacted.query.cursor-4b1f0a` is `cursor-4b1f0a`.
    static func word(of name: String) -> String {
        name.split(ascii: ".").dropFirst(2).joined(separator: ".")
    }

    static func matcher(of value: [UInt8]) -> ValueMatcher? {
        guard let (text, isPattern) = pattern(of: value) else { return nil }
        return isPattern ? .matching(text) : name(of: value).map { .equal(to: $0) }
    }

    /// A pattern of a field of a form; nil for a value that is none of these.
    static func field(_ place: SentPlace, _ value: [UInt8]) -> String? {
        guard case .field(let name) = place, let (text, _) = pattern(of: value) else { return nil }
        return PatternText.escaped(name) + "=" + text
    }

    /// What a member of JSON is to equal; nil for a value that is none of these.
    static func member(of value: [UInt8]) -> JSONNode? {
        guard let (text, isPattern) = pattern(of: value) else { return nil }
        return isPattern ? .string("${json-unit.regex}" + text) : name(of: value).map { .string($0) }
    }

    private static func pattern(of value: [UInt8]) -> (text: String, isPattern: Bool)? {
        guard let name = name(of: value) else { return nil }
        let escaped = PatternText.escaped(name)
        let form = String(decoding: value.dropFirst(), as: UTF8.self).dropFirst(name.utf8.count + 1)
        return form.isEmpty ? (escaped, false) : ("(\(escaped)|\(form))", true)
    }
}
