// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension String {
    /// The text for one line of a terminal or a log: a character that such a reader takes for more than a letter stands as `\u{1b}`.
    package var printable: String {
        escaped(Unreadable.contains) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// The same of a JSON text, whose writer has escaped the characters of RFC 8259 §7: its value stays the same.
    package var printableJSON: String {
        escaped({ $0.value >= 0x20 && Unreadable.contains($0) }) {
            let digits = String($0.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private func escaped(
        _ isEscaped: (Unicode.Scalar) -> Bool, _ escape: (Unicode.Scalar) -> String
    ) -> String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) || !unicodeScalars.contains(where: isEscaped) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}

/// Characters that steer a terminal or end a line, or with which a text can pass for another (Unicode TR 36 §2.5).
private enum Unreadable {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Control characters: C0, DEL and C1.
        case 0..<0x20, 0x7F..<0xA0: true
        // Line and paragraph separator.
        case 0x2028, 0x2029: true
        // Marks, embeddings, overrides and isolates of the direction of writing.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
