// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What happened to a watched descriptor.
struct PollEvent {
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
    /// The peer sends no more, or the connection is broken: reading tells which.
    var hasEnded: Bool
}
