// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO

#if os(Linux)
    import CMockapiPlatform
    import Glibc

    extension Socket {
        /// Takes the next connection that waits, not blocking; nil if none does.
        ///
        /// - Throws: `SystemError` if the process has no descriptor left, among others.
        static func accept(_ listener: Int32) throws(SystemError) -> (descriptor: Int32, peer: SocketAddress)? {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            while true {
                let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        cplatform_accept(listener, $0, &length)
                    }
                }
                if descriptor >= 0 { return (descriptor, SocketAddress(storage)) }
                if try isLastOfBatch() { return nil }
            }
        }

        static func systemSend(_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, hasMore: Bool) -> Int {
            let flags = Int32(MSG_NOSIGNAL) | (hasMore ? Int32(MSG_MORE) : 0)
            return Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        }

        static func systemSend(_ descriptor: Int32, _ message: inout msghdr, hasMore: Bool) -> Int {
            sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL) | (hasMore ? Int32(MSG_MORE) : 0))
        }

        static func ignorePipeSignal(_ descriptor: Int32) {
            // MSG_NOSIGNAL with each send does it.
        }

        /// Sends a part of a file without bringing it into the process, and without SIGPIPE if the client has gone: the server may
        /// live in a process that has not asked for that.
        static func sendFile(_ descriptor: Int32, _ file: Int32, _ range: Range<Int>) -> Transfer {
            uninterrupted { cplatform_send_file(descriptor, file, off_t(range.lowerBound), range.count) }
        }
    }
#endif
