// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire

/// A summary, for the journal and the log, of the response to a proxied request.
struct ProxiedSummary {
    /// The head; nil if no response came.
    let head: ResponseHead?
    /// Bytes of content; negative if the head does not say.
    let size: Int64
    /// Where the response came from, in words; nil if none came.
    let source: String?

    /// Why nothing came; nil if something did.
    var problem: String? { head == nil ? "no response from the upstream" : nil }

    /// - Parameter isHead: whether the request was HEAD, whose response has no content.
    init(_ beginning: StreamBeginning, isHead: Bool) {
        switch beginning {
        case .head(let head):
            self.head = head
            source = "from the upstream"
            size =
                switch head.framing {
                case .length(let length): isHead ? 0 : Int64(length)
                case .chunked: isHead ? 0 : -1
                case .none: 0
                }
        case .response(let response):
            head = response.head
            source = "instead of the upstream"
            size = Int64(response.body.count)
        case .nothing:
            head = nil
            source = nil
            size = 0
        }
    }
}
