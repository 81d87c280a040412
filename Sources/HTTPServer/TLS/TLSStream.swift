// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import COpenSSL
import HTTPWire

/// The server's side of TLS on one connection, without socket: what comes is put into `received`, what is to go is in `pending`.
///
/// OpenSSL reads and writes these two buffers through a BIO of ours, so that one send carries many records.
final class TLSStream {
    /// What a read of plain text came to.
    enum Outcome {
        case bytes(Int)
        case needsMore
        /// The client has ended its side.
        case ended
        case failed
    }

    /// Bytes from the socket that have not been decrypted.
    let received = ByteBuffer()
    /// Bytes for the socket.
    let pending = ByteBuffer()
    /// Whether the socket may have bytes that have not been read.
    var mayHaveMore = true
    private let ssl: OpaquePointer

    init?(_ context: TLSContext) {
        guard let ssl = SSL_new(context.pointer) else { return nil }
        guard let bio = BIO_new(Self.method) else {
            SSL_free(ssl)
            return nil
        }
        self.ssl = ssl
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        // The BIO now belongs to the SSL object.
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
    }

    deinit {
        SSL_free(ssl)
    }

    var isHandshaking: Bool { SSL_is_init_finished(ssl) == 0 }

    /// Whether the client has agreed to HTTP/2 by ALPN.
    var hasChosenHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return count == 2 && name?[0] == UInt8(ascii: "h") && name?[1] == UInt8(ascii: "2")
    }

    var version: TLSVersion {
        SSL_version(ssl) == TLS1_3_VERSION ? .tls13 : .tls12
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = SSL_read(ssl, space.baseAddress, Int32(clamping: space.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsMore
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed
        }
    }

    /// Encrypts bytes; all of them, since the buffer grows.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ERR_clear_error()
        return SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
    }

    /// Says how many of the pending bytes have been sent.
    func sent(_ count: Int) {
        pending.consume(count)
        if pending.isEmpty { pending.removeAll() }
    }

    /// Says to the client that nothing more comes (RFC 8446 §6.1).
    func finish() {
        if !isHandshaking { SSL_shutdown(ssl) }
        ERR_clear_error()
    }

    // MARK: The BIO

    /// `nonisolated(unsafe)`: filled before any other thread sees it and only read from then on.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "mockapi")
        BIO_meth_set_read(method) { bio, target, count in
            guard let target, let data = BIO_get_data(bio) else { return -1 }
            return Unmanaged<TLSStream>.fromOpaque(data)._withUnsafeGuaranteedRef { stream in
                copenssl_bio_clear_retry(bio)
                let count = min(Int(count), stream.received.count)
                guard count > 0, let source = stream.received.readable.baseAddress else {
                    copenssl_bio_retry_read(bio)
                    return -1
                }
                UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count)
                stream.received.consume(count)
                return Int32(count)
            }
        }
        BIO_meth_set_write(method) { bio, source, count in
            guard let source, let data = BIO_get_data(bio) else { return -1 }
            return Unmanaged<TLSStream>.fromOpaque(data)._withUnsafeGuaranteedRef { stream in
                copenssl_bio_clear_retry(bio)
                source.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    stream.pending.append(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
                return count
            }
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()
}
