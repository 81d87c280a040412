// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct SHA256Tests {
    @Test func `a digest is that of the bytes, in whatever pieces they come`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in [0, 1, 55, 56, 63, 64, 65, 127, 128, 300] {
            let whole = SHA256.text(of: Array(bytes.prefix(count)))
            for size in [1, 7, 63, 64, 65] {
                var hash = SHA256()
                for start in stride(from: 0, to: count, by: size) {
                    Array(bytes[start..<min(count, start + size)]).withUnsafeBytes { hash.combine($0) }
                }
                #expect(Hexadecimal.text(of: hash.digest[...]) == whole)
            }
        }
        // FIPS 180-4's own examples.
        #expect(
            SHA256.text(of: Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.text(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
