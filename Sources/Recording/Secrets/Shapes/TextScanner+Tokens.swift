// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension TextScanner {
    /// A JSON Web Token or an encrypted one (RFC 7519, RFC 7516): parts of Base64 with dots between, the first of them a JSON object.
    mutating func jsonWebToken(at index: Int) -> Int? {
        guard text.has(Array("eyJ".utf8), at: index) else { return nil }
        var end = runs.base64URL(from: index, in: text)
        guard end - index >= 10, end - index <= 4096, end + 1 < text.count, text[end] == UInt8(ascii: ".") else {
            return nil
        }
        guard let header = Base64.decode(text.slice(index..<end), .found), header.last == UInt8(ascii: "}"),
            let members = (try? JSONParser.parse(header))?.object
        else { return nil }
        var parts = 1
        var shortest = Int.max
        while parts < 5, end < text.count, text[end] == UInt8(ascii: ".") {
            let start = end + 1
            end = runs.base64URL(from: start, in: text)
            shortest = min(shortest, end - start)
            parts += 1
        }
        // Without the algorithm that each has (RFC 7515 §4.1.1) it may be a cursor in the name of a file.
        return parts >= 3 && (members["alg"] != nil || shortest >= Self.tokenPart) ? end : nil
    }

    /// Bytes that each part behind a header of no algorithm has at least. 16.
    private static let tokenPart = 16

    /// Three parts of Base64, the first of them the bot's number.
    func discordToken(at index: Int) -> Int? {
        let first = text.end(of: .base64URL, from: index, limit: index + 29)
        guard (24...28).contains(first - index), first < text.count, text[first] == UInt8(ascii: ".") else {
            return nil
        }
        let second = text.end(of: .base64URL, from: first + 1, limit: first + 8)
        guard second - first == 7, second < text.count, text[second] == UInt8(ascii: ".") else { return nil }
        let end = text.end(of: .base64URL, from: second + 1, limit: second + 46)
        guard end - second > 27 else { return nil }
        return TextTraits(text.slice(index..<end)).isToken(least: 50) ? end : nil
    }

    /// `123456789:AA…`, the bot's number and its secret.
    func telegramToken(around colon: Int) -> Range<Int>? {
        guard colon + 1 < text.count, text[colon + 1] == UInt8(ascii: "A") else { return nil }
        var start = colon
        while start > 0, colon - start < 11, ByteClass.digits.contains(text[start - 1]) { start -= 1 }
        guard (8...10).contains(colon - start) else { return nil }
        let end = text.end(of: .base64URL, from: colon + 1, limit: colon + 37)
        return end - colon == 36 ? start..<end : nil
    }

    /// 32 digits in hexadecimal, and the place of the account's data: `…-us12`.
    func mailchimpKey(around dash: Int) -> Range<Int>? {
        guard dash >= 32, dash + 3 < text.count, text.has(Array("us".utf8), at: dash + 1) else { return nil }
        let end = text.end(of: .digits, from: dash + 3, limit: dash + 6)
        guard end > dash + 3, text.endsWord(at: end), text.startsWord(at: dash - 32),
            text[dash - 32..<dash].allSatisfy(ByteClass.lowercaseHexadecimal.contains)
        else { return nil }
        return dash - 32..<end
    }

    /// Three characters, a digit, `Q~`, and 31 to 34 more.
    func azureSecret(around sign: Int) -> Range<Int>? {
        guard sign >= 5, text[sign - 1] == UInt8(ascii: "Q"), ByteClass.digits.contains(text[sign - 2]),
            text[sign - 5..<sign - 2].allSatisfy(Self.azure.contains)
        else { return nil }
        let end = text.end(of: Self.azure, from: sign + 1, limit: sign + 35)
        return end - sign > 31 ? sign - 5..<end : nil
    }

    private static let azure = ByteClass.alphanumeric.union("._~-")

    /// `….atlasv1.…`
    func terraformToken(around dot: Int) -> Range<Int>? {
        let mark = Array(".atlasv1.".utf8)
        guard dot >= 14, text.has(mark, at: dot), text[dot - 14..<dot].allSatisfy(ByteClass.alphanumeric.contains)
        else { return nil }
        let end = text.end(of: .base64URL, from: dot + mark.count, limit: dot + mark.count + 80)
        return end - dot - mark.count >= 60 ? dot - 14..<end : nil
    }

    /// A private key in PEM with its two lines; without its last if that is missing.
    func privateKey(at index: Int) -> Int? {
        let mark = Array("-----".utf8)
        guard text.has(Array("-----BEGIN ".utf8), at: index) else { return nil }
        let label = text.end(of: Self.label, from: index + 11, limit: index + 60)
        guard text.has(mark, at: label), isPrivate(index + 11..<label) else { return nil }
        var end = label + mark.count
        while end < text.count, !(text[end] == UInt8(ascii: "-") && text.has(mark, at: end)) {
            // The value ends, and the key with it.
            if "\"<'`".utf8.contains(text[end]) { return end }
            end += 1
        }
        guard text.has(Array("-----END ".utf8), at: end) else { return end }
        let closing = text.end(of: Self.label, from: end + 9, limit: end + 60)
        return text.has(mark, at: closing) ? closing + mark.count : closing
    }

    private static let label = ByteClass.alphanumeric.union(" ")

    private func isPrivate(_ label: Range<Int>) -> Bool {
        let words = Array("PRIVATE KEY".utf8)
        return label.count >= words.count
            && (label.lowerBound...label.upperBound - words.count).contains { text.has(words, at: $0) }
    }
}
