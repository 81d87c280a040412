// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiTestSupport
import Testing

@Suite(.supervised) struct StreamDecoderTests {
    private static let text = Array(String(repeating: "an article with an image, ", count: 40).utf8)
    private static let codings = ["gzip", "deflate", "bare", "br", "zstd"]

    /// Bytes that no coding makes much smaller.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    @Test(
        arguments: codings + ["gzip, br", "br,gzip", "zstd , deflate", "X-GZIP", "GZip", "identity, gzip", "gzip, ,br"])
    func `a coding is undone, whole and a byte at a time`(codings: String) throws {
        for content in [[], [0], Self.text, Self.noise(3_000)] {
            let coded = try Coded(codings, content)
            #expect(try coded.decoded(by: .max / 2) == content)
            #expect(try coded.decoded(by: 1) == content)
        }
    }

    @Test(arguments: codings + ["deflate, zstd, br, gzip, gzip"])
    func `content larger than the pieces it is made in comes whole`(codings: String) throws {
        let content = Self.noise(300_000) + [UInt8](repeating: 7, count: 3_000_000)
        let coded = try Coded(codings, content)
        #expect(try coded.decoded(by: .max / 2) == content)
        #expect(try coded.decoded(by: 1_000) == content)
    }

    /// Five bits of the first byte say nothing in a stored block (RFC 1951 §3.2.4), so that it may begin nearly as zlib's frame does (RFC 1950 §2.2).
    @Test func `deflate without a frame is known though its first bytes look like one`() throws {
        var alike = 0
        for bits in 0..<32 {
            for count in 0..<64 {
                let content = Self.noise(count)
                let first = UInt8(bits << 3)
                if first & 15 == 8, (Int(first) << 8 + count) % 31 == 0 { continue }
                if first & 15 == 8 || (Int(first) << 8 + count) % 31 == 0 { alike += 1 }
                let coded = [first, UInt8(count), 0, ~UInt8(count), 0xFF] + content + [1, 0, 0, 0xFF, 0xFF]
                let decoder = try #require(StreamDecoder(codings: "deflate"))
                #expect(try decoder.decode(coded) == content, "\(first) \(count)")
            }
        }
        #expect(alike > 500)
    }

    @Test func `what other tools have made is undone`() throws {
        // zstd -19 --check of "a frame\n", a skippable frame (RFC 8878 §3.1.2), and the first again.
        let frame: [UInt8] = [
            0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x68, 0x41, 0x00, 0x00, 0x61, 0x20, 0x66, 0x72, 0x61, 0x6D, 0x65, 0x0A,
        ]
        let check: [UInt8] = [0x00, 0xF9, 0xDB, 0xDD]
        let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let zstd = Coded(
            "zstd", Array("a frame\na frame\n".utf8), bytes: frame + check + skippable + frame + check)
        let brotli = Coded("br", [0x58], bytes: [0x0B, 0x00, 0x80, 0x58, 0x03])
        for coded in [zstd, brotli] {
            #expect(try coded.decoded(by: .max / 2) == coded.content)
            #expect(try coded.decoded(by: 1) == coded.content)
        }
    }

    @Test(arguments: ["gzip", "zstd"])
    func `several members are one content`(coding: String) throws {
        let bytes = try Coded(coding, Self.text).bytes + Coded(coding, []).bytes + Coded(coding, [1, 2]).bytes
        let coded = Coded(coding, Self.text + [1, 2], bytes: bytes)
        #expect(try coded.decoded(by: .max / 2) == coded.content)
        #expect(try coded.decoded(by: 1) == coded.content)
    }

    @Test(arguments: codings + ["gzip, br"])
    func `content without a byte is empty, whatever its coding`(codings: String) throws {
        let decoder = try #require(StreamDecoder(codings: try Coded(codings, []).codings))
        #expect(try decoder.decode([]).isEmpty)
        try decoder.finish()
    }

    @Test(arguments: codings + ["gzip, br", "br, gzip"])
    func `content that is cut off anywhere ends early`(codings: String) throws {
        let whole = try Coded(codings, Self.text)
        for count in 1..<whole.bytes.count {
            let cut = Coded(whole.codings, [], bytes: Array(whole.bytes.prefix(count)))
            for size in [1, .max / 2] {
                #expect(cut.failure(by: size)?.reason == .truncated, "\(count) bytes by \(size)")
            }
        }
        #expect(
            Coded(whole.codings, [], bytes: [whole.bytes[0]]).failure(by: 1)?.description
                == "the content is not \(whole.codings) as it says: it ends early")
    }

    @Test(
        arguments: [
            ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 7], "invalid block type"),
            ("gzip", Array("no gzip".utf8), "incorrect header check"),
            ("deflate", [0x1F, 0x8B, 8, 0], "invalid block type"),
            ("deflate", [0x78, 0x9C, 7], "invalid block type"),
            ("br", Array("no brotli".utf8), "brotli says PADDING_2"),
            ("zstd", Array("no zstd".utf8), "zstd says Unknown frame descriptor"),
            ("gzip, zstd", Array("no zstd".utf8), "zstd says Unknown frame descriptor"),
            // A window of 16 MiB (RFC 8878 §3.1.1.1.2), where RFC 9659 §3 ends at 8.
            (
                "zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 1, 0, 0],
                "zstd says Frame requires too much memory for decoding"
            ),
        ] as [(String, [UInt8], String)])
    func `content that is something else is told as such`(codings: String, bytes: [UInt8], text: String) {
        for size in [1, .max / 2] {
            let failure = Coded(codings, [], bytes: bytes).failure(by: size)
            #expect(failure?.description == "the content is not \(codings) as it says: \(text)")
        }
    }

    @Test(arguments: [("gzip", "incorrect data check"), ("deflate", "incorrect data check")])
    func `a flipped bit is found by the check sum`(coding: String, text: String) throws {
        var coded = try Coded(coding, Self.text)
        // Adler-32 ends the one, CRC-32 stands before the length in the other.
        coded.bytes[coded.bytes.count - (coding == "gzip" ? 8 : 1)] ^= 1
        #expect(coded.failure(by: 1)?.reason == .broken(text))
        #expect(coded.failure(by: .max / 2)?.reason == .broken(text))
    }

    @Test(arguments: [
        ("gzip", "incorrect header check"), ("deflate", "something stands behind its end"),
        ("bare", "something stands behind its end"), ("br", "something stands behind its end"),
        ("zstd", "zstd says Unknown frame descriptor"),
    ])
    func `bytes behind the end are no part of the content`(coding: String, text: String) throws {
        var coded = try Coded(coding, Self.text)
        coded.bytes += Array("more".utf8)
        #expect(coded.failure(by: 1)?.reason == .broken(text))
        #expect(coded.failure(by: .max / 2)?.reason == .broken(text))
    }

    @Test func `a decoder that has failed gives nothing more`() throws {
        let decoder = try #require(StreamDecoder(codings: "gzip"))
        let failure = DecodingFailure(codings: "gzip", reason: .broken("incorrect header check"))
        #expect(throws: failure) { try decoder.decode(Array("no gzip".utf8)) }
        #expect(throws: failure) { try decoder.decode(try ContentCoding.gzip.encode([1])) }
        #expect(throws: failure) { try decoder.finish() }
    }

    @Test(arguments: ["compress", "gzip, compress", "exi", "aes128gcm", "gzip;q=1", "gzip,gzip,gzip,gzip,gzip,gzip"])
    func `what is unknown or too long a chain has no decoder`(codings: String) {
        #expect(StreamDecoder(codings: codings) == nil)
    }

    @Test(arguments: ["", "identity", " , Identity"])
    func `no coding passes the bytes on`(codings: String) throws {
        let decoder = try #require(StreamDecoder(codings: codings))
        #expect(decoder.isIdentity)
        #expect(try decoder.decode([1, 2]) == [1, 2])
        #expect(try decoder.decode([]).isEmpty)
        try decoder.finish()
        #expect(StreamDecoder(codings: "gzip")?.isIdentity == false)
    }

    @Test func `a coding is known by its name in any case, with white space around it but not within`() {
        for codings in ["gzip", " X-GZip\t", "\t deflate , gzip", "identity,gzip,", ", ,\tgzip"] {
            #expect(StreamDecoder(codings: codings)?.isIdentity == false, "\(codings)")
        }
        for codings in ["g zip", "gzi\tp", "gzip deflate", "x gzip", "gzip;q=1", "iden tity", "\u{A0}gzip", "gzip\r"] {
            #expect(StreamDecoder(codings: codings) == nil, "\(codings)")
        }
    }
}
