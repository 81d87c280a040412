// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import EventLoops
import HTTPWire
import SystemIO

extension Connection {
    /// The first byte of a TLS connection: a handshake record (RFC 8446 §5.1).
    private static let tlsHandshake: UInt8 = 0x16

    /// Reads what there is and answers what is complete.
    func read() {
        switch state {
        case .open: readRequests()
        case .lingering: discard()
        case .finishing, .closed: break
        }
    }

    private func readRequests() {
        let workspace = takeWorkspace()
        hasUnread = false
        tls?.beginTurn()
        // Requests that a full output queue left unread come first.
        if !workspace.input.isEmpty { process(workspace) }
        var total = 0
        var turnEnd: UInt64?
        reading: while state == .open, !peerHasFinished {
            guard workspace.output.count < ServerConfiguration.outputHighWater, total < Self.bytesPerTurn,
                !workspace.http1.isResponding
            else {
                hasUnread = true
                break
            }
            let space = workspace.input.space()
            switch receive(into: space) {
            case .bytes(let count):
                workspace.input.filled(count)
                total += count
                process(workspace)
                // It has had its turn where it has left something unread.
                if hasUnread { break reading }
                if count == space.count {
                    workspace.input.growForBulk()
                    let now = Clock.monotonic()
                    if now >= turnEnd ?? .max {
                        hasUnread = true
                        break reading
                    }
                    turnEnd = turnEnd ?? now + Self.turn
                } else if !endIsNear, tls == nil {
                    // A short read has emptied the socket; what comes next is a new event.
                    break reading
                }
            case .wouldBlock: break reading
            case .ended:
                peerHasFinished = true
                workspace.http1.clientHasEnded = true
                noteHandshake(.closed)
            case .failed:
                noteHandshake(.closed)
                return fail(workspace)
            }
        }
        if state == .open, peerHasFinished { finishInput(workspace) }
        if state != .closed { flush(workspace) }
    }

    /// Takes bytes of the client, decrypted where it speaks TLS.
    private func receive(into space: UnsafeMutableRawBufferPointer) -> Socket.Transfer {
        guard let tls else { return Socket.receive(descriptor, into: space) }
        while true {
            switch tls.read(into: space) {
            case .bytes(let count):
                return .bytes(count)
            case .ended: return .ended
            case .failed: return .failed
            case .flooded:
                // Who does not stop gets no last word.
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

    /// Tells of a handshake that has come to nothing; one that is over, and was for a name that the certificate has, is none.
    ///
    /// - Parameter cause: what has happened, where TLS itself says nothing.
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
    private func fail(_ workspace: Workspace) {
        guard let tls, !tls.pending.isEmpty else { return abort() }
        workspace.input.removeAll()
        state = .finishing(.linger)
        flush(workspace)
    }

    /// Finds out from its first bytes what the client speaks.
    func decide(_ workspace: Workspace) {
        let bytes = workspace.input.readable
        if tls == nil, bytes.first == Self.tlsHandshake, let provider = shard.tls {
            return startTLS(provider, workspace)
        }
        if let tls {
            info.tls = tls.version
            if tls.hasAgreed(on: "h2") { return startHTTP2(workspace) }
        }
        // A client that has agreed on HTTP/1.1 speaks that (RFC 7301 §3.2); a preface is then a request that is refused.
        let isHTTP1Agreed = tls?.hasAgreed(on: "http/1.1") ?? false
        switch Preface.judge(bytes, isAllowed: shard.configuration.speaksHTTP2 && !isHTTP1Agreed) {
        case .needsMore: startHeadDeadline()
        case .http2: startHTTP2(workspace)
        case .http1:
            dialect = .http1
            process(workspace)
        }
    }

    private func startTLS(_ provider: TLSProvider, _ workspace: Workspace) {
        guard let context = provider.context, let tls = TLSStream(context) else { return abort() }
        tls.received.append(workspace.input.readable)
        workspace.input.removeAll()
        self.tls = tls
        prepare(workspace)
        startHeadDeadline()
    }

    private func startHTTP2(_ workspace: Workspace) {
        start(
            HTTP2Session(limits: shard.configuration.limits, pool: shard.streams, isSecure: tls != nil), workspace)
    }

    /// Throws away what still comes, so that closing does not reset the connection before the client has read our answer.
    private func discard() {
        guard let workspace else { return abort() }
        while true {
            workspace.input.removeAll()
            switch Socket.receive(descriptor, into: workspace.input.space()) {
            case .bytes(let count):
                discarded += count
                if discarded > Self.lingerLimit { return abort() }
            case .wouldBlock: return
            case .ended, .failed: return abort()
            }
        }
    }
}
