// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
import JSONText

/// Writes request lines to a stream, gathered for one write a wake of the loop.
final class StreamLog: RequestLog {
    private let format: LogFormat
    private let writer: QueuedWriter
    private var buffer: [UInt8] = []
    private var lines = 0

    /// Gathered lines beyond this are written at once. 64 KiB.
    private static let bufferLimit = 64 * 1024
    /// The column that status and size start at, as far as targets leave room.
    private static let targetWidth = 60

    init(format: LogFormat, writer: QueuedWriter) {
        self.format = format
        self.writer = writer
    }

    func append(_ line: RequestLogLine) {
        switch format {
        case .text: buffer.append(contentsOf: Self.text(line).utf8)
        case .json:
            let json = String(decoding: JSONWriter.compact(Self.json(line)), as: UTF8.self)
            buffer.append(contentsOf: json.printableJSON.utf8)
        }
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        if buffer.count > Self.bufferLimit { flush() }
    }

    func flush() {
        writer.write(buffer, lines: lines)
        buffer.removeAll(keepingCapacity: true)
        lines = 0
    }

    /// `GET /a   200   6.6 kB   0.1 ms   a.stub.json   HTTP/1.1 c1`.
    static func text(_ line: RequestLogLine) -> String {
        let request = line.method.isEmpty ? "(unreadable)" : "\(line.method) \(line.target)".printable
        let padding = String(repeating: " ", count: max(3, targetWidth - request.count))
        if let explanation = line.explanation {
            return "\(request)\(padding)\(line.record.status)   \(explanation.printable)   \(origin(line.record))"
        }
        let size = line.record.responseSize < 0 ? "" : "   \(size(Int(line.record.responseSize)))"
        let source = line.file ?? line.passed?.source
        return "\(request)\(padding)\(line.record.status)\(size)   \(milliseconds(line.record.duration)) ms"
            + (source.map { "   \($0.printable)" } ?? "") + "   \(origin(line.record))"
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

    static func json(_ line: RequestLogLine) -> JSONNode {
        let size = line.record.responseSize
        return .object([
            "time": .string(Timestamp.format(nanoseconds: line.record.receivedAt)),
            "method": .string(line.method), "target": .string(line.target),
            "protocol": .string((HTTPVersion(rawValue: UInt8(line.record.version)) ?? .http11).name),
            "tls": line.record.tlsVersion.map { .string($0.name) } ?? .null,
            "connection": .integer(line.record.connection),
            "stream": line.record.stream == 0 ? .null : .integer(line.record.stream),
            "sequence": .integer(line.record.sequence),
            "status": .integer(line.record.status), "bytes": size < 0 ? .null : .integer(size),
            "microseconds": .integer(line.record.duration / 1000),
            "file": line.file.map(JSONNode.string) ?? .null,
            "explanation": line.explanation.map(JSONNode.string) ?? .null,
            "upstream": .bool(line.passed != nil),
        ])
    }
}
