// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Names of a client's credentials: their values are neither recorded nor shown to others.
package enum CredentialNames {
    /// Header lines of requests whose presence is matched and whose value is not, in lower case.
    package static let headers: Set<String> = [
        "authorization", "x-api-key", "api-key", "apikey", "x-auth-token", "x-access-token", "x-token",
        "x-amz-security-token", "x-goog-api-key", "x-csrf-token", "x-xsrf-token",
    ]

    /// Those that are made of cookies.
    package static let cookies: Set<String> = ["cookie"]

    /// Whether the values of a header line, in any case, are credentials.
    package static func isHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        return headers.contains(name) || cookies.contains(name) || SecretNames.rule(for: name, use: .header) != nil
    }

    /// Whether a secret of a parameter's name shows an account with each request: a signature is of one request, a code of one exchange.
    package static func isOfAccount(parameter name: String) -> Bool {
        let name = name.lowercased()
        return (name.contains("key") || name.contains("token"))
            && !["csrf", "xsrf", "x-amz", "x-goog"].contains(where: name.contains)
    }

    /// Whether a parameter of a query has a secret name, or a name that may be secret with a secret-like value.
    package static func isParameter(_ name: String, values: [String]) -> Bool {
        guard let rule = SecretNames.rule(for: name, use: .query) else { return false }
        switch rule {
        case .any, .word, .credentials, .token:
            // `code` and `ticket` are the names of many things.
            if SecretNames.rule(for: name, use: .member) != nil { return true }
        case .digits, .key: break
        }
        return values.contains { value in
            var value = value
            return value.withUTF8 { rule.matches($0) }
        }
    }
}
