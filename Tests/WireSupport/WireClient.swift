// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One connection to a server on 127.0.0.1, with blocking calls.
package final class WireClient {
    /// How long a call waits for the server. 90 seconds.
    package static let patience = 90

    let descriptor: Int32
    private var input: [UInt8] = []
    private var isOpen = true
    /// Whether the server has reset the connection.
    package private(set) var wasReset = false

    /// Raises the descriptor limit to what the system allows: tests hold hundreds of connections at once.
    private static let raisedLimit: Bool = {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return false }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_240))
        return setrlimit(resource, &limit) == 0
    }()

    /// - Parameter host: the last number of the address, 127.0.0.1 unless told otherwise: a port of another address is nobody else's.
    package init(port: Int, host: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
        try BlockingThreads.check()
        _ = Self.raisedLimit
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw WireError.system(call: "socket", code: errno) }
        // A command that another test starts at this moment must not hold this connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: .init(Self.patience), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (in_addr_t(0x7F00_0000) + in_addr_t(host)).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            _ = systemClose(descriptor)
            isOpen = false
            throw WireError.system(call: "connect", code: code)
        }
    }

    deinit {
        close()
    }

    package func close() {
        if isOpen { _ = systemClose(descriptor) }
        isOpen = false
    }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        try BlockingThreads.check()
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { systemSend(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            guard count > 0 else { throw WireError.system(call: "send", code: errno) }
            sent += count
        }
    }

    /// The next response on this connection, without those of status 1xx.
    ///
    /// - Parameter isHead: whether it answers HEAD and so has no content.
    package func response(isHead: Bool = false) throws -> WireResponse {
        while true {
            let response = try readResponse(isHead: isHead)
            if response.status >= 200 { return response }
        }
    }

    /// Everything that comes until the server closes.
    package func remainder() throws -> [UInt8] {
        while try receive() {}
        defer { input.removeAll() }
        return input
    }

    /// What comes next, at least a byte; nil where the server has closed.
    package func some() throws -> [UInt8]? {
        if input.isEmpty, try !receive() { return nil }
        defer { input.removeAll() }
        return input
    }

    /// The next line, without its end.
    package func line() throws -> String {
        try readLine()
    }

    private func readResponse(isHead: Bool) throws -> WireResponse {
        var response = WireResponse()
        let line = try readLine()
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, let status = Int(words[1]) else { throw WireError.malformed(line) }
        response.version = String(words[0])
        response.status = status
        response.reason = String(words[2])
        response.fields = try readFields()
        if isHead || status < 200 || status == 204 || status == 304 { return response }
        if response["Transfer-Encoding"] == "chunked" {
            while let size = Int(try readLine(), radix: 16), size > 0 {
                response.body += try read(size)
                guard try readLine().isEmpty else { throw WireError.malformed("a chunk longer than its size") }
            }
            response.trailers = try readFields()
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try read(length)
        } else {
            response.body = try remainder()
        }
        return response
    }

    private func readFields() throws -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        while true {
            let line = try readLine()
            if line.isEmpty { return fields }
            guard let colon = line.firstIndex(of: ":") else { throw WireError.malformed(line) }
            fields.append((String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " })))
        }
    }

    private func readLine() throws -> String {
        while true {
            if let end = input.firstIndex(of: 10) {
                guard end > 0, input[end - 1] == 13 else { throw WireError.malformed("a line without CR") }
                defer { input.removeFirst(end + 1) }
                return String(decoding: input[..<(end - 1)], as: UTF8.self)
            }
            guard try receive() else { throw WireError.closedEarly(input) }
        }
    }

    /// The next bytes, so many.
    package func read(_ count: Int) throws -> [UInt8] {
        while input.count < count {
            guard try receive() else { throw WireError.closedEarly(input) }
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// - Returns: false where the server has closed.
    private func receive() throws -> Bool {
        try BlockingThreads.check()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { input += buffer[..<count] }
        if count < 0, errno == EAGAIN { throw WireError.silent }
        if count < 0, errno == ECONNRESET { wasReset = true }
        if count < 0, errno != ECONNRESET { throw WireError.system(call: "recv", code: errno) }
        return count > 0
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
}
