// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiProxy
package import MockapiUpstream

/// A request as it was sent to an upstream, and the response as it came, whole.
package struct Exchange: Sendable {
    /// Scheme, host and port of the upstream, such as `https://api.example.com`.
    package var origin: String
    package var method: String
    /// The raw path and query that were sent.
    package var target: String
    /// The field lines that were sent.
    package var requestFields: [UpstreamField]
    /// The names, in lower case, of the fields that the recording added to the client's.
    package var addedFields: Set<String> = []
    package var requestBody: [UInt8]
    package var head: UpstreamHead
    package var trailers: [UpstreamField]
    /// The response's content, decoded if its coding is known.
    package var content: SpooledContent
    /// The upstream's change mark when the request was sent: the requests until then that may have changed something.
    var changes = ChangeMark()
    /// Whether the service responds to a request for a range with a part: false if it sent the whole; nil if nobody asked it for one.
    package var givesRanges: Bool?
    /// Whether something was sent since the response that this one samples, so that it does not show the volatile parts.
    package var isOutdated = false

    package init(
        origin: String, method: String, target: String, requestFields: [UpstreamField], requestBody: [UInt8],
        head: UpstreamHead, trailers: [UpstreamField], content: SpooledContent
    ) {
        self.origin = origin
        self.method = method
        self.target = target
        self.requestFields = requestFields
        self.requestBody = requestBody
        self.head = head
        self.trailers = trailers
        self.content = content
    }
}

extension Exchange {
    /// Whether the kept part of the response's head is not UTF-8: then all of it is taken for ISO 8859-1, which has a
    /// character for each byte.
    var isLatin1: Bool {
        let lines = (head.fields + trailers).filter {
            ResponseHeaders.treatment(of: $0.name.lowercased()) != .dropped
        }
        return ([head.reasonBytes] + lines.map(\.bytes)).contains { bytes in
            bytes.contains { $0 >= 0x80 } && String(validating: bytes, as: UTF8.self) == nil
        }
    }

    /// The text of a header field value of the response, or of its reason.
    func text(_ bytes: [UInt8], isLatin1: Bool) -> String {
        isLatin1 ? Latin1.text(bytes) : String(decoding: bytes, as: UTF8.self)
    }
}

extension Exchange {
    /// False if the response to a request for a part was the whole: the service has no ranges.
    static func givesRanges(asked part: PartRequest?, _ status: Int, _ content: SpooledContent) -> Bool? {
        guard let part, status == 200, part.isLess(than: content.transferred) else { return nil }
        return false
    }
}

/// How many requests that may change something had begun or ended at an upstream, and how many were under way.
struct ChangeMark: Hashable, Sendable {
    var count = 0
    var open = 0
}
