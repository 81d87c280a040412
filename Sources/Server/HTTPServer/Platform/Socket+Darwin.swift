// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO

#if canImport(Darwin)
    import Darwin

    extension Socket {
        /// Takes the next connection that waits, not blocking; nil if none does.
        ///
        /// - Throws: `SystemError` if the process has no descriptor left, among others.
        static func accept(_ listener: Int32) throws(SystemError) -> (descriptor: Int32, peer: SocketAddress)? {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            while true {
                let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Darwin.accept(listener, $0, &length) }
                }
                if descriptor >= 0 {
                    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
                    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
                    ignorePipeSignal(descriptor)
                    return (descriptor, SocketAddress(storage))
                }
                if try isLastOfBatch() { return nil }
            }
        }

        static func systemSend(_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, hasMore: Bool) -> Int {
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        }

        static func systemSend(_ descriptor: Int32, _ message: inout msghdr, hasMore: Bool) -> Int {
            sendmsg(descriptor, &message, 0)
        }

        static func ignorePipeSignal(_ descriptor: Int32) {
            setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        }

        /// Sends a part of a file without bringing it into the process.
        static func sendFile(_ descriptor: Int32, _ file: Int32, _ range: Range<Int>) -> Transfer {
            uninterrupted {
                var length = off_t(range.count)
                let result = sendfile(file, descriptor, off_t(range.lowerBound), &length, nil, 0)
                // A call that would block may have sent a part.
                return length > 0 ? Int(length) : Int(result)
            }
        }
    }
#endif
