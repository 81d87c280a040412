// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What shows a list and can be told that it has changed, such as a table.
///
/// A type of the main actor conforms there: `extension Table: @MainActor ReloadableType`.
public protocol ReloadableType {
    func reloadData()
}
