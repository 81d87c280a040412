// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiZlib

/// zlib's compressor.
enum Zlib {
    enum Format {
        case gzip
        case zlib
    }

    static func deflate(_ bytes: [UInt8], format: Format) throws(ContentCodingError) -> [UInt8] {
        let failure = ContentCodingError(coding: format == .gzip ? .gzip : .deflate, count: bytes.count)
        guard let count = uInt(exactly: bytes.count) else { throw failure }
        var stream = z_stream()
        // 15 bits of window; 16 more ask for gzip's frame.
        let windowBits: Int32 = format == .gzip ? 15 + 16 : 15
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw failure }
        defer { deflateEnd(&stream) }
        // No time, and "unknown" (255) for the system, so that every machine writes the same bytes.
        var header = gz_header()
        header.os = 255
        let bound = Int(deflateBound(&stream, uLong(bytes.count))) + 32
        var status = Z_STREAM_ERROR
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
            withUnsafeMutablePointer(to: &header) { header in
                if format == .gzip, deflateSetHeader(&stream, header) != Z_OK { return }
                var input = bytes
                input.withUnsafeMutableBufferPointer { input in
                    stream.next_in = input.baseAddress
                    stream.avail_in = count
                    stream.next_out = output.baseAddress
                    stream.avail_out = uInt(clamping: bound)
                    status = CMockapiZlib.deflate(&stream, Z_FINISH)
                }
            }
            written = Int(stream.total_out)
        }
        guard status == Z_STREAM_END else { throw failure }
        return output
    }
}
