// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How text looks, by its meaning; the code that shows it decides the look: colours of a terminal, a style sheet, nothing at all.
public struct TextStyle: Hashable, Sendable {
    /// The meaning of a colour.
    public enum Color: String, CaseIterable, Sendable {
        /// The colour of text that is read.
        case primary
        /// For text beside it.
        case secondary
        /// For text that can be acted on, or is chosen.
        case accent
        /// A colour with a meaning.
        case positive, warning, critical
    }

    /// The meaning of the shape of text.
    public enum Font: String, CaseIterable, Sendable {
        /// A font by its place.
        case title, headline, body, caption
    }

    /// The colour.
    public var color: Color
    /// The font.
    public var font: Font

    /// Makes a style.
    public init(color: Color = .primary, font: Font = .body) {
        self.color = color
        self.font = font
    }
}
