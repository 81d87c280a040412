// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The colours of lines on a terminal (ECMA-48 §8.3.117): of the sign that a line begins with, or of the word that says how bad it is.
enum LineColors {
    private static let red = 31
    private static let green = 32
    private static let yellow = 33
    private static let pale = 2

    /// The beginnings of lines, and their colours.
    private static let beginnings: [(text: String, color: Int)] = [
        ("error:", red), ("warning:", yellow), ("note:", pale), ("  ✗ ", red), ("  ! ", yellow), ("  ~ ", yellow),
        ("  + ", green), ("  = ", pale), ("  - ", pale), ("  · ", pale),
    ]

    static func painted(_ line: String) -> String {
        guard let (text, color) = beginnings.first(where: { line.hasPrefix($0.text) }) else { return line }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m\(line.dropFirst(text.count))"
    }
}
