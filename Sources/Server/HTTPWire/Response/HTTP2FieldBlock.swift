// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2
import MockapiHTTPSyntax

/// The header section of a response, laid out for HPACK once and sent any number of times.
///
/// `@unchecked Sendable`: the memory is filled by the initialiser and only read from then on.
package final class HTTP2FieldBlock: @unchecked Sendable {
    let pairs: UnsafeMutableBufferPointer<nghttp2_nv>
    private let text: UnsafeMutableBufferPointer<UInt8>

    convenience init(_ head: ResponseHead) {
        var fields = [(Array(":status".utf8)[...], Array(String(head.status).utf8)[...])]
        for line in head.lines {
            let name = line.name.map(ASCII.lowercased)
            if FieldNames.ofConnections.contains(String(decoding: name, as: UTF8.self)) { continue }
            fields.append((name[...], line.value))
        }
        if case .length(let length) = head.framing {
            fields.append((Array("content-length".utf8)[...], Array(String(length).utf8)[...]))
        }
        self.init(fields)
    }

    convenience init(trailers: [WireField]) {
        self.init(trailers.map { (Array($0.name.lowercased().utf8)[...], $0.bytes[...]) })
    }

    private init(_ fields: [(ArraySlice<UInt8>, ArraySlice<UInt8>)]) {
        var bytes: [UInt8] = []
        var lengths: [(name: Int, value: Int)] = []
        for (name, value) in fields {
            let value = Self.trimmed(value)
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: value)
            lengths.append((name.count, value.count))
        }
        text = .allocate(capacity: max(1, bytes.count))
        _ = text.initialize(fromContentsOf: bytes)
        pairs = .allocate(capacity: max(1, fields.count))
        var next = UnsafeMutablePointer(text.baseAddress)
        for (index, length) in lengths.enumerated() {
            let value = next.map { $0 + length.name }
            pairs.initializeElement(
                at: index,
                to: nghttp2_nv(
                    name: next, value: value, namelen: length.name, valuelen: length.value,
                    flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)))
            next = value.map { $0 + length.value }
        }
        count = fields.count
    }

    let count: Int

    deinit {
        pairs.deallocate()
        text.deallocate()
    }

    /// A value without the white space around it that HTTP/1.1 allows and HTTP/2 does not (RFC 9113 §8.2.1).
    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = value.firstIndex(where: { !isSpace($0) }), let last = value.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return value[first...last]
    }
}
