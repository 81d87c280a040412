// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax
package import MockapiHTTPWire

/// Sends requests to other servers on behalf of stubs.
package protocol RequestForwarder: Sendable {
    /// Takes over a request; called on an event loop, which it must not hold up.
    func forward(_ request: ForwardedRequest, into response: StreamedResponse)

    /// Sends a request of the server's own.
    func send(_ request: OwnRequest) async -> OwnRequest.Ending

    /// Makes fixtures of forwarded exchanges; nil if none are kept.
    var recorder: (any ForwardedRecorder)? { get }
}

extension RequestForwarder {
    package var recorder: (any ForwardedRecorder)? { nil }
}

/// Makes fixtures of requests that were forwarded and of their responses.
package protocol ForwardedRecorder: Sendable {
    /// The number of the newest exchange that was let go, since too much was kept; 0 for none.
    var lost: UInt64 { get }

    /// The numbers beyond this one of the exchanges that are kept.
    func numbers(after number: UInt64) -> Set<UInt64>

    /// Writes fixtures of the exchanges with these numbers, as far as they are kept, into an empty directory.
    ///
    /// - Parameter others: exchanges that were not forwarded.
    /// - Returns: the exchanges that could not be recorded, and why.
    func record(_ numbers: Set<UInt64>, beside others: [OwnExchange], into directory: String) async -> [String]

    /// A value of a request's header line as it may be written; nil for a secret.
    func writable(_ name: String, _ value: String) -> String?
}

/// A request that got the server's own response, to be recorded as if it had been forwarded.
package struct OwnExchange: Sendable {
    /// Its number among the requests of the server.
    package var number: UInt64
    /// Scheme and authority.
    package var base: String
    package var method: String
    /// Path and query.
    package var target: String
    package var fields: [WireField]
    package var body: [UInt8]
    package var status: Int
    package var responseFields: [WireField]
    package var content: [UInt8]

    package init(
        number: UInt64, base: String, method: String, target: String, fields: [WireField], body: [UInt8],
        status: Int, responseFields: [WireField], content: [UInt8]
    ) {
        self.number = number
        self.base = base
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.status = status
        self.responseFields = responseFields
        self.content = content
    }
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
        /// The equal parts that the content of the response goes out in, and how long all of them take; nil for as it comes.
        package var parts: (count: Int, milliseconds: Int)?
        /// Whether a failure is reported as WireMock reports it.
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
    /// Its number among the requests of the server.
    package var number: UInt64

    package init(head: RequestHead, body: [UInt8], route: Route, number: UInt64) {
        self.number = number
        self.head = head
        self.body = body
        self.route = route
    }
}

/// A request of the server's own, such as that of a webhook.
package struct OwnRequest: Sendable {
    package enum Ending: Sendable {
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
