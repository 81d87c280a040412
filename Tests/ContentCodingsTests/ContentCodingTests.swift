// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiZlib
import MockapiContentCodings
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ContentCodingTests {
    private static let text = Array(String(repeating: "an article with an image, ", count: 400).utf8)

    /// By zlib in one call, so that the encoder is not judged by the decoder beside it.
    private func decoded(_ bytes: [UInt8], windowBits: Int32) throws -> [UInt8] {
        var stream = z_stream()
        try #require(inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = bytes
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: 1 << 21) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                status = inflate(&stream, Z_FINISH)
            }
            count = Int(stream.total_out)
        }
        #expect(status == Z_STREAM_END && stream.avail_in == 0)
        return output
    }

    @Test(arguments: [0, 1, 1_000, 300_000])
    func `gzip and deflate read back as the same bytes`(count: Int) throws {
        for bytes in [Self.text, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }] {
            #expect(try decoded(try ContentCoding.gzip.encode(bytes), windowBits: 15 + 16) == bytes)
            #expect(try decoded(try ContentCoding.deflate.encode(bytes), windowBits: 15) == bytes)
        }
    }

    @Test func `gzip tells no time and no system`() throws {
        #expect(Array(try ContentCoding.gzip.encode(Self.text).prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    }

    @Test func `deflate is the zlib format`() throws {
        #expect(try ContentCoding.deflate.encode(Self.text).first == 0x78)
    }

    @Test func `br is small, and an empty body is one byte`() throws {
        #expect(try ContentCoding.br.encode(Self.text).count < 100)
        #expect(try ContentCoding.br.encode([]).count == 1)
    }

    @Test(arguments: ContentCoding.allCases)
    func `the same bytes give the same result`(coding: ContentCoding) throws {
        #expect(try coding.encode(Self.text) == coding.encode(Self.text))
    }
}
