// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The connection that a response came by.
package struct UpstreamInfo: Hashable, Sendable {
    /// The address that was connected to.
    package var address: String
    package var port: Int
    /// How many connections were made for this request; 0 if it used an existing one.
    package var newConnections: Int
    /// From the start to the last byte.
    package var duration: Duration
}
