// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiHTTPSyntax

/// Beside a look at each byte by itself.
@Suite(.supervised) struct ByteWordsTests {
    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
    private static func isTarget(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#") }

    @Test func `each byte at each place ends a target and printable text as it does by itself`() {
        for length in [1, 7, 8, 9, 16, 21] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    bytes[place] = byte
                    check(bytes)
                }
            }
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `random bytes end as they do one by one`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            check(
                (0..<random.below(40)).map { _ in
                    random.chance(90) ? UInt8(0x20 + random.below(0x60)) : UInt8(random.below(256))
                })
        }
    }

    @Test func `bytes are equal where none of them differs`() {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 7) }
            #expect(ByteWords.areEqual(bytes, bytes, count))
            for place in 0..<count {
                var other = bytes
                other[place] ^= 0x80
                #expect(!ByteWords.areEqual(bytes, other, count))
                // What stands behind the bytes does not count.
                #expect(ByteWords.areEqual(bytes, other, place))
            }
        }
    }

    private func check(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            for start in [0, bytes.count / 2] {
                let target = ByteWords.targetEnd(in: buffer, from: start, to: bytes.count)
                #expect(target == bytes[start...].firstIndex { !Self.isTarget($0) } ?? bytes.count, "\(bytes)")
                let printable = ByteWords.printableEnd(in: buffer, from: start, to: bytes.count)
                let end = bytes[start...].firstIndex { !Self.isPrintable($0) } ?? bytes.count
                #expect((printable - start) == (end - start) / 8 * 8, "\(bytes)")
                let arePrintable = ByteWords.arePrintable(in: buffer, from: start, to: bytes.count)
                #expect(arePrintable == (bytes.count - start >= 8 && end == bytes.count), "\(bytes)")
            }
        }
    }
}
