// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// How a server writes its lines; its loops share this.
struct LogSettings: Sendable {
    let format: LogFormat
    let writer: QueuedWriter
    /// Whether every request has a line, and not only failures.
    let logsRequests: Bool
    /// Whether requests have no lines at all.
    let logsNoRequest: Bool
    let isColored: Bool
    /// Columns of the terminal; nil if there is none.
    let columns: Int?
    let limit: LineLimit

    init(
        format: LogFormat, writer: QueuedWriter, logsRequests: Bool = true, logsNoRequest: Bool = false,
        isColored: Bool = false, columns: Int? = nil, names: SettingNames = .swift
    ) {
        self.format = format
        self.writer = writer
        self.logsRequests = logsRequests
        self.logsNoRequest = logsNoRequest
        self.isColored = isColored
        self.columns = columns
        limit = LineLimit { count in
            writer.write(Array((Self.leftOut(count, format, names) + "\n").utf8), lines: 1)
        }
    }

    /// Writes a line about something other than a request.
    func tell(_ event: LogEvent, _ text: String) {
        guard limit.take() else { return }
        writer.write(Array((event.line(text, in: format, severity: "warning") + "\n").utf8), lines: 1)
    }

    /// The line that stands for those that were left out.
    private static func leftOut(_ count: Int, _ format: LogFormat, _ names: SettingNames) -> String {
        let words =
            "\(count) more \(count == 1 ? "line was" : "lines were") left out here: of misses, refused messages and failed "
            + "handshakes \(LineLimit.burst) are reported at once, and \(LineLimit.perSecond) a second"
        guard format == .json else { return "  \(words); \(names(.requestLog)) reports every request" }
        return String(
            decoding: JSONWriter.compact(
                .object(["time": .string(DateText.utc(nanosecond: Clock.wall())), "explanation": .string(words)])),
            as: UTF8.self)
    }
}
