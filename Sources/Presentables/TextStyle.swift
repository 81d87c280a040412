// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How text looks, by what it means; whoever shows it decides what that is: colours of a terminal, a style sheet, nothing at all.
public struct TextStyle: Hashable, Sendable {
    /// What a colour says.
    public enum Color: String, CaseIterable, Sendable {
        /// The colour of what is read.
        case primary
        /// Of what is beside it.
        case secondary
        /// Of what can be acted on, or is chosen.
        case accent
        case positive, warning, critical
    }

    /// What the shape of text says.
    public enum Font: String, CaseIterable, Sendable {
        case title, headline, body, caption
    }

    public var color: Color
    public var font: Font

    public init(color: Color = .primary, font: Font = .body) {
        self.color = color
        self.font = font
    }
}
