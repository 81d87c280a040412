// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2

/// Header sections in HPACK (RFC 7541).
package enum HeaderBlock {
    /// Literal fields that leave the table alone (§6.2.2).
    package static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    private static func text(_ text: String) -> [UInt8] {
        number(text.utf8.count, prefix: 7) + Array(text.utf8)
    }

    /// A number behind a prefix of so many bits (§5.1).
    private static func number(_ number: Int, prefix: Int) -> [UInt8] {
        let limit = 1 << prefix - 1
        if number < limit { return [UInt8(number)] }
        var bytes = [UInt8(limit)]
        var rest = number - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// Reads the header sections of one connection.
package final class HeaderReader {
    private var inflater: OpaquePointer?

    package init() {
        nghttp2_hd_inflate_new(&inflater)
    }

    deinit {
        nghttp2_hd_inflate_del(inflater)
    }

    /// The fields of a complete section.
    package func read(_ block: [UInt8]) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        block.withUnsafeBufferPointer { block in
            var offset = 0
            while true {
                var field = nghttp2_nv()
                var flags: Int32 = 0
                let count = nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, block.baseAddress.map { $0 + offset }, block.count - offset, 1)
                guard count >= 0 else { return }
                offset += count
                if UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue != 0 {
                    fields.append((text(field.name, field.namelen), text(field.value, field.valuelen)))
                }
                if UInt32(flags) & NGHTTP2_HD_INFLATE_FINAL.rawValue != 0 {
                    nghttp2_hd_inflate_end_headers(inflater)
                    return
                }
                if count == 0, offset == block.count { return }
            }
        }
        return fields
    }

    private func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
