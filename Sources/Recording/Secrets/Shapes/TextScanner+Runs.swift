// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension TextScanner {
    /// Looks for runs of high entropy that stand by themselves: in a sentence, between quotes, in an element.
    mutating func findRuns() {
        let least = TextTraits.runLengths.lowerBound
        var start = 0
        while start + least <= text.count {
            // From behind, so that words are passed over a few bytes at a time.
            var probe = start + least - 1
            while probe >= start, Self.run.contains(text[probe]) { probe -= 1 }
            if probe >= start {
                start = probe + 1
                continue
            }
            let end = text.end(of: Self.run, from: start + least)
            if end - start <= 2 * TextTraits.runLengths.upperBound { run(start..<end) }
            start = end + 1
        }
    }

    private static let run = ByteClass.base64URL.union("+/")

    /// Drops findings inside of media in Base64: a likeness to a secret there is chance, and cutting it breaks the file.
    mutating func leaveMedia() {
        // The run that was measured last, which further matches may stand in.
        var last = (run: 0..<0, isMedia: false)
        matches = matches.filter { match in
            let place = match.range
            if place.count == text.count { return true }
            if !last.run.contains(place.lowerBound) { last = data(around: place.lowerBound) }
            return !last.isMedia || place.lowerBound - last.run.lowerBound < 8
                || place.upperBound > last.run.upperBound + 2
        }
    }

    /// The run of Base64 that a place stands in, and whether it is the data of a file: by its beginning, or by its length.
    private func data(around place: Int) -> (run: Range<Int>, isMedia: Bool) {
        var start = place
        while start > 0, Self.data.contains(text[start - 1]) { start -= 1 }
        let end = text.end(of: Self.data, from: place)
        // A longer secret is found at the start of its run, which stays a match.
        if end - start >= Self.leastData { return (start..<end, true) }
        guard end - start >= Self.leastMedia, let head = Base64.decode(text.slice(start..<start + 24), .found) else {
            return (start..<end, false)
        }
        return (start..<end, MediaStart.isKnown(head))
    }

    private static let data = ByteClass.alphanumeric.union("+/")
    /// The least length of media in Base64 that is not searched; a token may be as long as a shorter run. 256.
    private static let leastMedia = 256
    /// That of a file of any kind. 1,024.
    private static let leastData = 1024

    private mutating func run(_ whole: Range<Int>) {
        guard isApart(whole) else { return }
        if let slash = text[whole].firstIndex(of: UInt8(ascii: "/")), isPath(whole, slash) { return }
        var range = whole
        while range.count > TextTraits.runLengths.lowerBound, "-/".utf8.contains(text[range.lowerBound]) {
            range = range.lowerBound + 1..<range.upperBound
        }
        // The padding of Base64.
        let end = text.end(of: Self.padding, from: range.upperBound, limit: range.upperBound + 2)
        let padded = range.lowerBound..<end
        guard TextTraits.runLengths.contains(padded.count), endsApart(end, from: whole.lowerBound) else { return }
        let traits = TextTraits(text.slice(padded))
        guard traits.isHighEntropy, !traits.isSample,
            !isExempt(range), !isFolded(padded)
        else { return }
        add(padded, .highEntropy)
    }

    private static let padding = ByteClass("=")

    /// Whether the characters in front of a run let it stand by itself.
    private func isApart(_ run: Range<Int>) -> Bool {
        guard run.lowerBound > 0 else { return true }
        let byte = text[run.lowerBound - 1]
        return byte >= 0x80 || byte <= 0x20 || "\"'`([{<>,;:=|?\\".utf8.contains(byte)
    }

    /// Whether the characters behind a run let it stand by itself, and make no name of it.
    private func endsApart(_ end: Int, from start: Int) -> Bool {
        guard end < text.count else { return true }
        let isLast = end + 1 == text.count || text[end + 1] <= 0x20 || "\"'`<)".utf8.contains(text[end + 1])
        switch text[end] {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"): return isLast
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
            var next = end + 1
            if text[end] == UInt8(ascii: "\\") { next += 1 }
            // The name of a member stands behind the beginning of an object or a separator.
            let isName = next < text.count && text[next] == UInt8(ascii: ":")
            return !isName
                || start >= 2 && text[start - 2] == UInt8(ascii: " ") && start >= 3 && text[start - 3] > 0x20
                    && !",{".utf8.contains(text[start - 3])
        case let byte: return byte >= 0x80 || byte <= 0x20 || "`)]}<>,;|".utf8.contains(byte)
        }
    }

    /// Whether a run is a path: it begins with a slash, or has a word between two of them.
    private func isPath(_ run: Range<Int>, _ slash: Int) -> Bool {
        if slash == run.lowerBound { return true }
        return text[run].split(separator: UInt8(ascii: "/")).contains { part in
            part.count >= 3 && part.allSatisfy { ByteClass.lowercase.contains($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether the name or the words in front of a run show that it is an id, a digest, a key that is public, or data of a URL.
    func isExempt(_ run: Range<Int>) -> Bool {
        var index = run.lowerBound
        let limit = max(0, index - 48)
        // `base64,…`
        if index > 6, text.has(Array("base64,".utf8), at: index - 7) { return true }
        while index > limit, "\"'`\\ (:=<>,[".utf8.contains(text[index - 1]) { index -= 1 }
        var start = index
        while start > limit, ByteClass.name.contains(text[start - 1]) { start -= 1 }
        let isNamed =
            text[index..<run.lowerBound].contains { ":=>".utf8.contains($0) }
            || start + 2 < index && text[start] == UInt8(ascii: "-")
        let name = text.slice(start..<index)
        if isNamed ? SecretNames.isExemptFromEntropy(name) : name.count == 2 && name.hasInAnyCase("id", at: 0) {
            return true
        }
        // One word more: `public key: …`, `class="a …"`.
        let words = text.slice(limit..<run.lowerBound)
        return words.indices.contains { index in Self.exempt.contains { words.hasInAnyCase($0, at: index) } }
    }

    private static let exempt: [StaticString] = [
        "public", "fingerprint", "digest", "checksum", "sha256", "sha512", "sha1", "md5", "integrity", "etag",
        "class=", "cursor", "commit ", "signature:", "rrsig", "dnskey", "hash", "ssh-rsa ", "address", "wallet",
        "pin-sha", "v=dkim", "verification", "nonce-", "mappings", "boundary", "signaturevalue", "ciphervalue",
    ]

    /// Whether a run is a line of a long content that is folded into lines of one length (RFC 2045 §6.8, RFC 7468 §2).
    private func isFolded(_ run: Range<Int>) -> Bool {
        let (start, end) = (run.lowerBound, run.upperBound)
        if hasFullLine(before: run) { return true }
        guard run.count >= 60, start == 0 || text[start - 1] <= 0x20 || text[start - 1] == UInt8(ascii: ">"),
            end < text.count, text[end] <= 0x20
        else { return false }
        let next = text.end(of: .space, from: end, limit: end + 8)
        guard text[end..<next].contains(0x0A) else { return false }
        return text.end(of: Self.run, from: next, limit: next + run.count + 1) - next >= 48
    }

    /// Whether a line of 60 characters or more of the same kind stands above.
    private func hasFullLine(before run: Range<Int>) -> Bool {
        var index = run.lowerBound
        while index > 0, ByteClass.space.contains(text[index - 1]), run.lowerBound - index < 8 { index -= 1 }
        guard text[index..<run.lowerBound].contains(0x0A) else { return false }
        let end = index
        while index > 0, end - index < 76, Self.run.contains(text[index - 1]) { index -= 1 }
        return end - index >= 60
    }
}
