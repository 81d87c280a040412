// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Searches for ASCII characters in texts of others.
///
/// The standard library's own search is for characters as people see them: `&` with an accent behind it is another one, so a sender could hide a
/// separator or a placeholder from it. HTTP's grammars are of bytes (RFC 9110 §5.5), as are these.
extension StringProtocol {
    /// The parts between the occurrences of an ASCII character, whatever stands behind it.
    package func split(
        ascii separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        let parts = Substring(self).utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences)
        return parts.map { Substring($0) }
    }

    /// The text with another in the place of each occurrence of one, whatever stands behind it.
    package func replacing(bytesOf old: String, with new: String) -> String {
        guard !old.isEmpty else { return String(self) }
        let old = Array(old.utf8)
        var rest = Array(utf8)[...]
        var output: [UInt8] = []
        while let range = rest.firstRange(of: old) {
            output += rest[..<range.lowerBound]
            output += new.utf8
            rest = rest[range.upperBound...]
        }
        return String(decoding: output + rest, as: UTF8.self)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The first place of an ASCII character, whatever stands behind it.
    package func firstIndex(ascii character: Unicode.Scalar) -> Index? {
        utf8.firstIndex(of: UInt8(ascii: character))
    }

    /// The last place of an ASCII character, whatever stands behind it.
    package func lastIndex(ascii character: Unicode.Scalar) -> Index? {
        Substring(self).utf8.lastIndex(of: UInt8(ascii: character))
    }

    /// The text behind an ASCII character at an index, whatever stands there.
    package func suffix(behind index: Index) -> Substring { self[utf8.index(after: index)...] }

    /// The text in front of the first place of an ASCII character; all of it if there is none.
    package func prefix(before character: Unicode.Scalar) -> Substring {
        self[..<(firstIndex(ascii: character) ?? endIndex)]
    }
}
