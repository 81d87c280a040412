// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer

/// Where lines on requests and handshakes go; one for each loop.
protocol RequestLog: AnyObject {
    /// Whether a line is to be made; if not, it is counted or was not asked for.
    ///
    /// - Parameter isProblem: whether it is of a miss, or of a message that was refused.
    func takes(isProblem: Bool) -> Bool
    func takes(_ failure: HandshakeFailure) -> Bool
    func append(_ line: RequestLogLine)
    func append(_ line: HandshakeLine)
    /// Writes the gathered lines, all at once.
    func flush()
}
