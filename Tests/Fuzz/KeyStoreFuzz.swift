// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    @testable import MockapiHTTPServer
#endif

/// The entries of a key store of Java's, whose digest is taken as right: nothing traps, the
/// certificates found are no longer than the entries, and a chain has its key.
enum KeyStoreFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        #if TLS
            let store = TLSSettings.KeyStore(path: "a", password: "s3cret", keyPassword: "own-key")
            let entries = Array(bytes)
            guard let read = try? JavaKeyStore(entries: entries[...], store) else { return }
            for certificates in [read.chain, read.authorities] {
                precondition(certificates.joined().count <= entries.count, "more certificates than there are bytes")
            }
            precondition(read.key != nil || read.chain.isEmpty, "a chain without its key")
        #endif
    }
}
