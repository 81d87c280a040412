// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL

    /// Reads and writes OpenSSL's objects as text.
    enum PEM {
        /// The text that a function of OpenSSL writes.
        static func text(_ write: (OpaquePointer) -> Int32) -> String {
            guard let bio = BIO_new(BIO_s_mem()) else { return "" }
            defer { BIO_free(bio) }
            guard write(bio) == 1 else { return "" }
            var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
            let count = BIO_read(bio, &bytes, Int32(bytes.count))
            return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
        }

        /// The object that a function of OpenSSL reads from a file.
        static func read(_ path: String, _ read: (OpaquePointer) -> OpaquePointer?) throws(TLSError) -> OpaquePointer {
            guard let bio = BIO_new_file(path, "r") else {
                throw TLSError("\(path) cannot be read\(TLSError.reason)")
            }
            defer { BIO_free(bio) }
            guard let object = read(bio) else {
                throw TLSError("\(path) is not in PEM\(TLSError.reason); remove it, and it is made again")
            }
            return object
        }
    }
#endif
