// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How a client gave up a response before it had all of it.
public enum Abandonment: Hashable, Sendable {
    /// It ended the connection, or at least its side of it.
    case connectionClosed
    /// It reset the stream (RFC 9113 §6.4) with this error code; 8 is CANCEL.
    case streamReset(code: UInt32)

    init(code: UInt32?) {
        self = code.map { .streamReset(code: $0) } ?? .connectionClosed
    }
}
