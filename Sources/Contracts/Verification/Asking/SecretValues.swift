// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// The values that take the places of placeholders in requests.
package struct SecretValues: Sendable {
    /// Keyed by the name after `redacted.`.
    private var values: [String: String] = [:]
    /// Values of earlier responses, by the names that stubs give them.
    private var captured: [String: String] = [:]

    package init() {}

    package mutating func set(_ name: String, _ value: String) {
        values[name.hasPrefix("redacted.") ? String(name.dropFirst(9)) : name] = value
    }

    /// All values, by their placeholders.
    package var known: [(placeholder: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { ("redacted.\($0.key)", $0.value) }
    }

    package mutating func capture(_ name: String, _ value: String) { captured[name] = value }

    func value(_ name: String) -> String? { values[name] }

    /// The value of a header line that is reported by `header.NAME`.
    func header(_ name: String) -> String? {
        let name = "header." + name.lowercased()
        return values.first { $0.key.lowercased() == name }?.value
    }

    /// A text with its placeholders replaced.
    ///
    /// - Parameters:
    ///   - encode: encodes a value for its place in the text.
    ///   - names: the names of stubs' captures, which stand in braces.
    /// - Throws: `Missing` if a value is not known.
    func filled(
        _ text: String, names: Set<String> = [], encode: (String) -> String = { $0 }
    ) throws(Missing) -> String {
        var text = text
        // A longer name goes first: a shorter one may be its beginning.
        for name in values.keys.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            text = text.replacing(bytesOf: "redacted.\(name)", with: encode(values[name] ?? ""))
        }
        for name in names where text.contains("{\(name)}") {
            guard let value = captured[name] else {
                throw Missing(text: "{\(name)}, which no earlier response has given")
            }
            text = text.replacing(bytesOf: "{\(name)}", with: encode(value))
        }
        if let name = Placeholders.firstName(in: text) {
            throw Missing(text: "a value for redacted.\(name); give --secret \(name)=env:VARIABLE")
        }
        return text
    }

    /// A value that is not known.
    struct Missing: Error {
        let text: String
    }

    /// A text without the values, for a report.
    package func hidden(_ text: String) -> String {
        var text = text
        for (name, value) in values where value.utf8.count > 3 {
            text = text.replacing(bytesOf: value, with: "redacted.\(name)")
        }
        return text
    }
}
