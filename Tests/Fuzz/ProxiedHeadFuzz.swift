// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream

/// The lines of a head as a library hands them over that reads leniently: the first has a status and a reason, each other a name and a value.
private func head(_ bytes: UnsafeBufferPointer<UInt8>) -> UpstreamHead? {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst() else { return nil }
    let status = first.prefix(4).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    var head = UpstreamHead(version: .http11, status: status)
    head.reasonBytes = Array(first.dropFirst(4))
    for line in lines {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        head.fields.append(
            UpstreamField(String(decoding: name, as: UTF8.self), bytes: Array(line.dropFirst(name.count + 1))))
    }
    return head
}

/// Every head is refused or passed on, and one that is passed on is read as the same by a strict reader: so many fields with these values, and
/// nothing behind them.
///
/// Nothing is paid for here: the limit of a head bounds what is read once.
enum ProxiedHeadFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let head = head(bytes) else { return }
        if ReceivedHead(head).flaw != nil { return }
        precondition((200...999).contains(head.status), "a head without a final status is passed on")
        let framing = ["content-length", "transfer-encoding", "connection"]
        let fields = head.fields.filter { !framing.contains($0.name.lowercased()) }
        guard fields.count < 100 else { return }
        var sent = Array("HTTP/1.1 \(head.status) ".utf8) + head.reasonBytes
        for field in fields { sent += Array("\r\n\(field.name): ".utf8) + field.bytes }
        sent += Array("\r\nContent-Length: 0\r\n\r\n".utf8)
        let input = ByteBuffer()
        sent.withUnsafeBufferPointer { input.append($0) }
        var parser = HTTP1ResponseParser(maxHead: 256 * 1024)
        parser.begin(isHead: false)
        guard case .head = parser.next(input) else { preconditionFailure("what is passed on is not a head") }
        precondition(parser.head.status == head.status, "the status is read as another")
        precondition(parser.head.fields.count == fields.count + 1, "a field is read as several, or none")
        for (field, read) in zip(fields, parser.head.fields) {
            precondition(parser.head.string(read.name).utf8.elementsEqual(field.name.utf8), "a name is read as another")
            let value = field.bytes.drop { $0 == 0x20 || $0 == 0x09 }
            let trimmed = value.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
            precondition(parser.head.bytes[read.value.range].elementsEqual(trimmed), "a value is read as another")
        }
        guard case .end = parser.next(input) else { preconditionFailure("something is read behind the head") }
        precondition(input.readable.isEmpty, "bytes are left behind the response")
    }
}
