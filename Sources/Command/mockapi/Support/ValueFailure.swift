// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A value on the command line that is none of its kind, and what is.
struct ValueFailure: Error, CustomStringConvertible {
    let description: String
}
