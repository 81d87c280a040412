// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiEventLoops
package import MockapiHTTPSyntax
package import MockapiHTTPWire

/// A proxy for the requests that no fixture answers, such as one to a live service.
package protocol RequestProxy: Sendable {
    /// Takes over a request; called on an event loop, which it must not hold up.
    func forward(_ request: UnmatchedRequest, into response: StreamedResponse)

    /// A request's head as it is kept and logged.
    func told(_ head: RequestHead) -> RequestHead
}

extension RequestProxy {
    package func told(_ head: RequestHead) -> RequestHead { head }
}

/// A request that no fixture answers, as it goes to a proxy.
package struct UnmatchedRequest: Sendable {
    package var head: RequestHead
    package var body: [UInt8]
    package var connection: ConnectionInfo
    /// The event loop that its response goes out on.
    package var loop: EventLoop
    /// Whether its Host is one of the server's names; where it is another one, a page may ask whose own name leads here (DNS rebinding).
    package var namesServer: Bool
    /// Has the server look once more whether it has a response itself, in place of the proxy's; nil where it cannot.
    package var again: (@Sendable () -> Void)?

    package init(
        head: RequestHead, body: [UInt8], connection: ConnectionInfo, loop: EventLoop, namesServer: Bool,
        again: (@Sendable () -> Void)? = nil
    ) {
        self.head = head
        self.body = body
        self.connection = connection
        self.loop = loop
        self.namesServer = namesServer
        self.again = again
    }
}
