// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiUpstream

/// A request that is made for the recording alone.
package struct DirectRequest: Sendable {
    package var method: String
    /// A raw path with its query, or the URL of one of the session's upstreams.
    package var path: String
    package var fields: [UpstreamField]
    /// nil for no content.
    package var body: [UInt8]?

    package init(_ method: String, _ path: String, fields: [UpstreamField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }
}
