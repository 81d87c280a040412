// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// Reads the bytes of an entry.
struct JournalReader {
    let record: JournalRecord
    private let bytes: UnsafeRawBufferPointer
    private let headStart: Int

    /// - Parameter bytes: an entry as it lies in a ring.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        record = bytes.loadUnaligned(as: JournalRecord.self)
        headStart =
            MemoryLayout<JournalRecord>.stride
            + Int(record.fieldCount + record.trailerCount) * MemoryLayout<RequestHead.Field>.stride
    }

    /// - Parameter abandonment: how the client gave the response up; nil if it did not.
    func entry(abandonment: Abandonment?) -> JournalEntry {
        let fields = lines(0..<Int(record.fieldCount))
        let names = Int(record.fileSize + record.idSize + max(0, record.nameSize))
        let bodyStart = headStart + Int(record.headSize) + names
        return JournalEntry(
            sequence: record.sequence, receivedAt: record.receivedSeconds,
            duration: .nanoseconds(Int64(record.duration)),
            addedDelay: .nanoseconds(Int64(record.addedDelay)),
            protocolName: (HTTPVersion(rawValue: UInt8(record.version)) ?? .http11).name,
            tlsVersion: record.tlsVersion?.name, connection: record.connection,
            stream: record.stream == 0 ? nil : Int(record.stream),
            peer: record.peer.authority,
            request: request(fields),
            trailers: Self.httpFields(
                lines(Int(record.fieldCount)..<Int(record.fieldCount + record.trailerCount))),
            body: Array(bytes[bodyStart..<bodyStart + Int(record.keptBodySize)]), bodySize: Int(record.bodySize),
            outcome: outcome, status: record.sendsNoHead == 0 ? Int(record.status) : 0,
            fault: record.faultKind?.rawValue, responseSize: Int(max(0, record.responseSize)), abandonment: abandonment,
            fields: fields,
            target: text(record.target), statusOfStub: Int(record.status),
            isForElsewhere: record.isForElsewhere != 0)
    }

    /// The id of the stub that matched; empty if none did.
    var stubID: String {
        guard record.outcome == JournalRecord.Outcome.stub.rawValue else { return "" }
        return name(Int(record.fileSize), record.idSize)
    }

    /// The text of a range of the head; the part outside the bytes that were kept is left out, as for a head that was refused half-way.
    private func text(_ range: ByteRange) -> String {
        let end = min(Int(range.end), Int(record.headSize))
        let start = min(Int(range.start), end)
        return String(decoding: bytes[headStart + start..<headStart + end], as: UTF8.self)
    }

    private func name(_ start: Int, _ size: Int32) -> String {
        let start = headStart + Int(record.headSize) + start
        return String(decoding: bytes[start..<start + Int(size)], as: UTF8.self)
    }

    private func lines(_ indexes: Range<Int>) -> [(name: String, value: String)] {
        indexes.map { index in
            let field = bytes.loadUnaligned(
                fromByteOffset: MemoryLayout<JournalRecord>.stride + index * MemoryLayout<RequestHead.Field>.stride,
                as: RequestHead.Field.self)
            return (text(field.name), text(field.value))
        }
    }

    private func request(_ fields: [(name: String, value: String)]) -> HTTPRequest {
        let path = text(record.path) + (record.hasQuery != 0 ? "?" + text(record.query) : "")
        return HTTPRequest(
            method: HTTPRequest.Method(rawValue: text(record.method)) ?? .get,
            scheme: record.tls == 0 ? "http" : "https",
            authority: text(record.authority), path: path, headerFields: Self.httpFields(fields))
    }

    private static func httpFields(_ lines: [(name: String, value: String)]) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            fields.append(HTTPField(name: name, value: line.value))
        }
        return fields
    }

    private var outcome: JournalEntry.Outcome {
        switch JournalRecord.Outcome(rawValue: record.outcome) {
        case .stub:
            .stub(
                file: name(0, record.fileSize),
                name: record.nameSize < 0 ? nil : name(Int(record.fileSize + record.idSize), record.nameSize),
                id: stubID)
        case .file: .file(name(0, record.fileSize))
        case .refused: .refused
        case .proxied: .proxied
        case .preflight: .preflight
        case .miss, nil: .unmatched
        }
    }
}
