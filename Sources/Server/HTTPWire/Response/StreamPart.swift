// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A part of a streamed response, in the order it is taken.
package enum StreamPart: Sendable {
    case head(ResponseHead)
    /// All of the response, in place of a head and the parts after it.
    case response(Response)
    /// At least a byte.
    case content([UInt8])
    /// The response is complete.
    case end([WireField])
    /// The response is broken off.
    case failure
}
