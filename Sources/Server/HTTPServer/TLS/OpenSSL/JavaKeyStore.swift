// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL

    /// A key store in JKS, the format of Java's own that `keytool -storetype JKS` writes.
    ///
    /// Layout, numbers being big-endian: a magic number, the version, the number of entries, the entries, and a digest of all that keyed
    /// by the password. An entry is a key with the chain of its certificate, or the certificate of an authority.
    struct JavaKeyStore {
        /// The first key in PKCS#8; nil if there is none.
        private(set) var key: [UInt8]?
        /// The certificates of the key in DER, its own first.
        private(set) var chain: [[UInt8]] = []
        /// Those of authorities.
        private(set) var authorities: [[UInt8]] = []

        private static let magic: [UInt8] = [0xFE, 0xED, 0xFE, 0xED]
        /// The text between the password and the content that the digest at the end is made of.
        private static let keying = Array("Mighty Aphrodite".utf8)
        /// Bytes of a digest (SHA-1).
        private static let digestSize = 20

        private static func damaged(_ store: TLSSettings.KeyStore) -> TLSError {
            TLSError("the key store \(store.path) is damaged: it ends within an entry")
        }

        static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

        /// - Throws: `TLSError` if the store is damaged, or has another password.
        init(_ bytes: [UInt8], _ store: TLSSettings.KeyStore) throws(TLSError) {
            guard bytes.count >= Self.digestSize else { throw Self.damaged(store) }
            let content = bytes.dropLast(Self.digestSize)
            let digest = Self.digest([Self.utf16(store.password), Self.keying, Array(content)])
            guard digest.elementsEqual(bytes.suffix(Self.digestSize)) else {
                throw TLSError("the key store \(store.path) has another password, or is damaged")
            }
            try self.init(entries: content.dropFirst(Self.magic.count), store)
        }

        /// - Parameter entries: the bytes between the magic number and the digest, which the password fits.
        init(entries: ArraySlice<UInt8>, _ store: TLSSettings.KeyStore) throws(TLSError) {
            let damaged = Self.damaged(store)
            var reader = Reader(rest: entries)
            guard let version = reader.number(4), let count = reader.number(4) else { throw damaged }
            for _ in 0..<count {
                guard let kind = reader.number(4), reader.text() != nil, reader.bytes(8) != nil else { throw damaged }
                guard kind == 1 else {
                    guard let certificate = reader.certificate(version) else { throw damaged }
                    authorities.append(certificate)
                    continue
                }
                guard let size = reader.number(4), let locked = reader.bytes(size), let length = reader.number(4) else {
                    throw damaged
                }
                var chain: [[UInt8]] = []
                for _ in 0..<length {
                    guard let certificate = reader.certificate(version) else { throw damaged }
                    chain.append(certificate)
                }
                // A server has one key.
                if key != nil { continue }
                let passwords = [store.keyPassword, store.password].compactMap(\.self)
                guard let key = passwords.lazy.compactMap({ Self.unlocked(Array(locked), $0) }).first else {
                    throw TLSError("the key of the key store \(store.path) has another password")
                }
                self.key = key
                self.chain = chain
            }
        }

        /// A key, which is encrypted by XOR with a chain of digests of the password: a salt, the key, and a digest of it.
        ///
        /// - Returns: nil if it has another password, or is not such a key.
        private static func unlocked(_ locked: [UInt8], _ password: String) -> [UInt8]? {
            let parsed = locked.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return d2i_X509_SIG(nil, &start, buffer.count)
            }
            guard let parsed else { return nil }
            defer { X509_SIG_free(parsed) }
            var algorithm: UnsafePointer<X509_ALGOR>?
            var string: UnsafePointer<ASN1_OCTET_STRING>?
            X509_SIG_get0(parsed, &algorithm, &string)
            guard let string, let first = ASN1_STRING_get0_data(string) else { return nil }
            let content = Array(UnsafeBufferPointer(start: first, count: Int(max(0, ASN1_STRING_length(string)))))
            guard content.dropFirst(digestSize).count > digestSize else { return nil }
            let password = utf16(password)
            var mask = Array(content.prefix(digestSize))
            var key = Array(content.dropFirst(digestSize).dropLast(digestSize))
            for place in key.indices {
                if place % digestSize == 0 { mask = digest([password, mask]) }
                guard mask.count == digestSize else { return nil }
                key[place] ^= mask[place % digestSize]
            }
            return digest([password, key]).elementsEqual(content.suffix(digestSize)) ? key : nil
        }

        private static func utf16(_ text: String) -> [UInt8] {
            text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        }

        /// The SHA-1 of some parts together; empty if OpenSSL has none.
        private static func digest(_ parts: [[UInt8]]) -> [UInt8] {
            let bytes = Array(parts.joined())
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var size: UInt32 = 0
            guard EVP_Digest(bytes, bytes.count, &digest, &size, EVP_sha1(), nil) == 1 else { return [] }
            return Array(digest.prefix(Int(size)))
        }

        /// Reads the parts of entries; nil for one that the content ends within.
        private struct Reader {
            var rest: ArraySlice<UInt8>

            mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
                guard count <= rest.count else { return nil }
                defer { rest = rest.dropFirst(count) }
                return rest.prefix(count)
            }

            mutating func number(_ size: Int) -> Int? {
                bytes(size).map { $0.reduce(0) { $0 << 8 | Int($1) } }
            }

            /// A text behind its length.
            mutating func text() -> ArraySlice<UInt8>? {
                number(2).flatMap { bytes($0) }
            }

            /// A certificate behind its length, and behind the name of its type in later versions than the first.
            mutating func certificate(_ version: Int) -> [UInt8]? {
                if version > 1, text() == nil { return nil }
                return number(4).flatMap { bytes($0) }.map { Array($0) }
            }
        }
    }
#endif
