// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
import HTTPTypes

/// Turns the bytes of a ring into entries.
struct JournalReader {
    let bytes: [UInt8]
    let sets: [UInt64: FixtureSet]

    func entries() -> [JournalEntry] {
        bytes.withUnsafeBytes { bytes in
            var entries: [JournalEntry] = []
            var offset = 0
            while offset < bytes.count {
                let record = bytes.loadUnaligned(fromByteOffset: offset, as: JournalRecord.self)
                entries.append(
                    entry(record, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(record.size)])))
                offset += Int(record.size)
            }
            return entries
        }
    }

    private func entry(_ record: JournalRecord, _ bytes: UnsafeRawBufferPointer) -> JournalEntry {
        let ranges = MemoryLayout<JournalRecord>.stride
        let stride = MemoryLayout<RequestHead.Field>.stride
        let headStart = ranges + Int(record.fieldCount + record.trailerCount) * stride
        let bodyStart = headStart + Int(record.headSize)
        let text = { (range: ByteRange) -> String in
            String(decoding: bytes[headStart + Int(range.start)..<headStart + Int(range.end)], as: UTF8.self)
        }
        let lines = (0..<Int(record.fieldCount + record.trailerCount)).map { index -> (name: String, value: String) in
            let field = bytes.loadUnaligned(fromByteOffset: ranges + index * stride, as: RequestHead.Field.self)
            return (text(field.name), text(field.value))
        }
        let fields = Array(lines.prefix(Int(record.fieldCount)))
        let (answer, stub) = answer(record)
        return JournalEntry(
            sequence: record.sequence, receivedAt: Double(record.receivedAt) / 1e9,
            duration: .nanoseconds(Int64(record.duration)),
            addedDelay: .nanoseconds(Int64(record.addedDelay)),
            protocolName: (HTTPVersion(rawValue: UInt8(record.version)) ?? .http11).name,
            tlsVersion: record.tlsVersion?.name, connection: record.connection,
            stream: record.stream == 0 ? nil : Int(record.stream),
            peer: record.peer.authority,
            request: request(record, text, fields),
            trailers: Self.httpFields(lines.dropFirst(Int(record.fieldCount))),
            body: Array(bytes[bodyStart..<bodyStart + Int(record.keptBodySize)]), bodySize: Int(record.bodySize),
            answer: answer, status: Int(record.status), responseSize: Int(max(0, record.responseSize)),
            fields: fields, target: text(record.target), stub: stub)
    }

    private func request(
        _ record: JournalRecord, _ text: (ByteRange) -> String, _ fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        let path = text(record.path) + (record.hasQuery != 0 ? "?" + text(record.query) : "")
        return HTTPRequest(
            method: HTTPRequest.Method(rawValue: text(record.method)) ?? .get,
            scheme: record.tls == 0 ? "http" : "https",
            authority: text(record.authority), path: path, headerFields: Self.httpFields(fields[...]))
    }

    private static func httpFields(_ lines: some Collection<(name: String, value: String)>) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            fields.append(HTTPField(name: name, value: line.value))
        }
        return fields
    }

    private func answer(_ record: JournalRecord) -> (JournalEntry.Answer, Stub?) {
        let ordinal = Int(record.ordinal)
        switch JournalRecord.Outcome(rawValue: record.outcome) {
        case .stub:
            guard let set = sets[record.generation], ordinal < set.stubs.count else { return (.unmatched, nil) }
            let stub = set.stubs[ordinal]
            return (.stub(file: stub.place.path, name: stub.name, id: stub.id), stub)
        case .file:
            guard let set = sets[record.generation], ordinal < set.files.count else { return (.unmatched, nil) }
            return (.file(set.files[ordinal].path), nil)
        case .refused: return (.refused, nil)
        case .passed: return (.passed, nil)
        case .miss, nil: return (.unmatched, nil)
        }
    }
}
