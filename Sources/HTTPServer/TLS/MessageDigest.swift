// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import COpenSSL
import HTTPSyntax

/// The hashes of Digest authentication, by OpenSSL; nothing is kept secret by them.
package enum MessageDigest {
    /// MD5 (RFC 1321), in lower-case hexadecimal digits; nil where this OpenSSL has it not, as under FIPS.
    package static func md5(_ text: String) -> String? { hexadecimal(text, EVP_md5()) }

    /// SHA-256 (FIPS 180-4), in lower-case hexadecimal digits.
    package static func sha256(_ text: String) -> String? { hexadecimal(text, EVP_sha256()) }

    private static func hexadecimal(_ text: String, _ algorithm: OpaquePointer?) -> String? {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        var text = text
        let isMade = text.withUTF8 { EVP_Digest($0.baseAddress, $0.count, &digest, &count, algorithm, nil) == 1 }
        guard isMade else { return nil }
        return Hexadecimal.text(of: digest[..<Int(count)])
    }
}
