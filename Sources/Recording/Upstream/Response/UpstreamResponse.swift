// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response that has come whole.
package struct UpstreamResponse: Sendable {
    package var head: UpstreamHead
    /// The interim responses before it, status 1xx, the switch to HTTP/2 by `h2cUpgrade` too.
    package var interim: [UpstreamHead]
    /// The content as it was sent: no coding is undone but that of the transfer.
    package var body: [UInt8]
    package var trailers: [UpstreamField]
    package var info: UpstreamInfo

    package var status: Int { head.status }
    /// The content as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
