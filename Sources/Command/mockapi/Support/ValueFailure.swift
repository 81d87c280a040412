// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a value on the command line is not of its kind, and what is.
struct ValueFailure: Error, CustomStringConvertible {
    let description: String
}
