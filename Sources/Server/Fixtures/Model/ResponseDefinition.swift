// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiContentCodings
package import MockapiJSONText

/// A response as a stub file defines it: with the lines that are written, and the name of its body's file in the place of the bytes.
///
/// `StubWriter` writes it, and code that rewrites a stub reads it; `StubResponse` is served.
package struct ResponseDefinition: Sendable {
    package enum Content: Sendable {
        case none
        case text(String)
        case json(JSONNode)
        case bytes([UInt8])
        /// The name of a file, relative to the stub file.
        case file(String)
    }

    package var status: Int
    /// The reason phrase of HTTP/1.1; nil for the usual one of the status.
    package var reason: String?
    /// Whether the lines, the trailers and the reason are sent in ISO 8859-1 rather than in UTF-8.
    package var isLatin1 = false
    package var headers: [HeaderLine] = []
    package var content = Content.none
    package var contentEncoding: ContentCoding?
    /// Whether content without a Content-Type line gets one by its bytes.
    package var isTyped = true
    package var contentLength: Int?
    package var trailers: [HeaderLine] = []
    package var rewriteOrigins: [String] = []
    /// Whether a request for a range gets a part.
    package var hasRanges = true
    package var delay = ResponseDelay()
    package var fault: Fault?
    /// Whether a fault of WireMock's hits the whole connection over HTTP/2, not the stream alone.
    package var faultEndsConnection = false
    /// The error code of `fault` if it is written as a name that RFC 9113 does not have, which is a finding of the reader; nil otherwise.
    package var unknownErrorCode: String?

    package init(status: Int = 200, headers: [HeaderLine] = [], content: Content = .none) {
        self.status = status
        self.headers = headers
        self.content = content
    }
}
