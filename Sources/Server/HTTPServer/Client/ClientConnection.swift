// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection of a client: one request at a time out, its response in.
///
/// It belongs to its loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each piece.
final class ClientConnection: Channel {
    private enum State {
        case connecting
        /// Nothing is asked.
        case idle
        case busy
        case closed
    }

    /// Bytes read in one turn before other connections have theirs. 1 MiB.
    private static let bytesPerTurn = 1024 * 1024
    /// Content with a larger announced length is read into its final memory, not by the buffer. 16 KiB.
    private static let directSize = 16 * 1024
    /// Bytes of content in one piece. 128 KiB.
    private static let pieceSize = 128 * 1024
    /// Where the pieces of a send are listed. 8: a head, a content and the pieces in between.
    private static let sendPieces = 8

    private let pool: ClientPool
    @exclusivity(unchecked) private var state = State.connecting
    @exclusivity(unchecked) private var exchange: ClientExchange?
    @exclusivity(unchecked) private var parser: HTTP1ResponseParser
    private let input = ByteBuffer()
    private let output = OutputQueue()
    private let pieces = UnsafeMutableBufferPointer<iovec>.allocate(capacity: sendPieces)
    /// Whether a request has gone by it before the one at hand.
    @exclusivity(unchecked) private var isReused = false
    /// Whether a byte of the request at hand has gone.
    @exclusivity(unchecked) private var hasSent = false
    /// Whether a byte of its response has come.
    @exclusivity(unchecked) private var hasReceived = false
    @exclusivity(unchecked) private var sendHasFailed = false
    /// The system has reported that the server has ended its side: reading goes on until that end is seen.
    @exclusivity(unchecked) private var endIsNear = false
    /// Since when it has nothing to do.
    @exclusivity(unchecked) private(set) var idleSince: UInt64 = 0
    @exclusivity(unchecked) private var deadline = UInt64.max
    /// When the connection looks at its deadline next.
    @exclusivity(unchecked) private var nextCheck = UInt64.max

    init(_ descriptor: Int32, _ pool: ClientPool, _ loop: EventLoop) {
        self.pool = pool
        parser = HTTP1ResponseParser(maxHead: pool.configuration.maxHead)
        super.init(descriptor: descriptor, loop: loop)
    }

    deinit {
        pieces.deallocate()
    }

    // MARK: Connecting

    func connect(for exchange: ClientExchange, until end: UInt64) {
        self.exchange = exchange
        exchange.connection = self
        expect(by: end)
    }

    private func finishConnecting() {
        guard let exchange else { return }
        let code = ClientAddress.error(of: descriptor)
        guard code == 0 else { return failConnecting(SystemError(call: "connect", code: code)) }
        pool.connected(exchange)
        begin(exchange)
    }

    private func failConnecting(_ failure: SystemError?) {
        guard let exchange else { return }
        self.exchange = nil
        exchange.connection = nil
        state = .closed
        loop.close(self)
        pool.connectFailed(exchange, failure)
    }

    // MARK: A request

    func begin(_ exchange: ClientExchange) {
        isReused = state == .idle
        state = .busy
        self.exchange = exchange
        exchange.connection = self
        hasSent = false
        hasReceived = false
        sendHasFailed = false
        parser.begin(isHead: exchange.isHead)
        output.append(exchange.head)
        output.append(exchange.body)
        touch()
        flush()
    }

    private func flush() {
        while !output.isEmpty {
            let count = output.isSimple ? frontOnly() : output.gather(into: pieces)
            let transfer = Socket.send(
                descriptor, UnsafeMutableBufferPointer(rebasing: pieces[..<count]), hasMore: false)
            switch transfer {
            case .bytes(let count):
                output.sent(count)
                hasSent = true
                touch()
            case .wouldBlock: return
            case .ended, .failed:
                // A response may have come before the server closed: reading shows it.
                sendHasFailed = true
                output.removeAll()
                loop.resume(self)
            }
        }
    }

    /// Lists the next output if that is one run of bytes.
    private func frontOnly() -> Int {
        guard case .run(let bytes) = output.front() else { return 0 }
        pieces[0] = iovec(iov_base: UnsafeMutablePointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return 1
    }

    // MARK: Events

    override func ready(_ event: PollEvent) {
        if event.hasEnded { endIsNear = true }
        switch state {
        case .connecting:
            if event.isWritable || event.hasEnded { finishConnecting() }
            // Data that has come with the connection has an event of its own only if it came later.
            if state == .busy, event.isReadable { read() }
        case .busy:
            if event.isWritable { flush() }
            if event.isReadable { read() }
        case .idle:
            // The server has ended the connection, or sends bytes that nobody asked for.
            if event.isReadable { abandon() }
        case .closed: break
        }
    }

    override func resumed() {
        if state == .busy { read() }
    }

    /// Goes on after reading was held.
    func goOn() {
        touch()
        loop.resume(self)
    }

    override func due(now: UInt64) {
        guard state != .closed, now >= nextCheck else { return }
        nextCheck = .max
        if state == .busy, exchange?.isHeld ?? false { touch() }
        guard now >= deadline else { return check() }
        switch state {
        case .connecting: failConnecting(nil)
        case .busy: exchange?.fail(.idleTimeout)
        case .idle: abandon()
        case .closed: break
        }
    }

    private func touch() {
        expect(by: pool.idleLimit.map { loop.now &+ $0 } ?? .max)
    }

    /// Sets the deadline; the connection checks it then, or earlier if an earlier deadline was set before.
    private func expect(by moment: UInt64) {
        deadline = moment
        check()
    }

    private func check() {
        guard deadline < nextCheck else { return }
        nextCheck = deadline
        loop.schedule(self, at: deadline)
    }

    // MARK: Reading

    private func read() {
        // Input that a hold has left.
        process()
        var total = 0
        reading: while state == .busy, let exchange {
            if exchange.isHeld { return }
            guard total < Self.bytesPerTurn else {
                loop.resume(self)
                break
            }
            let (transfer, isFull) = receive()
            switch transfer {
            case .bytes(let count):
                total += count
                if !isFull, !endIsNear { break reading }
            case .wouldBlock: break reading
            case .ended:
                return end()
            case .failed:
                return lose("the connection was reset by the server")
            }
        }
        if state == .busy { exchange?.delegate?.paused() }
    }

    /// Takes bytes of the response and returns their kind.
    ///
    /// - Returns: also whether there may be more at once.
    private func receive() -> (Socket.Transfer, isFull: Bool) {
        if parser.plainBytes > Self.directSize, input.isEmpty { return receiveContent() }
        let space = input.space()
        let transfer = Socket.receive(descriptor, into: space)
        guard case .bytes(let count) = transfer else { return (transfer, false) }
        input.filled(count)
        hasReceived = true
        touch()
        process()
        if count == space.count { input.growForBulk() }
        return (transfer, count == space.count)
    }

    /// Takes content into its final memory.
    private func receiveContent() -> (Socket.Transfer, isFull: Bool) {
        let size = min(parser.plainBytes, Self.pieceSize)
        var transfer = Socket.Transfer.wouldBlock
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { space, count in
            transfer = Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(space))
            if case .bytes(let received) = transfer { count = received }
        }
        guard !bytes.isEmpty else { return (transfer, false) }
        touch()
        parser.took(bytes.count)
        // A few bytes must not hold the memory of many.
        exchange?.delegate?.received(bytes.count >= size / 2 ? bytes : bytes.withUnsafeBufferPointer { Array($0) })
        process()
        return (transfer, bytes.count == size)
    }

    private func process() {
        while state == .busy, let exchange, !exchange.isHeld {
            switch parser.next(input) {
            case .needsMore: return
            case .head: exchange.delegate?.began(parser.head)
            case .body(let bytes): exchange.delegate?.received(Array(bytes))
            case .end: return complete()
            case .invalid(let fault): return exchange.fail(.fault(fault))
            }
        }
    }

    /// The server has ended its side.
    private func end() {
        guard hasReceived || parser.plainBytes > 0 else { return lose(nil) }
        switch parser.finish() {
        case .end: complete()
        case .invalid(let fault): lose(fault.text)
        default: lose(nil)
        }
    }

    private func complete() {
        guard let exchange else { return }
        let head = parser.head
        let trailers = parser.trailers.map { (Array(head.bytes[$0.name.range]), Array(head.bytes[$0.value.range])) }
        let delegate = exchange.finish()
        self.exchange = nil
        // Bytes after a response are nobody's (RFC 9112 §9.3).
        let lives = parser.keepsAlive && input.isEmpty && output.isEmpty && !endIsNear && !sendHasFailed
        state = .idle
        idleSince = loop.now
        deadline = loop.now &+ ClientConfiguration.keepTime.nanoseconds
        check()
        if !lives || !pool.takeBack(self) { abandon() }
        delegate?.completed(trailers: trailers)
    }

    /// The connection has ended before the response did.
    ///
    /// - Parameter text: the reason, in words; nil if nothing had come.
    private func lose(_ text: String?) {
        guard let exchange else { return abandon() }
        let mayRetry = exchange.isIdempotent || !hasSent
        guard isReused, !hasReceived, mayRetry, !exchange.isRetried else {
            return exchange.fail(hasReceived ? .connectionLost(text ?? "the connection ended") : .noResponse)
        }
        self.exchange = nil
        exchange.connection = nil
        abandon()
        pool.retry(exchange)
    }

    /// Closes, whatever is under way.
    func abandon() {
        guard state != .closed else { return }
        state = .closed
        exchange = nil
        output.removeAll()
        loop.close(self)
        pool.leave(self)
    }
}
