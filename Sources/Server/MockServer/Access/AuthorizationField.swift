// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Authorization field of a request: the credentials of its sender (RFC 9110 §11.6.2).
struct AuthorizationField {
    /// In lower case.
    let scheme: String
    /// The text after the scheme.
    let credentials: String

    /// - Returns: nil if the request has no line of this kind, or more than one.
    init?(_ head: borrowing RequestHead) {
        guard let value = head.onlyValue("authorization") else { return nil }
        let text = head.string(value)
        let end = text.firstIndex(ascii: " ") ?? text.endIndex
        scheme = text[..<end].lowercased()
        credentials = String(Substring(text[end...].utf8.drop { $0 == ASCII.space }))
    }

    /// A name and a password (RFC 7617 §2); nil if the credentials are not in that form.
    var nameAndPassword: (name: String, password: String)? {
        guard let data = Data(base64Encoded: credentials) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let colon = text.firstIndex(ascii: ":") else { return nil }
        return (String(text[..<colon]), String(text.suffix(behind: colon)))
    }

    /// Parameters by their names in lower case (RFC 9110 §11.2); nil if they cannot be read, or one is repeated.
    var parameters: [String: String]? {
        var parameters: [String: String] = [:]
        var rest = Array(credentials.utf8)[...]
        while true {
            rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab || $0 == ASCII.comma }
            if rest.isEmpty { return parameters }
            let name = rest.prefix(while: ASCII.isToken)
            rest = rest.dropFirst(name.count).drop { $0 == ASCII.space || $0 == ASCII.tab }
            guard !name.isEmpty, rest.first == ASCII.equals else { return nil }
            rest = rest.dropFirst().drop { $0 == ASCII.space || $0 == ASCII.tab }
            guard let value = Self.takeValue(&rest) else { return nil }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard parameters.updateValue(value, forKey: key) == nil else { return nil }
        }
    }

    /// A token or a quoted string.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == ASCII.quote else {
            let token = rest.prefix(while: ASCII.isToken)
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == ASCII.quote { return String(decoding: value, as: UTF8.self) }
            if byte == ASCII.backslash, let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return nil
    }
}
