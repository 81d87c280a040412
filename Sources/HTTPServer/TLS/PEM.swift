// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import COpenSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads and writes OpenSSL's objects as text.
enum PEM {
    /// What a function of OpenSSL writes.
    static func text(_ write: (OpaquePointer) -> Int32) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { return "" }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        let count = BIO_read(bio, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }

    /// What a function of OpenSSL reads from a file.
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

    /// Writes a file that only its owner can read, whole or not at all.
    static func write(_ text: String, to path: String) throws(TLSError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(temporary) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, systemWrite(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else { throw failure(temporary) }
    }

    private static func failure(_ path: String) -> TLSError {
        TLSError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
