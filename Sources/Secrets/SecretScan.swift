// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// Looks for secrets in bytes without knowing where they are from.
package enum SecretScan {
    /// The shapes of secrets, real values of telling names and strings of high entropy in a text; nothing in other bytes.
    package static func findings(in bytes: [UInt8], isText: Bool) -> [SecretFinding] {
        let bytes = WideText(bytes)?.utf8 ?? bytes
        let hits = bytes.withUnsafeBufferPointer { Self.hits(in: $0, isText: isText, known: ValueIndex(), base: "") }
        return findings(hits, in: bytes) { _ in nil }
    }

    /// Whether bytes are a text: in the first 8 KiB is no NUL and no start of a known picture, sound, font or archive; or it is in
    /// UTF-16.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        if WideText(bytes) != nil { return true }
        return !bytes.prefix(8192).contains(0) && !MediaStart.isKnown(Array(bytes.prefix(16)))
    }

    static func hits(in bytes: Bytes, isText: Bool, known: ValueIndex, base: String) -> [SecretHit] {
        var hits: [SecretHit] = []
        if isText {
            var finder = DocumentFinder(bytes, strictness: .scan, known: known, base: base)
            hits = finder.find(mediaType: "")
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
