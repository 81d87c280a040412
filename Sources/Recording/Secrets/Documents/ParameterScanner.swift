// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Looks at the values of parameters: of a query, of a form.
enum ParameterScanner {
    /// The kind of secret that a decoded value is as a whole, by its name, as JSON in Base64 that holds one, or by its
    /// entropy; nil if it is not a secret.
    static func secret(_ value: Bytes, of name: String) -> SecretKind? {
        if let rule = SecretNames.rule(for: name, use: .query) { return rule.matches(value) ? .named(name) : nil }
        if let kind = EncodedJSON.secret(in: value) { return kind }
        var name = name
        let isExempt = name.withUTF8 { SecretNames.isExemptFromEntropy($0) }
        return !isExempt && TextTraits.mayBeRun(value) && TextTraits(value).isHighEntropy ? .highEntropy : nil
    }
}
