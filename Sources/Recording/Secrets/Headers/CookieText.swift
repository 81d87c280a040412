// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The grammar of cookies (RFC 6265).
enum CookieText {
    /// Without white space and quotes around it.
    static func trimmed(_ range: Range<Int>, in text: Bytes) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ByteClass.space.contains(text[start]) { start += 1 }
        while end > start, ByteClass.space.contains(text[end - 1]) { end -= 1 }
        if end - start >= 2, text[start] == UInt8(ascii: "\""), text[end - 1] == UInt8(ascii: "\"") {
            return start + 1..<end - 1
        }
        return start..<end
    }

    static func name(_ range: Range<Int>, in text: Bytes) -> String {
        String(decoding: text[range], as: UTF8.self)
    }

    /// How far the value of a cookie is looked for: that of a session everywhere, others (a language, a colour) where they are their own.
    static func spread(of name: String) -> SecretMemory.Spread {
        let lowered = name.lowercased()
        let isTelling =
            SecretNames.rule(for: name, use: .member) != nil
            || ["sess", "token", "auth", "sid"].contains { lowered.utf8.count >= 3 && lowered.contains($0) }
        return isTelling ? .everywhere : .ifOwn
    }
}
