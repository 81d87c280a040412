// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// Looks for secrets in bytes without knowing where they are from.
package enum SecretScan {
    /// The shapes of secrets, real values of secret names and strings of high entropy in a text; in other bytes, beginnings that only secrets
    /// have.
    package static func findings(in bytes: [UInt8], isText: Bool) -> [SecretFinding] {
        let bytes = WideText(bytes)?.utf8 ?? bytes
        let hits = bytes.withUnsafeBufferPointer { Self.hits(in: $0, isText: isText, known: ValueIndex(), base: "") }
        return findings(hits, in: bytes) { _ in nil }
    }

    /// Whether somebody who has a digest of a value could find it by trying: it is short, or no letters, digits and signs at random, or words and
    /// numbers side by side, mostly words, or few different bytes; not words of 40 bytes and more with a number of nine digits.
    ///
    /// - Parameter length: that of a value that is not short.
    private static func isGuessable(_ value: [UInt8], least length: Int) -> Bool {
        value.withUnsafeBufferPointer { bytes in
            let traits = TextTraits(bytes)
            let signs = bytes.prefix(TextTraits.limit).count { "-_.=+/~".utf8.contains($0) }
            let isRandom = traits.digits > 0 && traits.letters > 0 || traits.isScrambled(length, share: 2)
            guard bytes.count >= length, isRandom, signs == traits.others else { return true }
            let numbers = bytes.split { !ByteClass.digits.contains($0) }
            if bytes.count >= 40, numbers.contains(where: { $0.count >= 9 }) { return traits.shannon < 3 }
            return traits.isWordy || traits.isSlug(of: 20) || traits.shannon < 3
        }
    }

    /// The same of a credential that is a whole value: the cookie of a session, a key.
    package static func isGuessable(_ value: [UInt8]) -> Bool { isGuessable(value, least: 16) }

    /// The same of a secret of the target or of the content.
    ///
    /// - Parameter parameter: the name of a parameter of the query; nil for another place.
    package static func isGuessable(_ value: [UInt8], of parameter: String?) -> Bool {
        isGuessable(value, least: parameter.map(CredentialNames.isOfAccount) == true ? 16 : 24)
    }

    /// The same of a header line with a value, and a scheme in front of it if there is one: Basic credentials are of a password.
    package static func isGuessable(line: [UInt8]) -> Bool {
        let parts = line.split(separator: ASCII.space)
        return parts.first.map { String(decoding: $0, as: UTF8.self).lowercased() == "basic" } == true
            || isGuessable(parts.last.map { Array($0) } ?? line)
    }

    /// Whether bytes are a text: the first 8 KiB have no NUL and no start of a known picture, sound, font or archive; or it is in
    /// UTF-16.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        if WideText(bytes) != nil { return true }
        return !bytes.prefix(8192).contains(0) && !MediaStart.isKnown(Array(bytes.prefix(16)))
    }

    /// Whether bytes are a text in which a few have no place: of the first 8 KiB no more than one in sixteen is a control character, and all
    /// is UTF-8.
    static func isNearlyText(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(8192)
        let controls = head.count { $0 < 0x20 && !ByteClass.space.contains($0) }
        guard !MediaStart.isKnown(Array(head.prefix(16))), controls * 16 <= head.count else { return false }
        return (0...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }

    static func hits(
        in bytes: Bytes, isText: Bool, known: ValueIndex, base: String, isBinary: Bool = true
    ) -> [SecretHit] {
        var hits: [SecretHit] = []
        if isText {
            var scanner = DocumentScanner(bytes, strictness: .scan, known: known, base: base)
            hits = scanner.find(mediaType: "")
        } else if isBinary {
            hits = BinaryScanner.hits(in: bytes, base: base)
        }
        known.search(bytes) { range, value in
            hits.append(SecretHit(range: range, value: value, kind: .known(""), place: base))
        }
        return hits.apart()
    }

    static func findings(_ hits: [SecretHit], in bytes: [UInt8], name: ([UInt8]) -> String?) -> [SecretFinding] {
        if hits.isEmpty { return [] }
        let lines = LineMap(bytes)
        return hits.map { hit in
            let (line, column) = lines.position(of: hit.range.lowerBound)
            let kind = name(hit.value).map { SecretKind.known($0) } ?? hit.kind
            return SecretFinding(kind: kind.words, line: line, column: column)
        }
    }
}
