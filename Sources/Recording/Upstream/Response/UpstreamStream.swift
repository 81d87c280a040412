// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response whose content is still coming.
package struct UpstreamStream: Sendable {
    package var head: UpstreamHead
    /// The interim responses before it, status 1xx.
    package var interim: [UpstreamHead]
    /// To be read once; the transfer is cancelled when it is let go of before its end.
    package var body: UpstreamBody
}
