// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A placeholder that is a private key in PEM (RFC 7468), for one: a client that parses the key it is given finds one of the same kind.
///
/// There is one key of each kind, which everybody may know: the secret parts of those on curves read `redacted redacted …`, and the primes of RSA
/// begin with `redacted.redacted.…` and `not a secret not a …`.
enum PEMPlaceholder {
    private static let dashes = Array("-----".utf8)
    private static let begin = Array("-----BEGIN ".utf8)
    private static let label = ByteClass.alphanumeric.union(" ")
    /// Characters of Base64 in a line (RFC 7468 §2).
    private static let width = 64
    /// Line ends, also as JSON escapes them once or twice.
    private static let lineEnds = ["\\\\r\\\\n", "\\\\n", "\\r\\n", "\\n", "\r\n", "\n"].map { Array($0.utf8) }

    /// A key in the written form of another, with its line ends; nil for a key of another kind, and for an encrypted key.
    static func text(like key: [UInt8]) -> [UInt8]? {
        key.withUnsafeBufferPointer { key in
            guard let (name, lineEnd, start) = head(of: key, at: 0), !key[start...].contains(UInt8(ascii: ":")) else {
                return nil
            }
            return content(of: name, like: key.slice(start..<key.count), lineEnd).map { text(name, $0, lineEnd) }
        }
    }

    /// The end of the placeholder that begins at a place of a text; nil for none.
    static func end(in text: Bytes, at index: Int) -> Int? {
        guard text[index] == UInt8(ascii: "-"), let (name, lineEnd, _) = head(of: text, at: index) else { return nil }
        for content in contents(of: name) {
            let key = self.text(name, content, lineEnd)
            if text.has(key, at: index) { return index + key.count }
        }
        return nil
    }

    /// The label of a key, the line end behind its first line, and where its content starts.
    private static func head(of text: Bytes, at index: Int) -> (name: String, lineEnd: [UInt8], start: Int)? {
        guard text.has(begin, at: index) else { return nil }
        let start = index + begin.count
        let end = text.end(of: label, from: start, limit: start + 40)
        guard text.has(dashes, at: end),
            let lineEnd = lineEnds.first(where: { text.has($0, at: end + dashes.count) })
        else { return nil }
        return (String(decoding: text[start..<end], as: UTF8.self), lineEnd, end + dashes.count + lineEnd.count)
    }

    private static func text(_ name: String, _ content: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
        var text = begin + Array(name.utf8) + dashes + lineEnd
        let base64 = Base64.encode(content, pads: true)
        for start in stride(from: 0, to: base64.count, by: width) {
            text += base64[start..<min(start + width, base64.count)] + lineEnd
        }
        return text + Array("-----END \(name)".utf8) + dashes
    }

    // MARK: Keys

    private static func contents(of name: String) -> [[UInt8]] {
        switch name {
        case "RSA PRIVATE KEY": [rsa]
        case "EC PRIVATE KEY": [curve]
        case "OPENSSH PRIVATE KEY": [ssh]
        case "PRIVATE KEY": [wrappedRSA, wrappedCurve, edwards]
        default: []
        }
    }

    /// - Parameter key: the content of the key that it takes the place of, with its line ends.
    private static func content(of name: String, like key: Bytes, _ lineEnd: [UInt8]) -> [UInt8]? {
        guard name == "PRIVATE KEY" else { return contents(of: name).first }
        // The algorithm stands in the first 32 bytes (RFC 5958 §2).
        guard let start = Base64.decode(key.slice(0..<min(44, key.count)), .found) else { return nil }
        let kinds: [(identifier: [UInt8], content: [UInt8])] = [
            ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], wrappedRSA),
            ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], wrappedCurve), ([0x06, 0x03, 0x2B, 0x65, 0x70], edwards),
        ]
        return kinds.first { start.firstRange(of: $0.identifier) != nil }?.content
    }

    private static func decoded(_ base64: String) -> [UInt8] { Base64.decode(base64, .found) ?? [] }

    /// An RSAPrivateKey (RFC 8017 §A.1.2) of 2,048 bits.
    private static let rsa = decoded(
        """
        MIIEowIBAAKCAQEAkKjQ+8BQOChSuefftn2EfWVjKIZwHloDjCAgXMutLsiiHIf829pn6/znWZhremrPyHv2FFWfv6fgNxqGfDIezmKda1/D
        jKC9Xsp56m5+SdUCm9roiP7mJlQRVpgczjv2lPKhvnSb3PazyTfezuM6bV6QSEaZjBd/qm7+5tZp55zgGgUvzf7y0vYHPqjQWZ9qJ3ZugVyF
        tsQNyAIO+LEGHgbBfV8znFGRvn4V/cZ2UAbu4yG2iWbtpIdWJdVr5ouRRRL2nSnsTc5E+nAbQMp37kWZetdd9H/VEuk6BnfVSQA8VZzvY5x4
        6YvczPFvyt8snukBcJH7a1aBH3fuygg3awIDAQABAoIBADFgjkUAdeFVUjeGwEPoQCsVSm1wxiB2FTPlW2aRV0Ha1grrGBJrUIGqx8U7U6Rr
        hRUnyu1R9L9UrCHi+fi2mvFTk+wsufDshPcwIcE1igHlpYhRhoIMj76Rf4GRVnPG3/ojf7Yk03bu9ps+aN0xjqX6W0FwZ8T72GXykSt2EJwv
        2qcIqyOn4KAeQMg2Df0peChu4OuFJ8gCyNMlGqZVVSBJX8moFz7cw31MDK8jpbKLacHBTEDIhReULSztHi7psnptrsR1bs8NAZQ4iBUgJQjH
        0cGQzqwWqAVgWS/t0Vj8I5PUB9YyRpiNyHM5EJmdcmp76aCb6hs0+rsplxAYX6ECgYEAwHJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJl
        ZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJlZGFjdGVkLnJl
        ZGFjdGVkLnJlZGFjdGUAAakCgYEAwG5vdCBhIHNlY3JldCBub3QgYSBzZWNyZXQgbm90IGEgc2VjcmV0IG5vdCBhIHNlY3JldCBub3QgYSBz
        ZWNyZXQgbm90IGEgc2VjcmV0IG5vdCBhIHNlY3JldCBub3QgYSBzZWNyZXQgbm90IGEgc2VjcmV0IG5vdCBhIHMABPMCgYB3iBZWDO97Imbh
        OoijmqHtb/STrNYxTRQ6/acF+mPjv2HIsBlTiBZWDO97ImbhOoijmqHtb/STrNYxTRQ6/acF+mPjv2HIsBlTiBZWDO97ImbhOoijmqHtb/ST
        rNYxTRQ6/acF+mPjv2HIsBlTiBZWDO97ImbhOoijmqHtb7ZbUQKBgQCj4GjCOKD+hceefVmxH71s5TR+AqjDe4F8rPzBj+ERgiWkoH+keIoA
        5Iu+FaUhgaSioFWOI+Bowjig/oXHnn1ZsR+9bOU0fgKow3uBfKz8wY/hEYIlpKB/pHiKAOSLvhWlIYGkoqBVjiPgaMI4oP6Fx559WbEfvWzl
        NH4CqG0nyQKBgGrGe2CB1RWpgzfUIaY3lsa0+NcSqGPkoqTxvSi/7NdO1FC/QkvoalPn+TRBejpZEC/aOKPTF2WPm2ts8AVmHQUQebCrumnK
        suNWH+bbLpgaDclcvQdHy/GXw/++gNYhrGFsLvMebCdlvggCS/HLkQUaGt6/Uv3aCU8PVRAis5Bb
        """.filter { !$0.isWhitespace })
    /// The same as a PrivateKeyInfo.
    private static let wrappedRSA =
        [
            0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01,
            0x01, 0x01, 0x05, 0x00, 0x04, 0x82, 0x04, 0xA7,
        ] + rsa
    /// An ECPrivateKey of P-256 (RFC 5915).
    private static let curve = decoded(
        "MHcCAQEEIHJlZGFjdGVkIHJlZGFjdGVkIHJlZGFjdGVkIHJlZGFjoAoGCCqGSM49AwEHoUQDQgAEl72izXrzwjY5jkPoF5M1"
            + "1g28gXy2DNI5BNU8N4E6odK98R7xQ3BsDcVPlVdI/hALnjqfxV8F4V+eT4hKzaWvfg==")
    /// The same as a PrivateKeyInfo.
    private static let wrappedCurve = decoded(
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcmVkYWN0ZWQgcmVkYWN0ZWQgcmVkYWN0ZWQgcmVkYWOhRANC"
            + "AASXvaLNevPCNjmOQ+gXkzXWDbyBfLYM0jkE1Tw3gTqh0r3xHvFDcGwNxU+VV0j+EAueOp/FXwXhX55PiErNpa9+")
    /// Ed25519 (RFC 8410).
    private static let edwards = decoded("MC4CAQAwBQYDK2VwBCIEIHJlZGFjdGVkIHJlZGFjdGVkIHJlZGFjdGVkIHJlZGFj")
    /// The same as OpenSSH has it.
    private static let ssh = decoded(
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAACAel7YdZj6/vatf"
            + "Jcifr3jS5SUkBoztsHuqT/iOWTECYgAAAIhxezGOcXsxjgAAAAtzc2gtZWQyNTUxOQAAACAel7YdZj6/vatfJcifr3jS5SUk"
            + "BoztsHuqT/iOWTECYgAAAEByZWRhY3RlZCByZWRhY3RlZCByZWRhY3RlZCByZWRhYx6Xth1mPr+9q18lyJ+veNLlJSQGjO2w"
            + "e6pP+I5ZMQJiAAAAAAECAwQF")
}
