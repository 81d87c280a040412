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

    /// How far the value of a cookie is looked for: that of a session everywhere, others (a language, a colour) if they are their own.
    static func spread(of name: String) -> SecretSpread {
        let lowered = name.lowercased()
        let isTelling =
            SecretNames.rule(for: name, use: .member) != nil
            || ["sess", "token", "auth", "sid"].contains { lowered.utf8.count >= 3 && lowered.contains($0) }
        return isTelling ? .everywhere : .ifOwn
    }

    /// Whether a cookie does not identify the sender: its name is not that of a session or a token, and its value is of words and short numbers, as a
    /// language, a colour, a consent or a basket is.
    static func isHarmless(_ name: String, _ value: Bytes) -> Bool {
        let lowered = name.lowercased()
        if name.isEmpty || SecretNames.rule(for: name, use: .member) != nil { return false }
        if tellingWords.contains(where: lowered.contains) || value.count > harmlessLimit { return false }
        var run = Run()
        // Runs with only characters that tokens have between them.
        var token = Run()
        var index = 0
        while index < value.count {
            let byte = value[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                run.digits += 1
                token.digits += 1
            case _ where (byte | 0x20) &- UInt8(ascii: "a") < 26:
                run.letters += 1
                token.letters += 1
            case 0x80...: return false
            default:
                if !run.isWord || !token.isName { return false }
                run = Run()
                if !"-_.~+/=".utf8.contains(byte) { token = Run() }
                if byte == UInt8(ascii: "%") { index += 2 }
            }
            index += 1
        }
        return run.isWord && token.isName
    }

    private struct Run {
        var letters = 0
        var digits = 0

        /// Whether they are a word, a short number, or a short one of both.
        var isWord: Bool {
            if digits == 0 { return letters <= 15 }
            return letters == 0 ? digits <= 5 : letters + digits <= 4
        }

        /// Whether they are too few for a token.
        var isName: Bool { letters < 2 || digits < 2 || letters + digits < 8 }
    }

    private static let tellingWords = [
        "sess", "sid", "token", "auth", "jwt", "login", "user", "remember", "csrf", "xsrf", "secret", "key", "pass",
        "ticket", "nonce", "account",
    ]

    /// Bytes of a value that may be harmless. 1 KiB.
    private static let harmlessLimit = 1024
}
