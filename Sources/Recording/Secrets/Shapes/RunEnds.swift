// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where runs of characters end that were measured last: a text of many starts within one run takes no longer than one run.
struct RunEnds {
    private var base64URL = 0..<0
    private var unquoted = 0..<0

    mutating func base64URL(from index: Int, in text: Bytes) -> Int {
        Self.end(.base64URL, from: index, in: text, &base64URL)
    }

    /// The end of a value without quotes, in an address or a line.
    mutating func unquoted(from index: Int, in text: Bytes) -> Int {
        Self.end(Self.value, from: index, in: text, &unquoted)
    }

    private static let value = ByteClass((0x21...0x7E).filter { !"\"'<>&;,#)}]`\\|{(".utf8.contains($0) })

    private static func end(_ characters: ByteClass, from index: Int, in text: Bytes, _ last: inout Range<Int>) -> Int {
        if last.contains(index) { return last.upperBound }
        let end = text.end(of: characters, from: index)
        last = index..<end
        return end
    }
}
