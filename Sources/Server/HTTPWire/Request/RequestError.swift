// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a message is refused: the status of the response and the reason in words. The connection ends after it.
package struct RequestError: Error, Equatable, Sendable {
    /// A limit of `RequestLimits` that the server's owner sets.
    package enum Limit: Sendable {
        case head
        case content
    }

    package var status: Int
    package var text: String
    /// The limit that the message exceeds, if it is one of those.
    package var exceeded: Limit?

    package init(_ status: Int, _ text: String, exceeded: Limit? = nil) {
        self.status = status
        self.text = text
        self.exceeded = exceeded
    }

    static func headTooLarge(_ limits: RequestLimits) -> RequestError {
        RequestError(431, "the head of the request is longer than \(limits.maxHead) bytes", exceeded: .head)
    }

    static func requestLineTooLarge(_ limits: RequestLimits) -> RequestError {
        RequestError(414, "the request line is longer than \(limits.maxHead) bytes", exceeded: .head)
    }

    static func targetTooLarge(_ limits: RequestLimits) -> RequestError {
        RequestError(414, "the request target is longer than \(limits.maxHead) bytes", exceeded: .head)
    }

    static func contentTooLarge(_ limits: RequestLimits) -> RequestError {
        RequestError(413, "the content of the request is longer than \(limits.maxBody) bytes", exceeded: .content)
    }

    /// The error for a client whose content finds no room beside that of others.
    static func contentFindsNoRoom(_ limits: RequestLimits) -> RequestError {
        RequestError(
            503, "the requests under way hold more than \(max(limits.maxContent, limits.maxBody)) bytes of content")
    }
}
