// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// A fault in a response; `docs/faults.md` says what each does over HTTP/1.1 and HTTP/2.
public struct StubFault: Sendable {
    let members: [(name: String, value: JSONNode)]

    private init(_ name: String, _ others: [(String, JSONNode?)] = []) {
        members =
            [(name: "fault", value: .string(name))]
            + others.compactMap { other in other.1.map { (name: other.0, value: $0) } }
    }

    public static let emptyResponse = StubFault("EMPTY_RESPONSE")
    public static let connectionReset = StubFault("CONNECTION_RESET_BY_PEER")
    public static let malformedChunk = StubFault("MALFORMED_RESPONSE_CHUNK")
    public static let randomData = StubFault("RANDOM_DATA_THEN_CLOSE")
    public static let wrongContentLength = StubFault("WRONG_CONTENT_LENGTH")
    public static let badGzip = StubFault("BAD_GZIP")
    public static let refusedStream = StubFault("REFUSED_STREAM")

    public static func truncatedBody(afterBytes count: Int) -> StubFault {
        StubFault("TRUNCATE_BODY", [("afterBytes", .integer(count))])
    }

    public static func slowBody(bytesPerSecond rate: Int) -> StubFault {
        StubFault("SLOW_BODY", [("bytesPerSecond", .integer(rate))])
    }

    /// Nothing more comes.
    ///
    /// - Parameter count: bytes of the body that come before; nil for no head either.
    public static func stall(afterBytes count: Int? = nil) -> StubFault {
        StubFault("STALL", [("afterBytes", count.map { .integer($0) })])
    }

    /// - Parameter code: by its name in RFC 9113 §7.
    public static func resetStream(_ code: String = "INTERNAL_ERROR", afterBytes count: Int? = nil) -> StubFault {
        StubFault("RST_STREAM", [("errorCode", .string(code)), ("afterBytes", count.map { .integer($0) })])
    }

    /// - Parameter afterThisStream: whether the request that meets it is still answered.
    public static func goAway(_ code: String = "NO_ERROR", afterThisStream: Bool = true) -> StubFault {
        StubFault("GOAWAY", [("errorCode", .string(code)), ("afterThisStream", .bool(afterThisStream))])
    }
}
