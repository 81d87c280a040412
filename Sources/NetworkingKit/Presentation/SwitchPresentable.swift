// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is shown as a switch.
///
/// A view model is a value: to toggle changes the copy of whoever shows it.
public protocol SwitchPresentable {
    var switchOn: Bool { get }
    /// The colour of a switch that is on.
    var switchColor: TextStyle.Color { get }

    /// Somebody has set the switch.
    mutating func onSwitchToggleOn(_ on: Bool)
}

extension SwitchPresentable {
    public var switchColor: TextStyle.Color { .accent }
}
