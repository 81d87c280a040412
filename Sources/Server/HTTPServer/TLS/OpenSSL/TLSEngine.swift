// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL
    import MockapiHTTPWire

    /// OpenSSL's work for one stream: the handshake, and text to records and back.
    ///
    /// It reads and writes the stream's two buffers through a BIO of ours, so that one send carries many records.
    struct TLSEngine: ~Copyable {
        private let ssl: OpaquePointer

        init?(_ context: TLSContext) {
            guard let ssl = SSL_new(context.pointer) else { return nil }
            guard let bio = BIO_new(Self.method) else {
                SSL_free(ssl)
                return nil
            }
            self.ssl = ssl
            // The BIO now belongs to the SSL object.
            SSL_set_bio(ssl, bio, bio)
            SSL_set_accept_state(ssl)
        }

        deinit {
            SSL_free(ssl)
        }

        /// Makes a stream the source and the target of bytes; it has this engine, and lives as long.
        func attach(to stream: TLSStream) {
            let bio = SSL_get_rbio(ssl)
            BIO_set_data(bio, Unmanaged.passUnretained(stream).toOpaque())
            BIO_set_init(bio, 1)
        }

        var isHandshaking: Bool { SSL_is_init_finished(ssl) == 0 }

        /// The cause that OpenSSL gives for a failed handshake, after a read that has failed; nil if it gives none.
        var failure: HandshakeFailure.Cause? { .last(SSL_get_verify_result(ssl)) }

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

        var serverName: String? {
            SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
        }

        /// Whether the certificate that the client was shown names the host that it asked for, or it asked for none.
        var hasServedName: Bool {
            guard let name = serverName, let certificate = SSL_get_certificate(ssl) else { return true }
            return X509_check_host(certificate, name, 0, 0, nil) == 1
        }

        /// Decrypts; the outcome is `bytes`, `needsMore`, `ended` or `failed`.
        func read(into space: UnsafeMutableRawBufferPointer) -> TLSStream.Outcome {
            ERR_clear_error()
            let count = SSL_read(ssl, space.baseAddress, Int32(clamping: space.count))
            if count > 0 { return .bytes(Int(count)) }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsMore
            case SSL_ERROR_ZERO_RETURN: return .ended
            default: return .failed
            }
        }

        func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            ERR_clear_error()
            return SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
        }

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
                    let taken = stream.take(Int(count), into: UnsafeMutableRawPointer(target))
                    guard taken > 0 else {
                        copenssl_bio_retry_read(bio)
                        return -1
                    }
                    return Int32(taken)
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
#endif
