// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Presentables

/// A text and how it looks.
struct Line: TextPresentable, Hashable {
    /// How many characters stand side by side.
    static let columns = 80

    let text: String
    let textColor: TextStyle.Color
    let font: TextStyle.Font

    init(_ text: String, _ color: TextStyle.Color = .primary, _ font: TextStyle.Font = .body) {
        self.text = text
        textColor = color
        self.font = font
    }

    /// The text on as many lines as it takes; a word that is longer than a line keeps one for itself.
    var wrapped: [Line] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= Self.columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { Line($0, textColor, font) }
    }
}
