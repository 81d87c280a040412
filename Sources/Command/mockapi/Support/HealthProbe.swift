// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One request for the health of a server, over a blocking socket, that ends in time.
struct HealthProbe {
    let url: ServerURL
    let timeout: TimeSpan

    /// Why a server does not count as healthy.
    enum Failure: Error, CustomStringConvertible {
        case unknownHost(String)
        case system(SystemError)
        case tooLate(TimeSpan)
        case closed
        case notHTTP
        case status(String)

        var description: String {
            switch self {
            case .unknownHost(let reason): "its name cannot be resolved: \(reason)"
            case .system(let error): error.description
            case .tooLate(let timeout): "no response came within \(timeout)"
            case .closed: "it closed the connection without a response"
            case .notHTTP: "the program that listens there does not speak HTTP/1.1"
            case .status(let status): "its response is \(status)"
            }
        }
    }

    /// Asks once.
    func run() throws(Failure) {
        // A server that has gone while the request is written is an error, not the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let deadline = ContinuousClock.now + timeout.duration
        let descriptor = try connect(before: deadline)
        defer { _ = close(descriptor) }
        try send("GET /__admin/health HTTP/1.1\r\nHost: \(url.authority)\r\nConnection: close\r\n\r\n", to: descriptor)
        let words = try statusLine(from: descriptor, before: deadline).split(ascii: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1.") else { throw .notHTTP }
        guard words[1] == "200" else { throw .status(String(words[1])) }
    }

    /// A connection to the first of the host's addresses that takes one.
    private func connect(before deadline: ContinuousClock.Instant) throws(Failure) -> Int32 {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(url.host, String(url.port), &hints, &list)
        guard result == 0 else { throw .unknownHost(String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        var failure = Failure.unknownHost("it has no address")
        var next = list
        while let info = next?.pointee {
            do throws(Failure) {
                return try connect(to: info, before: deadline)
            } catch {
                failure = error
            }
            next = info.ai_next
        }
        throw failure
    }

    private func connect(to info: addrinfo, before deadline: ContinuousClock.Instant) throws(Failure) -> Int32 {
        let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        guard descriptor >= 0 else { throw failure(of: "socket") }
        do throws(Failure) {
            // Linux bounds the connecting by the time for sending too.
            try limit(SO_SNDTIMEO, of: descriptor, to: deadline)
            guard systemConnect(descriptor, info) == 0 else { throw failure(of: "connect") }
        } catch {
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    private func send(_ text: String, to descriptor: Int32) throws(Failure) {
        // It is shorter than the buffer of any socket: one call takes it whole.
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw failure(of: "send") }
    }

    private func statusLine(
        from descriptor: Int32, before deadline: ContinuousClock.Instant
    ) throws(Failure) -> String {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while line.count < 1024 {
            try limit(SO_RCVTIMEO, of: descriptor, to: deadline)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw failure(of: "recv") }
            guard count > 0 else { throw .closed }
            line += buffer[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: line[..<end], as: UTF8.self)
            }
        }
        throw .notHTTP
    }

    /// Ends the calls on a socket at the deadline.
    private func limit(
        _ option: Int32, of descriptor: Int32, to deadline: ContinuousClock.Instant
    ) throws(Failure) {
        let (seconds, attoseconds) = (deadline - .now).components
        let microseconds = attoseconds / 1_000_000_000_000
        // Zero would mean for ever.
        guard seconds > 0 || microseconds > 0 else { throw .tooLate(timeout) }
        var value = timeval(tv_sec: .init(seconds), tv_usec: .init(microseconds))
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The failure of the last call: a time limit that passed has one of three errors.
    private func failure(of call: String) -> Failure {
        switch errno {
        case EAGAIN, EINPROGRESS, ETIMEDOUT: .tooLate(timeout)
        default: .system(SystemError(call: call, code: errno))
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ info: addrinfo) -> Int32 {
    connect(descriptor, info.ai_addr, info.ai_addrlen)
}
