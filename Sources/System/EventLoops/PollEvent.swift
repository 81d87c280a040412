// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An event of a watched descriptor.
public struct PollEvent {
    public var token: UInt64
    public var isReadable: Bool
    public var isWritable: Bool
    /// The peer sends no more, or the connection is broken: reading shows which.
    public var hasEnded: Bool
}
