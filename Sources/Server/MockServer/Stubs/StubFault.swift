// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// A fault in a response; `docs/faults.md` describes the effect of each over HTTP/1.1 and HTTP/2.
public struct StubFault: Sendable {
    let fault: Fault
    /// The name of its error code if RFC 9113 does not have it; nil otherwise.
    let unknownErrorCode: String?

    private init(_ fault: Fault, unknownErrorCode: String? = nil) {
        self.fault = fault
        self.unknownErrorCode = unknownErrorCode
    }

    /// The connection ends without a response.
    public static let emptyResponse = StubFault(.emptyResponse)
    /// The connection is reset.
    public static let connectionReset = StubFault(.connectionResetByPeer)
    /// A status and a chunk that is not one, then the end.
    public static let malformedChunk = StubFault(.malformedResponseChunk)
    /// Bytes at random, then the end.
    public static let randomData = StubFault(.randomDataThenClose)
    /// A length that is not that of the content.
    public static let wrongContentLength = StubFault(.wrongContentLength)
    /// Content that is marked as gzip and is not.
    public static let badGzip = StubFault(.badGzip)
    /// The stream is refused (RFC 9113 §8.7).
    public static let refusedStream = StubFault(.refusedStream)

    /// The content is cut after so many bytes.
    public static func truncatedBody(afterBytes count: Int) -> StubFault { StubFault(.truncateBody(afterBytes: count)) }

    /// The content comes at this rate.
    public static func slowBody(bytesPerSecond rate: Int) -> StubFault { StubFault(.slowBody(bytesPerSecond: rate)) }

    /// Nothing more comes.
    ///
    /// - Parameter count: bytes of the body that come before; nil for no head either.
    public static func stall(afterBytes count: Int? = nil) -> StubFault { StubFault(.stall(afterBytes: count)) }

    /// - Parameter code: by its name in RFC 9113 §7.
    public static func resetStream(_ code: String = "INTERNAL_ERROR", afterBytes count: Int? = nil) -> StubFault {
        withCode(code) { .resetStream(code: $0, afterBytes: count) }
    }

    /// - Parameter afterThisStream: whether the request that meets it still gets its response.
    public static func goAway(_ code: String = "NO_ERROR", afterThisStream: Bool = true) -> StubFault {
        withCode(code) { .goAway(code: $0, afterThisStream: afterThisStream) }
    }

    private static func withCode(_ name: String, _ fault: (UInt32) -> Fault) -> StubFault {
        guard let code = HTTP2ErrorCode.number(of: name) else {
            return StubFault(fault(HTTP2ErrorCode.internalError), unknownErrorCode: name)
        }
        return StubFault(fault(code))
    }
}
