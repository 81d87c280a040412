// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiEventLoops
package import MockapiHTTPSyntax
package import MockapiHTTPWire

/// A proxy for the requests that match no fixture, such as one to a live service.
package protocol RequestProxy: Sendable {
    /// Takes over a request; called on an event loop, which it must not hold up.
    func forward(_ request: UnmatchedRequest, into response: StreamedResponse)

    /// A request's head as it is kept and logged.
    func told(_ head: RequestHead) -> RequestHead

    /// Notes a request that the server refused by itself, before the proxy saw it; called on an event loop.
    func refused(_ head: RequestHead, _ status: Int, _ reason: String)
}

extension RequestProxy {
    package func told(_ head: RequestHead) -> RequestHead { head }

    package func refused(_ head: RequestHead, _ status: Int, _ reason: String) {}
}

/// A request that matches no fixture, as it goes to a proxy.
package struct UnmatchedRequest: Sendable {
    package var head: RequestHead
    package var body: [UInt8]
    package var connection: ConnectionInfo
    /// The event loop that its response goes out on.
    package var loop: EventLoop
    /// Whether its Host is one of the server's names; otherwise the request may be from a page whose own name leads here (DNS rebinding).
    package var namesServer: Bool

    package init(
        head: RequestHead, body: [UInt8], connection: ConnectionInfo, loop: EventLoop, namesServer: Bool
    ) {
        self.head = head
        self.body = body
        self.connection = connection
        self.loop = loop
        self.namesServer = namesServer
    }
}
