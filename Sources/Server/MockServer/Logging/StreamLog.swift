// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiSystemIO

/// Writes lines to a stream, gathered for one write a wake of the loop.
final class StreamLog: RequestLog {
    private let settings: LogSettings
    private var buffer: [UInt8] = []
    private var lines = 0
    private var clock = WallClockText()

    /// Gathered lines beyond this are written at once. 64 KiB.
    private static let bufferLimit = 64 * 1024
    /// The column that status and size start at, after the time, as far as targets leave room.
    private static let targetWidth = 60

    init(_ settings: LogSettings) {
        self.settings = settings
    }

    func takes(isProblem: Bool) -> Bool {
        settings.logsRequests || isProblem && settings.limit.take()
    }

    func takes(_ failure: HandshakeFailure) -> Bool { settings.limit.take() }

    func append(_ line: RequestLogLine) {
        switch settings.format {
        case .text:
            append(
                Self.text(
                    line, at: clock.text(line.record.receivedAt), isColored: settings.isColored,
                    columns: settings.columns))
        case .json: append(Self.json(line))
        }
    }

    func append(_ line: HandshakeLine) {
        switch settings.format {
        case .text: append(Self.text(line, at: clock.text(line.time), isColored: settings.isColored))
        case .json: append(Self.json(line))
        }
    }

    private func append(_ node: JSONNode) {
        append(String(decoding: JSONWriter.compact(node), as: UTF8.self).printableJSON)
    }

    private func append(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        if buffer.count > Self.bufferLimit { flush() }
    }

    func flush() {
        settings.writer.write(buffer, lines: lines)
        buffer.removeAll(keepingCapacity: true)
        lines = 0
    }

    // MARK: Text

    /// The columns from which on a line has its words in columns of their own.
    private static let wideColumns = 120

    /// `10:00:00.123 GET /a   200   6.6 kB   0.1 ms   a.stub.json   HTTP/1.1 c1`, and in a narrow terminal
    /// `10:00:00.123 GET 200 /a   6.6 kB   0.1 ms   a.stub.json`.
    ///
    /// - Parameter columns: of the terminal; nil if there is none.
    static func text(_ line: RequestLogLine, at time: String, isColored: Bool = false, columns: Int? = nil) -> String {
        if let columns, columns < wideColumns, !line.method.isEmpty {
            return narrowText(line, at: time, Paint(isOn: isColored), columns)
        }
        let request = line.method.isEmpty ? "(unreadable)" : "\(line.method) \(line.target)".printable
        let padding = String(repeating: " ", count: max(3, targetWidth - request.count))
        let paint = Paint(isOn: isColored)
        return paint.dim(time) + " \(request)\(padding)"
            + words(of: line, paint).joined(separator: "   ")
    }

    private static func narrowText(
        _ line: RequestLogLine, at time: String, _ paint: Paint, _ columns: Int
    ) -> String {
        func text(_ paint: Paint, hasOrigin: Bool) -> String {
            let words = words(of: line, paint)
            let rest = [line.target.printable] + words.dropFirst().dropLast(hasOrigin ? 0 : 1)
            return "\(paint.dim(time)) \(line.method.printable) \(words[0]) " + rest.joined(separator: "   ")
        }
        let fits = text(Paint(isOn: false), hasOrigin: true).count <= columns
        return text(paint, hasOrigin: fits)
    }

    private static func words(of line: RequestLogLine, _ paint: Paint) -> [String] {
        let record = line.record
        let status = paint.status(Int(record.status))
        if let explanation = line.explanation { return [status, explanation.printable, origin(record)] }
        var words: [String] = []
        if record.sendsNoHead == 0 { words.append(status) }
        if let fault = record.faultKind { words.append(paint.fault("fault \(fault.rawValue)")) }
        if record.sendsNoHead == 0, record.responseSize >= 0 { words.append(size(Int(record.responseSize))) }
        let delay = record.addedDelay > 0 ? " +\(record.addedDelay / 1_000_000) ms" : ""
        words.append("\(milliseconds(record.duration)) ms\(delay)")
        if let source = line.file ?? line.proxied?.source { words.append(source.printable) }
        if let move = line.move {
            let change = move.after == move.before ? move.before : "\(move.before) → \(move.after)"
            words.append("\(move.scenario): \(change)".printable)
        }
        return words + [origin(record)]
    }

    /// `10:00:00.123 TLS handshake of 127.0.0.1:40312 failed: … c5`.
    static func text(_ line: HandshakeLine, at time: String, isColored: Bool = false) -> String {
        let paint = Paint(isOn: isColored)
        return paint.dim(time) + " TLS handshake of \(line.connection.peer.authority) " + paint.failed("failed")
            + ": \(line.explanation.printable)   c\(line.connection.id)"
    }

    /// `HTTP/2.0 TLSv1.3 c3 s5`: the protocol, the TLS version, the connection and the stream.
    private static func origin(_ record: JournalRecord) -> String {
        let name = (HTTPVersion(rawValue: UInt8(record.version)) ?? .http11).name
        let tls = record.tlsVersion.map { " \($0.name)" } ?? ""
        return name + tls + " c\(record.connection)" + (record.stream == 0 ? "" : " s\(record.stream)")
    }

    /// `912 B`, `6.6 kB`, `1.1 MB`; powers of 1000.
    static func size(_ bytes: Int) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        return bytes < 999_950 ? "\(tenths(bytes, 1000)) kB" : "\(tenths(bytes, 1_000_000)) MB"
    }

    private static func tenths(_ number: Int, _ unit: Int) -> String {
        // A service may announce any length: ten times that need not be a number.
        let (whole, rest) = number.quotientAndRemainder(dividingBy: unit)
        let tenths = (rest * 10 + unit / 2) / unit
        return "\(whole + tenths / 10).\(tenths % 10)"
    }

    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        tenths(Int(nanoseconds), 1_000_000)
    }

    // MARK: JSON

    static func json(_ line: RequestLogLine) -> JSONNode {
        let record = line.record
        let size = record.responseSize
        return .object([
            "time": .string(DateText.utc(nanosecond: record.receivedAt)),
            "method": .string(line.method), "target": .string(line.target),
            "protocol": .string((HTTPVersion(rawValue: UInt8(record.version)) ?? .http11).name),
            "tls": record.tlsVersion.map { .string($0.name) } ?? .null,
            "connection": .integer(record.connection),
            "stream": record.stream == 0 ? .null : .integer(record.stream),
            "sequence": .integer(record.sequence),
            "status": record.sendsNoHead == 0 ? .integer(record.status) : .null,
            "bytes": size < 0 ? .null : .integer(size),
            "microseconds": .integer(record.duration / 1000),
            "delayMilliseconds": .integer(record.addedDelay / 1_000_000),
            "fault": record.faultKind.map { .string($0.rawValue) } ?? .null,
            "file": line.file.map(JSONNode.string) ?? .null,
            "explanation": line.explanation.map(JSONNode.string) ?? .null,
            "upstream": .bool(line.proxied != nil),
            "scenario": line.move.map { move -> JSONNode in
                .object(["name": .string(move.scenario), "before": .string(move.before), "after": .string(move.after)])
            } ?? .null,
        ])
    }

    static func json(_ line: HandshakeLine) -> JSONNode {
        .object([
            "time": .string(DateText.utc(nanosecond: line.time)), "event": .string("handshake failed"),
            "peer": .string(line.connection.peer.authority), "connection": .integer(line.connection.id),
            "explanation": .string(line.explanation),
        ])
    }
}

extension LogSettings {
    /// The log of a loop's requests; nil if these have no lines.
    func makeLog() -> (any RequestLog)? { logsNoRequest ? nil : StreamLog(self) }
}
