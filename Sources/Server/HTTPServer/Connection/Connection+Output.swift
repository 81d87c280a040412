// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Connection {
    /// Bytes sent in one turn before other connections have theirs. 1 MiB.
    private static let sentPerTurn = 1024 * 1024

    /// Whether anything waits to be sent.
    func hasPending(_ buffers: RequestBuffers) -> Bool {
        !buffers.output.isEmpty || tls.map { !$0.pending.isEmpty } ?? false
    }

    /// Sends the waiting bytes, as far as the client takes them, and goes on with the rest.
    func flush(_ buffers: RequestBuffers) {
        var total = 0
        while state != .closed {
            let transfer: Socket.Transfer
            if let tls {
                if tls.pending.isEmpty, !encrypt(buffers, tls) {
                    if refill(buffers) { continue }
                    return sentAll(buffers)
                }
                transfer = Socket.send(descriptor, tls.pending.readable, hasMore: false)
            } else {
                guard !buffers.output.isEmpty || refill(buffers) else { return sentAll(buffers) }
                transfer = sendFront(buffers.output)
            }
            switch transfer {
            case .bytes(let count):
                if let tls { tls.sent(count) } else { buffers.output.sent(count) }
                total += count
                touch()
                if total >= Self.sentPerTurn, hasPending(buffers) || isResponding { return loop.resume(self) }
            case .wouldBlock:
                return
            // A file that has become shorter cannot provide the length that its Content-Length promised.
            case .ended, .failed:
                return abort()
            }
        }
    }

    private func sendFront(_ output: OutputQueue) -> Socket.Transfer {
        guard output.isSimple else {
            let count = output.gather(into: shard.pieces)
            let pieces = UnsafeMutableBufferPointer(rebasing: shard.pieces[..<count])
            let size = pieces.reduce(0) { $0 + Int($1.iov_len) }
            return Socket.send(descriptor, pieces, hasMore: size < output.count)
        }
        return switch output.front() {
        case .nothing: .wouldBlock
        case .run(let bytes): Socket.send(descriptor, bytes, hasMore: output.hasMoreBehindFront)
        case .bytes(let bytes, let range):
            bytes.withUnsafeBufferPointer {
                Socket.send(descriptor, UnsafeBufferPointer(rebasing: $0[range]), hasMore: output.hasMoreBehindFront)
            }
        case .file(let file, let range): Socket.sendFile(descriptor, file.descriptor, range.prefix(Self.sentPerTurn))
        }
    }

    /// Makes records of the waiting bytes.
    ///
    /// - Returns: whether there is something to send.
    private func encrypt(_ buffers: RequestBuffers, _ tls: TLSStream) -> Bool {
        while tls.pending.count < ServerConfiguration.recordBatch {
            guard let count = encryptFront(buffers.output, tls) else {
                abort()
                return false
            }
            if count == 0 { break }
            buffers.output.sent(count)
        }
        return !tls.pending.isEmpty
    }

    /// Encrypts some of the queue's front; nil if a file cannot be read or TLS has failed.
    private func encryptFront(_ output: OutputQueue, _ tls: TLSStream) -> Int? {
        let limit = ServerConfiguration.recordBatch
        switch output.front() {
        case .nothing: return 0
        case .run(let bytes):
            let count = min(bytes.count, limit)
            return tls.write(UnsafeBufferPointer(rebasing: bytes[..<count])) ? count : nil
        case .bytes(let bytes, let range):
            let count = min(range.count, limit)
            return bytes.withUnsafeBufferPointer {
                tls.write(UnsafeBufferPointer(rebasing: $0[range.lowerBound..<range.lowerBound + count])) ? count : nil
            }
        case .file(let file, let range):
            let space = shard.fileSpace
            let read = file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: space[..<min(range.count, space.count)]),
                at: range.lowerBound)
            guard read > 0 else { return nil }
            return tls.write(UnsafeBufferPointer(rebasing: space.bindMemory(to: UInt8.self)[..<read])) ? read : nil
        }
    }

    private func sentAll(_ buffers: RequestBuffers) {
        switch state {
        case .open:
            let isResponding = buffers.http1.isResponding
            if hasUnread, !isResponding {
                hasUnread = false
                loop.resume(self)
            } else if let http2 {
                if http2.isFinished || peerHasFinished && !http2.isPacing && !http2.awaitsProducer {
                    closeInOrder(.close)
                } else {
                    release(buffers)
                }
            } else if peerHasFinished || shard.isStopping, buffers.http1.isIdle {
                closeInOrder(.close)
            } else {
                release(buffers)
            }
        case .finishing(.linger) where !peerHasFinished: linger(buffers)
        case .finishing(let ending): closeInOrder(ending)
        case .lingering, .closed: break
        }
    }

    /// Ends our side, and reads the client's remaining bytes until it has had time to read the last response.
    private func linger(_ buffers: RequestBuffers) {
        finishTLS()
        Socket.finishSending(descriptor)
        state = .lingering
        deadlines.putOff(to: loop.now + shard.lingerTimeout)
        check(at: deadlines.deadline)
        buffers.input.removeAll()
        read()
    }
}
