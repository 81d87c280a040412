// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server's end of one connection, with blocking calls; used by one thread at a time.
package final class RawPeer {
    private let descriptor: Int32
    private var input: [UInt8] = []

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setPatience(seconds: WireClient.patience, SO_RCVTIMEO)
        setPatience(seconds: WireClient.patience, SO_SNDTIMEO)
    }

    deinit {
        close(descriptor)
    }

    private func setPatience(seconds: Int = 0, microseconds: Int = 0, _ option: Int32) {
        var limit = timeval(tv_sec: .init(seconds), tv_usec: .init(microseconds))
        setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        guard try sendSome(bytes) == bytes.count else { throw WireError.silent }
    }

    /// Sends until nothing was taken for some time.
    ///
    /// - Returns: how many bytes were sent.
    package func sendUntilHeldUp(_ bytes: [UInt8], microseconds: Int = 300_000) throws -> Int {
        setPatience(seconds: microseconds / 1_000_000, microseconds: microseconds % 1_000_000, SO_SNDTIMEO)
        defer { setPatience(seconds: WireClient.patience, SO_SNDTIMEO) }
        return try sendSome(bytes)
    }

    private func sendSome(_ bytes: [UInt8]) throws -> Int {
        try BlockingThreads.check()
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { systemSend(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            if count < 0, errno == EAGAIN { return sent }
            guard count > 0 else { throw WireError.system(call: "send", code: errno) }
            sent += count
        }
        return sent
    }

    /// The lines of the next head, the request line first.
    package func head() throws -> [String] {
        var lines: [String] = []
        while case let line = try line(), !line.isEmpty { lines.append(line) }
        return lines
    }

    package func line() throws -> String {
        String(decoding: try rawLine(), as: UTF8.self)
    }

    /// The next line, without its end.
    package func rawLine() throws -> [UInt8] {
        while true {
            if let end = input.firstIndex(of: 10) {
                defer { input.removeFirst(end + 1) }
                return Array(input[..<max(0, end - 1)])
            }
            guard try receive() else { throw WireError.closedEarly(input) }
        }
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while input.count < count {
            guard try receive() else { throw WireError.closedEarly(input) }
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// Everything that comes until the client closes.
    package func remainder() throws -> [UInt8] {
        while try receive() {}
        return input
    }

    private func receive() throws -> Bool {
        try BlockingThreads.check()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { input += buffer[..<count] }
        if count < 0, errno == EAGAIN { throw WireError.silent }
        if count < 0, errno != ECONNRESET { throw WireError.system(call: "recv", code: errno) }
        return count > 0
    }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
}
