// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension NetNamespace where Base: HTTPURLResponse {
    /// Type and subtype of the content in lower case, without parameters: `application/json` (RFC 9110 §8.3.1).
    ///
    /// Nil where there is no `Content-Type` or it is no media type.
    public var mediaType: String? {
        guard let field = base.value(forHTTPHeaderField: "Content-Type") else { return nil }
        let type = field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HTTPMethod(String($0)).isValid }) else { return nil }
        return type
    }

    /// Whether the content says that it is JSON: `application/json`, or a type that ends with `+json` (RFC 6839 §3.1).
    public var isJSON: Bool {
        guard let mediaType else { return false }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
    }

    /// A response that no service has sent, for doubles in tests.
    ///
    ///     let response = try HTTPURLResponse.net.plain(url, status: 404)
    public static func plain(
        _ url: URL, status: Int, headers: [String: String] = [:]
    ) throws(URLError) -> HTTPURLResponse {
        try .plain(url, status: status, headers: headers)
    }
}
