// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax
package import MockapiHTTPWire

/// Sends requests to other servers on behalf of stubs.
package protocol RequestForwarder: Sendable {
    /// Takes over a request; called on an event loop, which it must not hold up.
    func forward(_ request: ForwardedRequest, into response: StreamedResponse)

    /// Sends a request of the server's own.
    func send(_ request: OwnRequest) async -> OwnRequest.Outcome
}

/// A request that a stub forwards.
package struct ForwardedRequest: Sendable {
    /// Where a stub forwards its requests to, and how.
    package struct Route: Sendable {
        /// Scheme, authority and the beginning of the path, without a slash at its end.
        package var base: String
        /// The prefix that is removed from the path; empty for none.
        package var prefixToRemove = ""
        /// Lines that take the place of the client's of the same name.
        package var addedFields: [WireField] = []
        /// The names, in lower case, of lines that do not go on.
        package var removedNames: Set<String> = []
        /// Lines that the response has after the upstream's.
        package var responseFields: [WireField] = []
        /// Whether a failure is told as WireMock tells it.
        package var isOfWireMock = false
        /// The server's name in Via lines: no other server has it.
        package var pseudonym = ""

        package init(base: String) {
            self.base = base
        }
    }

    package var head: RequestHead
    package var body: [UInt8]
    package var route: Route

    package init(head: RequestHead, body: [UInt8], route: Route) {
        self.head = head
        self.body = body
        self.route = route
    }
}

/// A request of the server's own, such as that of a webhook.
package struct OwnRequest: Sendable {
    package enum Outcome: Sendable {
        /// Status, field lines and the beginning of the content.
        case response(Int, [WireField], [UInt8])
        /// Why there is no response, in words.
        case failed(String)
    }

    package var method: String
    package var url: String
    package var fields: [WireField]
    package var body: [UInt8]

    package init(method: String, url: String, fields: [WireField], body: [UInt8]) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}
