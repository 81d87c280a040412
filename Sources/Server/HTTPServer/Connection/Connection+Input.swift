// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO

extension Connection {
    /// The first byte of a TLS connection: a handshake record (RFC 8446 §5.1).
    private static let tlsHandshake: UInt8 = 0x16

    /// Reads the bytes that are there and responds to complete requests.
    func read() {
        switch state {
        case .open: readRequests()
        case .lingering: discard()
        case .finishing, .closed: break
        }
    }

    private func readRequests() {
        let buffers = takeBuffers()
        hasUnread = false
        tls?.beginTurn()
        // Requests that a full output queue left unread come first.
        if !buffers.input.isEmpty { process(buffers) }
        var total = 0
        var turnEnd: UInt64?
        reading: while state == .open, !peerHasFinished {
            guard buffers.output.count < ServerConfiguration.outputHighWater, total < Self.bytesPerTurn,
                !buffers.http1.isResponding
            else {
                hasUnread = true
                break
            }
            let space = buffers.input.space()
            switch receive(into: space) {
            case .bytes(let count):
                buffers.input.filled(count)
                total += count
                process(buffers)
                // It has had its turn if it has left something unread.
                if hasUnread { break reading }
                if count == space.count {
                    buffers.input.growForBulk()
                    let now = Clock.monotonic()
                    if now >= turnEnd ?? .max {
                        hasUnread = true
                        break reading
                    }
                    turnEnd = turnEnd ?? now + Self.turn
                } else if !endIsNear, tls == nil {
                    // A short read has emptied the socket; the next bytes are a new event.
                    break reading
                }
            case .wouldBlock: break reading
            case .ended:
                peerHasFinished = true
                buffers.http1.noteClientEnd()
                noteHandshake(.closed)
            case .failed:
                noteHandshake(.closed)
                return fail(buffers)
            }
        }
        if state == .open, peerHasFinished { finishInput(buffers) }
        if state != .closed { flush(buffers) }
    }

    /// Takes bytes of the client, decrypted if it speaks TLS.
    private func receive(into space: UnsafeMutableRawBufferPointer) -> Socket.Transfer {
        guard let tls else { return Socket.receive(descriptor, into: space) }
        while true {
            switch tls.read(into: space) {
            case .bytes(let count):
                return .bytes(count)
            case .ended: return .ended
            case .failed: return .failed
            case .flooded:
                // A client that does not stop gets no last word.
                tls.pending.removeAll()
                return .failed
            case .turnIsOver:
                hasUnread = true
                return .wouldBlock
            case .needsMore:
                if tls.isHandshaking { startHeadDeadline() }
                guard tls.mayHaveMore else { return .wouldBlock }
                guard tls.turnBytes < Self.bytesPerTurn else {
                    hasUnread = true
                    return .wouldBlock
                }
                let space = tls.received.space()
                switch Socket.receive(descriptor, into: space) {
                case .bytes(let count):
                    tls.received.filled(count)
                    tls.turnBytes += count
                    if count == space.count { tls.received.growForBulk() } else { tls.mayHaveMore = endIsNear }
                case .wouldBlock:
                    tls.mayHaveMore = false
                    return .wouldBlock
                case .ended: return .ended
                case .failed: return .failed
                }
            }
        }
    }

    /// Reports a failed handshake; a finished handshake, for a name that the certificate has, has not failed.
    ///
    /// - Parameter cause: the cause, if TLS itself gives none.
    func noteHandshake(_ cause: HandshakeFailure.Cause) {
        guard let tls, case .unknown = dialect, !tls.isTold, !shard.isStopping else { return }
        let failure: HandshakeFailure.Cause
        if tls.isHandshaking {
            failure = tls.failure ?? cause
        } else if !tls.hasServedName {
            failure = .unservedName
        } else {
            return
        }
        tls.isTold = true
        shard.handler.handshakeFailed(HandshakeFailure(failure, serverName: tls.serverName), connection: info)
        shard.noteWork()
    }

    /// Ends a connection that cannot be read: a TLS client still gets the alert that says why.
    private func fail(_ buffers: RequestBuffers) {
        guard let tls, !tls.pending.isEmpty else { return abort() }
        buffers.input.removeAll()
        state = .finishing(.linger)
        flush(buffers)
    }

    /// Finds out from its first bytes which protocol the client speaks.
    func decide(_ buffers: RequestBuffers) {
        let bytes = buffers.input.readable
        if tls == nil, bytes.first == Self.tlsHandshake, let provider = shard.tls {
            return startTLS(provider, buffers)
        }
        if let tls {
            info.tls = tls.version
            if tls.hasAgreed(on: "h2") { return startHTTP2(buffers) }
        }
        // A client that has agreed on HTTP/1.1 speaks that (RFC 7301 §3.2); a preface is then a request that is refused.
        let isHTTP1Agreed = tls?.hasAgreed(on: "http/1.1") ?? false
        switch Preface.judge(bytes, isAllowed: shard.configuration.speaksHTTP2 && !isHTTP1Agreed) {
        case .needsMore: startHeadDeadline()
        case .http2: startHTTP2(buffers)
        case .http1:
            dialect = .http1
            process(buffers)
        }
    }

    private func startTLS(_ provider: TLSProvider, _ buffers: RequestBuffers) {
        guard let context = provider.context, let tls = TLSStream(context) else { return abort() }
        tls.received.append(buffers.input.readable)
        buffers.input.removeAll()
        self.tls = tls
        prepare(buffers)
        startHeadDeadline()
    }

    private func startHTTP2(_ buffers: RequestBuffers) {
        start(
            HTTP2Session(limits: shard.configuration.limits, pool: shard.streams, isSecure: tls != nil), buffers)
    }

    /// Throws away the remaining bytes, so that closing does not reset the connection before the client has read our response.
    private func discard() {
        guard let buffers else { return abort() }
        while true {
            buffers.input.removeAll()
            switch Socket.receive(descriptor, into: buffers.input.space()) {
            case .bytes(let count):
                discarded += count
                if discarded > Self.lingerLimit { return abort() }
            case .wouldBlock: return
            case .ended, .failed: return abort()
            }
        }
    }
}
