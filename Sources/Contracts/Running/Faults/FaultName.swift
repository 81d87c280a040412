// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A fault that a response is put to, by the name that users have for it.
package enum FaultName: String, CaseIterable, Sendable {
    case timeout
    case refused
    case reset
    case resetInBody = "reset-in-body"
    case truncated
    case truncatedNoLength = "truncated-no-length"
    case internalError = "500"
    case badGatewayPage = "502-html"
    case tooManyRequests = "429"
    case unavailable = "503"
    case slow
    case malformedJSON = "malformed-json"
    case wrongType = "wrong-type"
    case empty
    case badGzip = "bad-gzip"
    case redirectLoop = "redirect-loop"
    case resetStream = "h2-rst-stream"
    case refusedStream = "h2-refused-stream"
    case goAway = "h2-goaway"
    case stalledWindow = "h2-stalled-window"

    /// Whether it is of streams, and met over HTTP/2 alone.
    package var isOfHTTP2: Bool { rawValue.hasPrefix("h2-") }

    /// Whether a client that reads all of the response has all of its content.
    var leavesContentWhole: Bool { self == .slow || self == .wrongType }

    /// Whether the service has done its work, and only the response is lost: a client that repeats a request that is not idempotent makes the
    /// service do it twice (RFC 9110 §9.2.2).
    var losesAnswerOnly: Bool {
        switch self {
        case .timeout, .resetInBody, .truncated, .truncatedNoLength, .stalledWindow, .malformedJSON, .empty, .badGzip:
            true
        case .refused, .reset, .internalError, .badGatewayPage, .tooManyRequests, .unavailable, .slow, .wrongType,
            .redirectLoop, .resetStream, .refusedStream, .goAway:
            false
        }
    }

    /// The effect on the response, in words.
    package var title: String {
        switch self {
        case .timeout: "no response comes"
        case .refused: "the connection is closed without a byte"
        case .reset: "the connection is reset without a response"
        case .resetInBody: "the connection is reset in the body"
        case .truncated: "the body ends before its announced length"
        case .truncatedNoLength: "a body of no announced length ends early"
        case .internalError: "the status is 500"
        case .badGatewayPage: "the response is a page of HTML with the status 502"
        case .tooManyRequests: "the status is 429, with Retry-After"
        case .unavailable: "the status is 503, with Retry-After"
        case .slow: "the body comes slowly"
        case .malformedJSON: "the JSON is cut off, with the right length"
        case .wrongType: "the Content-Type is another"
        case .empty: "the body is empty"
        case .badGzip: "the body is announced as gzip, but is not gzip"
        case .redirectLoop: "a redirection leads in a circle"
        case .resetStream: "the stream is reset"
        case .refusedStream: "the stream is refused"
        case .goAway: "GOAWAY ends the connection before this response"
        case .stalledWindow: "the body stalls in the middle"
        }
    }
}
