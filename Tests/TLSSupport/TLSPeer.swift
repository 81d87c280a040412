// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiOpenSSL
package import MockapiWireSupport

/// A TLS client on paper: what comes for it is put in, what it says is taken out.
package final class TLSPeer {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    package struct Failure: Error {}

    /// - Parameter alpn: the protocol that is offered; nil for none.
    package init(alpn: String? = nil) throws {
        guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context),
            let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
        else { throw Failure() }
        self.context = context
        self.ssl = ssl
        self.incoming = incoming
        self.outgoing = outgoing
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_connect_state(ssl)
        if let alpn {
            let list = [UInt8(alpn.utf8.count)] + Array(alpn.utf8)
            SSL_set_alpn_protos(ssl, list, UInt32(list.count))
        }
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// - Returns: whether the handshake is over.
    package func handshake() -> Bool { SSL_do_handshake(ssl) == 1 }

    package func put(_ bytes: [UInt8]) {
        _ = BIO_write(incoming, bytes, Int32(bytes.count))
    }

    /// What the client has said since the last call.
    package func take() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
        guard !bytes.isEmpty else { return [] }
        _ = BIO_read(outgoing, &bytes, Int32(bytes.count))
        return bytes
    }

    /// Says bytes in a record.
    package func write(_ bytes: [UInt8]) {
        _ = SSL_write(ssl, bytes, Int32(bytes.count))
    }

    /// What of that which was put in is content.
    package func read() -> [UInt8] {
        var content: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = SSL_read(ssl, &space, Int32(space.count))
            guard count > 0 else { return content }
            content += space[..<Int(count)]
        }
    }

    /// Says that the client goes on with another key, and wants the same of the server (RFC 8446 §4.6.3).
    package func updateKeys() {
        SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(ssl)
    }
}

/// A TLS client on a socket, with blocking calls.
package final class TLSWire {
    package let wire: WireClient
    package let peer: TLSPeer

    /// Connects and shakes hands.
    package init(port: Int, alpn: String? = nil) throws {
        wire = try WireClient(port: port)
        peer = try TLSPeer(alpn: alpn)
        while !peer.handshake() {
            try wire.send(peer.take())
            peer.put(try wire.some() ?? [])
        }
        try wire.send(peer.take())
    }

    package func send(_ text: String) throws {
        peer.write(Array(text.utf8))
        try wire.send(peer.take())
    }

    /// Reads until some content has come that ends so; all there was where the server closes before.
    package func read(until end: String) throws -> String {
        var content: [UInt8] = []
        while !content.reversed().starts(with: end.utf8.reversed()), let bytes = try wire.some() {
            peer.put(bytes)
            content += peer.read()
        }
        return String(decoding: content, as: UTF8.self)
    }
}
