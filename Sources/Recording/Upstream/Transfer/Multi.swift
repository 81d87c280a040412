// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import Dispatch

/// One multi handle of libcurl: its connections, the sockets that are watched for it and its timer.
///
/// `@unchecked Sendable`: everything stored that varies is touched only on `queue`, which is serial. libcurl calls back only out of calls
/// that are made there, and is done with `self` when `close` has returned, before which the engine does not let go of it.
final class Multi: @unchecked Sendable {
    /// How long a socket waits to be watched for when there is no descriptor left. 50 ms.
    private static let descriptorPause = DispatchTimeInterval.milliseconds(50)
    /// Bytes in a row that a connection may bring and that belong to no response, such as a chunk extension without an end. 1 MiB, and the rest
    /// that libcurl reads at once.
    package static let silentLimit = 1024 * 1024

    private let queue: DispatchQueue
    private let ended: (Multi, UnsafeMutableRawPointer, CURLcode) -> Void
    private let saidNothing: (UnsafeMutableRawPointer) -> Void
    private var handle: UnsafeMutableRawPointer?
    private var watches: [curl_socket_t: SocketWatch] = [:]
    /// Counts the bytes in and out of any transfer.
    var progress = 0
    private let mayMultiplex: Bool
    private var running: Int32 = 0
    private var isNudging = false
    /// Whether `act` is to be called soon.
    private var isActing = false
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - version: the protocol that all its connections speak.
    ///   - ended: called with each easy handle that is done, which is still part of the multi handle.
    ///   - saidNothing: called with an easy handle whose connection has brought more than `silentLimit` of nothing.
    init?(
        _ version: UpstreamProtocol, _ configuration: UpstreamConfiguration, queue: DispatchQueue,
        ended: @escaping (Multi, UnsafeMutableRawPointer, CURLcode) -> Void,
        saidNothing: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
        guard let handle = ccurl_multi_init() else { return nil }
        self.handle = handle
        self.queue = queue
        mayMultiplex = version != .http1
        self.ended = ended
        self.saidNothing = saidNothing
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.act() }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_multi_set_socket(handle, socketCallback, context)
        _ = ccurl_multi_set_timer(handle, timerCallback, context)
        _ = ccurl_multi_set_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = ccurl_multi_set_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
        _ = ccurl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
    }

    /// Begins a transfer.
    ///
    /// - Returns: libcurl's words if it cannot be.
    func add(_ easy: UnsafeMutableRawPointer) -> String? {
        let code = ccurl_multi_add(handle, easy)
        return code == CURLM_OK ? nil : String(cString: ccurl_multi_strerror(code))
    }

    /// Ends a transfer, done or not; not to be called out of a callback.
    func remove(_ easy: UnsafeMutableRawPointer) {
        _ = ccurl_multi_remove(handle, easy)
    }

    /// Lets libcurl do the work that is due, for a socket that is ready or by its timer.
    func act(_ socket: curl_socket_t = -1, _ events: Int32 = 0) {
        guard handle != nil else { return }
        _ = ccurl_multi_socket_action(handle, socket, events, &running)
        readResults()
        if mayMultiplex { nudge() }
    }

    /// The same for a socket that can be read or written; libcurl reports no bytes but those of heads and contents.
    private func actCounting(_ socket: curl_socket_t, _ events: Int32) {
        act(socket, events)
        guard let watch = watches[socket], events == CURL_CSELECT_IN else { return }
        let read = Int(ccurl_socket_count_read(socket))
        if progress != watch.seenProgress {
            watch.seenProgress = progress
            watch.readAtProgress = read
        } else if read - watch.readAtProgress > Self.silentLimit, let easy = watch.easy {
            saidNothing(easy)
        }
    }

    private func readResults() {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        // The end of the last transfer may close the handle.
        while handle != nil, ccurl_multi_next_done(handle, &easy, &code) != 0 {
            if let easy { ended(self, easy, code) }
        }
    }

    /// Makes libcurl look at its connections once more, as long as that brings something.
    ///
    /// libcurl 7.88 lets the data that it has read for one stream of a connection lie while another is held up or sends, until the socket has more or
    /// a timer fires.
    private func nudge() {
        guard running > 0, !isNudging else { return }
        isNudging = true
        queue.async { [weak self] in
            guard let self else { return }
            isNudging = false
            let before = progress
            for socket in watches.keys where handle != nil {
                _ = ccurl_multi_socket_action(handle, socket, CURL_CSELECT_IN | CURL_CSELECT_OUT, &running)
            }
            readResults()
            if progress != before { nudge() }
        }
    }

    /// Closes the connections; there are no transfers any more.
    func close() {
        guard let handle else { return }
        timer.cancel()
        _ = ccurl_multi_cleanup(handle)
        self.handle = nil
        watches = [:]
    }

    fileprivate func watch(_ socket: curl_socket_t, _ wanted: Int32, for easy: UnsafeMutableRawPointer?) {
        guard wanted != CURL_POLL_REMOVE else {
            watches[socket] = nil
            return
        }
        let watch =
            watches[socket]
            ?? SocketWatch(socket, queue: queue) { [weak self] socket, events in self?.actCounting(socket, events) }
        watches[socket] = watch
        watch.wanted = wanted
        watch.easy = easy
        refresh(socket)
    }

    private func refresh(_ socket: curl_socket_t) {
        guard let watch = watches[socket], !watch.refresh() else { return }
        queue.asyncAfter(deadline: .now() + Self.descriptorPause) { [weak self] in self?.refresh(socket) }
    }

    fileprivate func arm(_ milliseconds: Int) {
        // At each new transfer libcurl asks to be called at once, but not out of this call: no timer is needed for that.
        if milliseconds == 0 {
            guard !isActing else { return }
            isActing = true
            return queue.async { [weak self] in
                guard let self else { return }
                isActing = false
                act()
            }
        }
        timer.schedule(deadline: milliseconds < 0 ? .distantFuture : .now() + .milliseconds(milliseconds))
    }
}

private let socketCallback: curl_socket_callback = { easy, socket, wanted, context, _ in
    guard let context else { return 0 }
    Unmanaged<Multi>.fromOpaque(context).takeUnretainedValue().watch(socket, wanted, for: easy)
    return 0
}

private let timerCallback: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<Multi>.fromOpaque(context).takeUnretainedValue().arm(milliseconds)
    return 0
}
