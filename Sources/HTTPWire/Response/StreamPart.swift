// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A part of a streamed response, in the order it is taken.
package enum StreamPart: Sendable {
    case head(ResponseHead)
    /// All of the answer, in place of a head and what comes behind it.
    case response(Response)
    /// At least a byte.
    case content([UInt8])
    /// The answer is complete.
    case end([WireField])
    /// The answer is broken off.
    case failure
}
