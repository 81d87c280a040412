// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is shown as a field to write in.
///
/// What is also `TextPresentable` has one `text` for both: text that can be changed.
public protocol TextFieldPresentable {
    /// What stands in the field as long as its text is empty.
    var placeholder: String { get }
    var text: String { get }

    /// Somebody has written a text and left the field.
    mutating func onTextFieldDidEndEditing(_ text: String)
}

extension TextFieldPresentable {
    public var placeholder: String { "" }
}
