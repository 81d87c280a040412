// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A request to a live service.
package struct UpstreamRequest: Sendable {
    /// `http` or `https`; the part after the authority is sent as written, dot segments too, without the fragment.
    package var url: String
    package var method: String
    /// The field lines in the order they are sent, repeats too.
    ///
    /// HTTP/1.1 has Host before all others, HTTP/2 makes names lowercase and leaves out the lines of a connection. Content-Length is
    /// added if there is content and no such line; User-Agent, Accept and Expect are not.
    package var fields: [UpstreamField]
    package var body: UpstreamRequestBody
    /// Sent in the place of the URL's path and query, such as `*`.
    package var target: String?
    package var version: UpstreamProtocol
    /// nil for those of the client.
    package var timeouts: UpstreamTimeouts?

    package init(
        _ method: String = "GET", _ url: String, fields: [UpstreamField] = [], body: UpstreamRequestBody = .none,
        target: String? = nil, version: UpstreamProtocol = .automatic, timeouts: UpstreamTimeouts? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.target = target
        self.version = version
        self.timeouts = timeouts
    }
}
