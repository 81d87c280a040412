// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How far the search for stubs that stand in each other's way goes.
package enum LintLimits {
    /// Up to so many conditions every part of them is tried for a stub that asks for less; beyond, all, all but one, one and none.
    package static let conditions = 6
    /// Up to so many stubs of one rank and target are compared pair by pair; more are first told apart by a value.
    package static let pairs = 48
    /// How many stubs of each of two overlapping targets are compared.
    package static let acrossTargets = 16
    /// How many templates with one number of segments are compared, and how many patterns and templates are tried as covering
    /// an exact target.
    package static let targets = 64
}
