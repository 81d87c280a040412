// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A value that is shown as text.
public protocol TextPresentable {
    /// The text.
    var text: String { get }
    /// The colour of the text.
    var textColor: TextStyle.Color { get }
    /// The font of the text.
    var font: TextStyle.Font { get }
}

extension TextPresentable {
    /// The primary colour.
    public var textColor: TextStyle.Color { .primary }
    /// The font of body texts.
    public var font: TextStyle.Font { .body }
    /// Colour and font together.
    public var textStyle: TextStyle { TextStyle(color: textColor, font: font) }
}

/// A value that is shown as a switch.
///
/// A view model is a value: to toggle changes the copy of the code that shows it.
public protocol SwitchPresentable {
    /// Whether the switch is on.
    var switchOn: Bool { get }
    /// The colour of a switch that is on.
    var switchColor: TextStyle.Color { get }

    /// Somebody has set the switch.
    mutating func onSwitchToggleOn(_ on: Bool)
}

extension SwitchPresentable {
    public var switchColor: TextStyle.Color { .accent }
}

/// A value that is shown as an image, or, if there is no image, as its name.
public protocol ImagePresentable {
    /// The name of the image.
    var imageName: String { get }
}

/// A value that is shown as a field to write in.
///
/// One that is also `TextPresentable` has one `text` for both: text that can be changed.
public protocol TextFieldPresentable {
    /// The text that stands in the field as long as its own is empty.
    var placeholder: String { get }
    /// The text of the field.
    var text: String { get }

    /// Somebody has written a text and left the field.
    mutating func onTextFieldDidEndEditing(_ text: String)
}

extension TextFieldPresentable {
    public var placeholder: String { "" }
}
