// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which connections a transfer may go by.
enum ConnectionWay {
    /// One that is there, else a new one.
    case any
    /// Only one that is there.
    case oldConnection
    /// Only a new one.
    case newConnection
}
