// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Looks at the segments of paths.
enum PathScanner {
    /// Whether a segment, decoded, is the secret of a link: behind a word such as `reset`, or by its look.
    static func isSecret(_ segment: Bytes, behind previous: String, isLast: Bool) -> Bool {
        guard segment.count >= 6, !Placeholder.isWhole(segment) else { return false }
        var previous = previous
        return previous.withUTF8 { LinkWords.isSecret(segment, behind: $0, isLast: isLast) } || isRandom(segment)
    }

    /// Whether another segment stands behind the end of one, other than the name of the file that a link leads to.
    static func goesOn(behind end: Int, in text: Bytes) -> Bool {
        guard end + 1 < text.count, text[end] == UInt8(ascii: "/"), segment.contains(text[end + 1]) else {
            return false
        }
        let last = text.end(of: segment, from: end + 1, limit: end + 1 + fileNameLimit)
        return !TextTraits(text.slice(end + 1..<last)).isFileName
    }

    /// Whether nothing but the name of a file, if anything, stands behind a segment.
    static func isLast(before next: String?) -> Bool {
        guard var next else { return true }
        return next.withUTF8 { TextTraits($0).isFileName }
    }

    /// Bytes of a name of a file. 256.
    private static let fileNameLimit = 256

    /// Whether a segment is random and has 32 characters or more: services use shorter ones as ids of their things.
    private static func isRandom(_ segment: Bytes) -> Bool {
        guard segment.count >= 32, TextTraits.mayBeRun(segment) else { return false }
        let traits = TextTraits(segment)
        return traits.uppercase > 0 && traits.isHighEntropy
    }

    /// The secrets in the paths of the URLs in a text.
    static func hits(in text: Bytes, place: String) -> [SecretHit] {
        var hits: [SecretHit] = []
        var index = text.startIndex
        var previous = 0..<0
        while let slash = text[index...].firstIndex(of: UInt8(ascii: "/")) {
            let end = text.end(of: segment, from: slash + 1)
            let range = slash + 1..<end
            let name = String(decoding: text[previous], as: UTF8.self)
            if isSecret(text.slice(range), behind: name, isLast: !goesOn(behind: end, in: text)) {
                hits.append(SecretHit(range: range, value: Array(text[range]), kind: .link, place: "\(place).path"))
            }
            previous = range
            index = end
        }
        return hits
    }

    private static let segment = ByteClass.alphanumeric.union("-._~%!$'()*+=:@")
}
