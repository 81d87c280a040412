// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What went wrong between a test and a server.
package enum WireError: Error, CustomStringConvertible {
    case system(call: String, code: Int32)
    /// The server closed the connection where more was to come; what had come stands behind.
    case closedEarly([UInt8])
    /// Nothing came within `WireClient.patience`.
    case silent
    case malformed(String)
    /// A blocking call on a thread that all tasks share.
    case blocksSharedThread
    /// The stream was reset; what had come of the response.
    case reset(code: UInt32, WireResponse)

    package var description: String {
        switch self {
        case .system(let call, let code): "\(call) failed with errno \(code)"
        case .closedEarly(let bytes): "closed early behind \(String(decoding: bytes, as: UTF8.self))"
        case .silent: "nothing came"
        case .reset(let code, let response): "reset with error \(code) behind \(response.body.count) bytes of content"
        case .malformed(let text): "not understood: \(text)"
        case .blocksSharedThread:
            "a blocking call in a task of its own: wrap it in blocking { }, or put it into a suite that is .supervised"
        }
    }
}
