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
        /// The records of this turn are used up, and more may wait.
        case turnIsOver
        /// The client has ended its side.
        case ended
        case failed
        /// The client keeps TLS itself busy and sends nothing else.
        case flooded
    }

    /// Records that are taken in one turn before other connections have theirs. 256.
    static let recordsPerTurn = 256
    /// Records in a row without content, behind the handshake, such as those of KeyUpdate (RFC 8446 §4.6.3); a client that sends more is
    /// dropped. 100.
    static let recordsWithoutContent = 100
    /// Bytes of answers to such that wait until the client takes them; one that has more is dropped. 64 KiB.
    static let maxAnswers = 64 * 1024

    /// Bytes of a record's head (RFC 8446 §5.1).
    private static let recordHead = 5

    /// Bytes from the socket that have not been decrypted.
    let received = ByteBuffer()
    /// Bytes for the socket.
    let pending = ByteBuffer()
    /// Whether the socket may have bytes that have not been read.
    var mayHaveMore = true
    /// Bytes that have come in this turn.
    var turnBytes = 0
    private var turnRecords = 0
    private var withoutContent = 0
    /// Bytes in `pending` that TLS itself has put there while it read.
    private var answers = 0
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

    /// Whether the handshake is not yet over; messages of TLS that come behind it are none.
    private(set) var isHandshaking = true

    /// Whether a protocol has been agreed on by ALPN (RFC 7301).
    func hasAgreed(on name: StaticString) -> Bool {
        var chosen: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &chosen, &count)
        return UnsafeBufferPointer(start: chosen, count: Int(count)).elementsEqual(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    var version: TLSVersion {
        SSL_version(ssl) == TLS1_3_VERSION ? .tls13 : .tls12
    }

    /// Begins a turn: as many records may be taken as one has.
    func beginTurn() {
        turnBytes = 0
        turnRecords = 0
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let waiting = pending.count
        let count = SSL_read(ssl, space.baseAddress, Int32(clamping: space.count))
        // A handshake has bounds of its own: OpenSSL's, and the time for a head.
        if count > 0 || isHandshaking { withoutContent = 0 }
        if isHandshaking { isHandshaking = SSL_is_init_finished(ssl) == 0 } else { answers += pending.count - waiting }
        if withoutContent > Self.recordsWithoutContent || answers > Self.maxAnswers { return .flooded }
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
            return turnRecords < Self.recordsPerTurn ? .needsMore : .turnIsOver
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            if isHandshaking { failure = HandshakeFailure.Cause.last ?? failure }
            return .failed
        }
    }

    /// Whether its failure has been told.
    var isTold = false
    /// Why the handshake failed; nil where it has not, or the client only went away.
    private(set) var failure: HandshakeFailure.Cause?

    /// The name that the client asked for (RFC 6066 §3).
    var serverName: String? {
        SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// Whether the certificate that the client was shown has the name that it asked for, or it asked for none.
    var hasServedName: Bool {
        guard let name = serverName, let certificate = SSL_get_certificate(ssl) else { return true }
        return X509_check_host(certificate, name, 0, 0, nil) == 1
    }

    /// Encrypts bytes; all of them, since the buffer grows.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ERR_clear_error()
        return SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
    }

    /// Says how many of the pending bytes have been sent.
    func sent(_ count: Int) {
        pending.consume(count)
        if pending.isEmpty {
            pending.removeAll()
            answers = 0
        }
    }

    /// Whether the next bytes may be taken; those of a record's head count it.
    private func mayTake(_ count: Int) -> Bool {
        count != Self.recordHead
            || turnRecords < Self.recordsPerTurn && withoutContent <= Self.recordsWithoutContent
    }

    private func noteTaken(of count: Int) {
        guard count == Self.recordHead else { return }
        turnRecords += 1
        withoutContent += 1
    }

    /// Says to the client that nothing more comes (RFC 8446 §6.1).
    func finish() {
        if SSL_is_init_finished(ssl) != 0 { SSL_shutdown(ssl) }
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
                // OpenSSL asks for the head of a record, then for what that says.
                let asked = Int(count)
                let count = min(asked, stream.received.count)
                guard count > 0, stream.mayTake(asked), let source = stream.received.readable.baseAddress else {
                    copenssl_bio_retry_read(bio)
                    return -1
                }
                stream.noteTaken(of: asked)
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
