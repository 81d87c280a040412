// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension TextScanner {
    /// The user and the password of a URL whose `:` stands at a place, or the password alone if the user is a plain name.
    func urlCredentials(behind colon: Int) -> Range<Int>? {
        guard text.has(Array("://".utf8), at: colon), colon > 0, ByteClass.alphanumeric.contains(text[colon - 1]) else {
            return nil
        }
        let start = colon + 3
        let end = text.end(of: .userInformation, from: start, limit: start + 1024)
        guard end < text.count, text[end] == UInt8(ascii: "@"), end > start else { return nil }
        guard let separator = text[start..<end].firstIndex(of: UInt8(ascii: ":")) else {
            return TextTraits(text.slice(start..<end)).isToken(least: 16) ? start..<end : nil
        }
        if TextTraits(text.slice(start..<separator)).isToken(least: 16) { return start..<end }
        let password = separator + 1..<end
        return password.isEmpty || isWritten(text.slice(password)) ? nil : password
    }

    /// Whether a password in a URL is one of those that stand in manuals.
    private func isWritten(_ value: Bytes) -> Bool {
        if Placeholder.isWhole(value) || value[0] == UInt8(ascii: "$") { return true }
        if value.allSatisfy({ $0 == UInt8(ascii: "*") || $0.lowercased == UInt8(ascii: "x") }) { return true }
        return ["password", "pass", "passwd", "pwd", "secret"].contains {
            value.count == $0.utf8CodeUnitCount && value.hasInAnyCase($0, at: 0)
        }
    }

    func isBasic(at index: Int) -> Bool { text.hasInAnyCase("basic", at: index) }

    /// The credentials behind `Bearer` or `Basic` and a space (RFC 6750, RFC 7617).
    func credentials(at index: Int) -> Range<Int>? {
        let isBasic = isBasic(at: index)
        guard isBasic || text.hasInAnyCase("bearer", at: index) else { return nil }
        var start = index + (isBasic ? 5 : 6)
        if text.has(Array("%20".utf8), at: start) {
            start += 3
        } else if start < text.count, text[start] == UInt8(ascii: " ") || text[start] == UInt8(ascii: "+") {
            start += 1
        } else {
            return nil
        }
        let end = text.end(of: .token68, from: start, limit: start + 8192)
        let value = text.slice(start..<end)
        if isBasic {
            guard value.count >= 8, let plain = Base64.decode(value, .found), plain.contains(UInt8(ascii: ":")),
                plain.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            return start..<end
        }
        let traits = TextTraits(value)
        guard traits.isToken(least: 12) else { return nil }
        return strictness == .redaction || traits.isRealToken ? start..<end : nil
    }
}
