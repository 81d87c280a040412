// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a value on the command line is not of its kind, and the form that it needs.
struct ValueFailure: Error, CustomStringConvertible {
    let description: String
}
