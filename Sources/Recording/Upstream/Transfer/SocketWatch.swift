// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reports when a socket of libcurl's can be read or written.
///
/// Each Dispatch source has a descriptor of its own for the same socket: libcurl closes its one in the very call that ends the watch, and
/// the number may be another socket's before Dispatch has let go of it.
final class SocketWatch {
    private let socket: curl_socket_t
    private let queue: DispatchQueue
    private let ready: @Sendable (curl_socket_t, Int32) -> Void
    /// libcurl's word: CURL_POLL_NONE, CURL_POLL_IN, CURL_POLL_OUT or CURL_POLL_INOUT.
    var wanted = CURL_POLL_NONE
    /// The transfer that libcurl watches it for.
    var easy: UnsafeMutableRawPointer?
    /// The progress of all transfers when it was last read (`Multi.progress`), and the bytes that had been read of it then.
    var seenProgress = 0
    var readAtProgress = 0
    private var read: (any DispatchSourceRead)?
    private var write: (any DispatchSourceWrite)?

    /// - Parameter ready: called on the queue with the socket and CURL_CSELECT_IN or CURL_CSELECT_OUT.
    init(_ socket: curl_socket_t, queue: DispatchQueue, ready: @escaping @Sendable (curl_socket_t, Int32) -> Void) {
        self.socket = socket
        self.queue = queue
        self.ready = ready
    }

    deinit {
        read?.cancel()
        write?.cancel()
    }

    /// Begins and ends the watches as wanted.
    ///
    /// - Returns: false if the process has no descriptor left; it is to be called again.
    func refresh() -> Bool {
        let wantsRead = wanted == CURL_POLL_IN || wanted == CURL_POLL_INOUT
        let wantsWrite = wanted == CURL_POLL_OUT || wanted == CURL_POLL_INOUT
        if !wantsRead {
            read?.cancel()
            read = nil
        } else if read == nil {
            guard let descriptor = duplicate() else { return false }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            start(source, descriptor, CURL_CSELECT_IN)
            read = source
        }
        if !wantsWrite {
            write?.cancel()
            write = nil
        } else if write == nil {
            guard let descriptor = duplicate() else { return false }
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            start(source, descriptor, CURL_CSELECT_OUT)
            write = source
        }
        return true
    }

    private func duplicate() -> Int32? {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        return descriptor < 0 ? nil : descriptor
    }

    private func start(_ source: any DispatchSourceProtocol, _ descriptor: Int32, _ event: Int32) {
        source.setEventHandler { [ready, socket] in ready(socket, event) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }
}
