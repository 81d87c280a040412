// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import Dispatch
import MockapiHTTPSyntax

/// One request on its way, and its response so far.
///
/// `@unchecked Sendable`: everything stored that varies is touched only on the engine's queue, which is serial: by the engine, by libcurl's
/// callbacks, which come out of calls made there, and by blocks that are sent there.
final class Transfer: @unchecked Sendable {
    typealias Taker = CheckedContinuation<Result<[UInt8]?, UpstreamError>, Never>

    enum Ending {
        /// Ended by libcurl, well or not.
        case done(CURLcode)
        case failed(UpstreamError)
        case cancelled(String)
    }

    let request: UpstreamRequest
    let configuration: UpstreamConfiguration
    let isStreaming: Bool
    let timeouts: UpstreamTimeouts

    // The waiters.
    var collector: CheckedContinuation<Result<UpstreamResponse, UpstreamError>, Never>?
    var headWaiter: CheckedContinuation<Result<[UpstreamHead], UpstreamError>, Never>?
    private var taker: Taker?

    // The state that is tied to libcurl, from `open` to `close`.
    private(set) var easy: UnsafeMutableRawPointer?
    private(set) var multi: Multi?
    private(set) var engine: Engine?
    private var memory: TransferMemory?
    private var idle: IdleTimer?
    private(set) var way = ConnectionWay.any
    /// How often libcurl has found a connection to send it on.
    var attempts = 0
    private var isSentAgain = false
    var addresses = JudgedAddresses()
    /// Whether others wait for the connection it makes.
    var isLeading = false
    private var startedAt: UInt64 = 0

    // The progress of sending and receiving.
    var source: ContentSource?
    var assembler = ResponseAssembler()
    /// The content: all of it, or the part that waits for the taker.
    var content: [UInt8] = []
    /// Why a callback has made libcurl give up.
    var failure: UpstreamError?
    var isReceivingPaused = false
    var isSendingPaused = false
    private var pull: Task<Void, Never>?
    private var result: Result<UpstreamEnding, UpstreamError>?

    init(_ request: UpstreamRequest, _ configuration: UpstreamConfiguration, isStreaming: Bool) {
        self.request = request
        self.configuration = configuration
        self.isStreaming = isStreaming
        timeouts = request.timeouts ?? configuration.timeouts
    }

    var hasEnded: Bool { result != nil }
    var ending: UpstreamEnding? { try? result?.get() }
    /// The error that ended it, if any.
    var reason: UpstreamError? {
        guard case .failure(let error)? = result else { return nil }
        return error
    }
    /// Whether a new connection was needed and not allowed.
    var wasRefused: Bool { memory.map { $0.refused.pointee == 1 } ?? false }
    /// Scheme and authority of the URL.
    var origin: String {
        request.url.split(ascii: "/", maxSplits: 2).prefix(2).joined(separator: "//").lowercased()
    }

    func error(_ kind: UpstreamError.Kind, _ text: String) -> UpstreamError {
        UpstreamError(kind, url: request.url, text)
    }
}

// From the beginning to the end.
extension Transfer {
    /// Takes over an easy handle and sets its options.
    func open(
        _ easy: UnsafeMutableRawPointer, on engine: Engine, _ multi: Multi, _ way: ConnectionWay
    ) throws(UpstreamError) {
        self.way = way
        self.easy = easy
        self.engine = engine
        self.multi = multi
        attempts = 0
        addresses = JudgedAddresses()
        source = ContentSource(request.body)
        assembler = ResponseAssembler()
        if startedAt == 0 { startedAt = DispatchTime.now().uptimeNanoseconds }
        let memory = TransferMemory()
        self.memory = memory
        try setOptions(easy, memory)
        setCallbacks(easy)
        guard let limit = timeouts.idle else { return }
        let isHeld = { [weak self] in self.map { $0.isReceivingPaused || $0.pull != nil } ?? false }
        idle = IdleTimer(limit, queue: engine.queue, isHeld: isHeld) { [weak self] in
            guard let self, let engine = self.engine else { return }
            let text = "no byte was received or sent for \(limit); \(UpstreamError.remedy(.idle))"
            engine.end(self, .failed(self.error(.timeout(.idle), text)))
        }
    }

    /// A byte came or went.
    func touch() {
        idle?.touch()
        multi?.progress &+= 1
    }

    /// Sets the end; libcurl still has the transfer.
    func settle(_ ending: Ending) {
        switch ending {
        case .failed(let error): result = .failure(error)
        case .cancelled(let text): result = .failure(error(.cancelled, text))
        case .done(let code): result = settled(code)
        }
    }

    private func settled(_ code: CURLcode) -> Result<UpstreamEnding, UpstreamError> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK, let easy else { return .failure(curlError(code)) }
        guard assembler.finish() else {
            guard assembler.isCut else { return .failure(curlError(CURLE_GOT_NOTHING)) }
            let text = "the response's head was cut before its end; send the request again"
            return .failure(UpstreamError(.protocol, .connectionLost, url: request.url, text))
        }
        let microseconds = ccurl_easy_get_offset(easy, CURLINFO_TOTAL_TIME_T)
        let info = UpstreamInfo(
            address: ccurl_easy_get_string(easy, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? "",
            port: ccurl_easy_get_long(easy, CURLINFO_PRIMARY_PORT),
            newConnections: ccurl_easy_get_long(easy, CURLINFO_NUM_CONNECTS), duration: .microseconds(microseconds))
        return .success(UpstreamEnding(trailers: assembler.trailers, info: info))
    }

    /// Whether a connection of HTTP/2 has ended under a request that has no response and may be sent again; true once.
    ///
    /// libcurl does not say which streams a GOAWAY covers, so that only idempotent requests are sent again.
    func isGivenUp(_ code: CURLcode) -> Bool {
        guard code == CURLE_HTTP2, failure == nil, !isSentAgain, isIdempotent, source?.canRestart ?? true,
            assembler.heads.isEmpty
        else { return false }
        isSentAgain = true
        return true
    }

    private func curlError(_ code: CURLcode) -> UpstreamError {
        let detail = memory?.message ?? ""
        if code == CURLE_COULDNT_CONNECT, let denial = addresses.denial { return request.denied(denial) }
        if code == CURLE_OUT_OF_MEMORY, !assembler.isFinal {
            return error(.tooLarge, "a line of the response's head is longer than libcurl takes; ask for shorter ones")
        }
        let elapsed = DispatchTime.now().uptimeNanoseconds - startedAt
        let isWhole = timeouts.whole.map { elapsed >= UInt64(max(0, $0.milliseconds)) * 1_000_000 } ?? false
        return UpstreamError(code, detail, url: request.url, timeout: isWhole ? .whole : .connect)
    }

    /// Gives back the objects that libcurl had, which is done with it.
    func close() {
        idle?.cancel()
        pull?.cancel()
        if let easy { ccurl_easy_cleanup(easy) }
        (easy, multi, engine, memory, idle, pull) = (nil, nil, nil, nil, nil, nil)
    }

    /// Lets go of the content that waits for a taker.
    func discard() {
        content = []
    }

    /// Reports to the task that waits for the end.
    func report() {
        guard let result else { return }
        switch result {
        case .failure(let error):
            collector?.resume(returning: .failure(error))
            headWaiter?.resume(returning: .failure(error))
        case .success(let ending):
            if let head = assembler.heads.last {
                collector?.resume(
                    returning: .success(
                        UpstreamResponse(
                            head: head, interim: assembler.heads.dropLast(), body: content, trailers: ending.trailers,
                            info: ending.info)))
            }
            headWaiter?.resume(returning: .success(assembler.heads))
        }
        collector = nil
        headWaiter = nil
        if let taker {
            self.taker = nil
            take(taker)
        }
    }
}

// The two sides that may have to wait.
extension Transfer {
    /// Hands out the content that is there, or the end, or keeps the taker until something comes.
    func take(_ taker: Taker) {
        self.taker?.resume(returning: .success(nil))
        self.taker = nil
        if !content.isEmpty {
            let chunk = content
            content = []
            taker.resume(returning: .success(chunk))
            if isReceivingPaused {
                isReceivingPaused = false
                proceed()
            }
        } else if let result {
            taker.resume(returning: result.map { _ in nil })
        } else {
            self.taker = taker
        }
    }

    /// Hands a chunk to the taker that waits for one.
    ///
    /// - Returns: false if there is none.
    func give(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let taker else { return false }
        self.taker = nil
        taker.resume(returning: .success(Array(bytes)))
        return true
    }

    /// Asks the source of the content for its next chunk.
    func pullContent() {
        guard pull == nil, let engine, case .chunks(_, let next) = request.body else { return }
        pull = Task {
            let result: Result<[UInt8]?, any Error>
            do {
                result = .success(try await next())
            } catch {
                result = .failure(error)
            }
            engine.queue.async { self.supply(result) }
        }
    }

    private func supply(_ next: Result<[UInt8]?, any Error>) {
        guard !hasEnded, let engine else { return }
        pull = nil
        switch next {
        case .success(let chunk):
            source?.supply(chunk)
            isSendingPaused = false
            proceed()
        case .failure(let reason):
            engine.end(self, .failed(error(.requestBody, "the source of the content failed: \(reason); mend it")))
        }
    }

    /// Tells libcurl which side is to wait from now on, and lets it go on with the other.
    private func proceed() {
        guard let easy, let multi else { return }
        idle?.touch()
        let mask = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
        _ = ccurl_easy_pause(easy, mask)
        multi.act()
    }
}
