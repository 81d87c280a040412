// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct HashTests {
    @Test func `hashes are those of the RFCs`() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        // RFC 1321, appendix A.5.
        #expect(MD5.text(of: "") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(MD5.text(of: "a") == "0cc175b9c0f1b6a831c399e269772661")
        #expect(MD5.text(of: "abc") == "900150983cd24fb0d6963f7d28e17f72")
        #expect(MD5.text(of: "message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(MD5.text(of: letters) == "c3fcd3d76192e4007dfb496cca67e13b")
        let all = letters.uppercased() + letters + "0123456789"
        #expect(MD5.text(of: all) == "d174ab98d277d9f5a5611c2c9f419d9f")
        let digits = String(repeating: "1234567890", count: 8)
        #expect(MD5.text(of: digits) == "57edf4a22be3c955ac49da2e2107b67a")
        // RFC 6234, section 8.5.
        #expect(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(sha256(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let numbers = String(repeating: "01234567", count: 80)
        #expect(sha256(numbers) == "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5")
    }

    @Test func `texts of every length around one block and two are hashed as elsewhere`() {
        let texts = (0...130).map { String(repeating: "a", count: $0) }
        // As Python's hashlib has them.
        let md5 = MD5.text(of: texts.map(MD5.text(of:)).joined())
        #expect(md5 == "dc15a7096e621b7f0679b8ac9d383e7f")
        let digests = sha256(texts.map(sha256).joined())
        #expect(digests == "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9")
    }

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
    }

    private func sha256(_ text: String) -> String { SHA256.text(of: Array(text.utf8)) }
}
