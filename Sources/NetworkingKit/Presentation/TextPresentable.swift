// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is shown as text.
public protocol TextPresentable {
    var text: String { get }
    var textColor: TextStyle.Color { get }
    var font: TextStyle.Font { get }
}

extension TextPresentable {
    public var textColor: TextStyle.Color { .primary }
    public var font: TextStyle.Font { .body }
    /// Colour and font together.
    public var textStyle: TextStyle { TextStyle(color: textColor, font: font) }
}
