// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer

/// Where lines on requests and handshakes go; one for each loop.
protocol RequestLog: AnyObject {
    /// Whether a line is to be made; where it is not, it is counted or was not asked for.
    ///
    /// - Parameter isProblem: whether it is of a miss, or of a message that was refused.
    func takes(isProblem: Bool) -> Bool
    func takes(_ failure: HandshakeFailure) -> Bool
    func append(_ line: RequestLogLine)
    func append(_ line: HandshakeLine)
    /// Writes what has been gathered, all at once.
    func flush()
}

/// How the lines of a server are written; what its loops share of it.
struct LogSettings: Sendable {
    let format: LogFormat
    let writer: QueuedWriter
    /// Whether every request has a line, and not only what went wrong.
    let logsRequests: Bool
    let isColored: Bool
    let limit: LineLimit

    init(format: LogFormat, writer: QueuedWriter, logsRequests: Bool = true, isColored: Bool = false) {
        self.format = format
        self.writer = writer
        self.logsRequests = logsRequests
        self.isColored = isColored
        limit = LineLimit { count in
            writer.write(Array((StreamLog.leftOut(count, format) + "\n").utf8), lines: 1)
        }
    }

    func makeLog() -> any RequestLog { StreamLog(self) }

    /// Writes a line about what is no request.
    func tell(_ event: LogEvent, _ text: String) {
        guard limit.take() else { return }
        writer.write(Array((event.line(text, in: format, severity: "warning") + "\n").utf8), lines: 1)
    }
}
