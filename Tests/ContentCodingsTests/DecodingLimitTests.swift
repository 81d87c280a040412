// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiTestSupport
import Testing

@Suite(.supervised) struct DecodingLimitTests {
    private static let codings = ["gzip", "deflate", "br", "zstd", "identity", "gzip, br"]

    @Test(arguments: codings)
    func `content of the limit passes, a byte more does not`(codings: String) throws {
        let coded = try Coded(codings, [UInt8](repeating: 0, count: 100_000))
        for size in [1, .max / 2] {
            #expect(try coded.decoded(by: size, limit: 100_000).count == 100_000)
            #expect(
                coded.failure(by: size, limit: 99_999)?.description
                    == "the content makes more than 99999 bytes without its coding \(codings)")
        }
    }

    @Test func `what is between two codings counts too`() throws {
        // Zeroes in gzip, twice: 64 MiB become some hundred bytes, with 64 KiB between.
        let bomb = try Coded("gzip, gzip", [UInt8](repeating: 0, count: 64 << 20))
        #expect(bomb.bytes.count < 1_000)
        #expect(bomb.failure(by: .max / 2, limit: 10_000)?.reason == .tooLarge(limit: 10_000))
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "zstd, br"])
    func `a piece is 64 KiB at most, however much the bytes stand for`(codings: String) throws {
        let coded = try Coded(codings, [UInt8](repeating: 0, count: 8 << 20))
        let decoder = try #require(StreamDecoder(codings: codings))
        decoder.push(coded.bytes)
        var count = 0
        while let piece = try decoder.pull() {
            #expect(!piece.isEmpty && piece.count <= 64 * 1024)
            count += piece.count
        }
        try decoder.finish()
        #expect(count == 8 << 20)
    }

    @Test(arguments: ["gzip", "br", "zstd", "gzip, br"])
    func `content may come to more than the limit where as much was transferred`(codings: String) throws {
        let coded = try Coded(codings, [UInt8](repeating: 0, count: 100_000))
        let factor = 100_000 / coded.bytes.count + 1
        for (factor, isEnough) in [(factor, true), (factor / 2, false), (.max, true)] {
            let decoder = try #require(StreamDecoder(codings: codings, limit: 1_000, factor: factor))
            decoder.push(coded.bytes)
            var count = 0
            var failure: DecodingFailure?
            do throws(DecodingFailure) {
                while let piece = try decoder.pull() { count += piece.count }
            } catch {
                failure = error
            }
            #expect((count == 100_000) == isEnough)
            #expect(failure?.reason == (isEnough ? nil : .tooLarge(limit: factor * coded.bytes.count)))
        }
    }
}
