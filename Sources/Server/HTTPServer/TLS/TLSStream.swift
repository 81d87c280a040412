// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire

/// The server's side of TLS on one connection, without socket: incoming bytes are put into `received`, outgoing bytes are in `pending`.
///
/// It limits how much a client may ask of TLS itself; the handshake and the records are its engine's.
final class TLSStream {
    /// The result of a read of plain text.
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

        fileprivate var hasContent: Bool {
            if case .bytes = self { true } else { false }
        }
    }

    /// Records that are taken in one turn before other connections have theirs. 256.
    static let recordsPerTurn = 256
    /// Records in a row without content, after the handshake, such as those of KeyUpdate (RFC 8446 §4.6.3); a client that sends more is
    /// dropped. 100.
    static let recordsWithoutContent = 100
    /// Bytes of responses to these that wait until the client takes them; a client with more is dropped. 64 KiB.
    static let maxReplies = 64 * 1024

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
    private var replies = 0
    private let engine: TLSEngine

    init?(_ context: TLSContext) {
        guard let engine = TLSEngine(context) else { return nil }
        self.engine = engine
        self.engine.attach(to: self)
    }

    /// Whether the handshake is not yet over; later messages of TLS do not count as one.
    private(set) var isHandshaking = true
    /// Whether its failure has been reported.
    var isTold = false
    /// Why the handshake failed; nil if it has not, or the client only went away.
    private(set) var failure: HandshakeFailure.Cause?

    /// Whether a protocol has been agreed on by ALPN (RFC 7301).
    func hasAgreed(on name: StaticString) -> Bool { engine.hasAgreed(on: name) }

    var version: TLSVersion { engine.version }

    /// The name that the client asked for (RFC 6066 §3).
    var serverName: String? { engine.serverName }

    /// Whether the certificate that the client was shown names the host that it asked for, or it asked for none.
    var hasServedName: Bool { engine.hasServedName }

    /// Begins a turn: as many records may be taken as one has.
    func beginTurn() {
        turnBytes = 0
        turnRecords = 0
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> Outcome {
        let waiting = pending.count
        let outcome = engine.read(into: space)
        // A handshake has bounds of its own: OpenSSL's, and the time for a head.
        if isHandshaking || outcome.hasContent { withoutContent = 0 }
        if isHandshaking { isHandshaking = engine.isHandshaking } else { replies += pending.count - waiting }
        if withoutContent > Self.recordsWithoutContent || replies > Self.maxReplies { return .flooded }
        switch outcome {
        case .needsMore where turnRecords >= Self.recordsPerTurn: return .turnIsOver
        case .failed where isHandshaking: failure = engine.failure ?? failure
        default: break
        }
        return outcome
    }

    /// Encrypts bytes; all of them, since the buffer grows.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { engine.write(bytes) }

    /// Says how many of the pending bytes have been sent.
    func sent(_ count: Int) {
        pending.consume(count)
        if pending.isEmpty {
            pending.removeAll()
            replies = 0
        }
    }

    /// Says to the client that nothing more comes (RFC 8446 §6.1).
    func finish() { engine.finish() }

    /// Gives the engine bytes that have come; none if the turn is over.
    ///
    /// - Parameter asked: the length of a record's head, or the length that a head says: a head counts as its record.
    /// - Returns: how many there were of them.
    func take(_ asked: Int, into target: UnsafeMutableRawPointer) -> Int {
        let count = min(asked, received.count)
        let isHead = asked == Self.recordHead
        guard count > 0, !isHead || mayTakeRecord, let source = received.readable.baseAddress else { return 0 }
        if isHead {
            turnRecords += 1
            withoutContent += 1
        }
        target.copyMemory(from: source, byteCount: count)
        received.consume(count)
        return count
    }

    private var mayTakeRecord: Bool {
        turnRecords < Self.recordsPerTurn && withoutContent <= Self.recordsWithoutContent
    }
}
