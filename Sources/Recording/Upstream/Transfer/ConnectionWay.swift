// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which connections a transfer may go by.
enum ConnectionWay {
    /// An existing connection, else a new one.
    case any
    /// Only an existing connection.
    case oldConnection
    /// Only a new connection.
    case newConnection
}
