// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CZlib

/// Undoes gzip (RFC 1952) or deflate, which is zlib's format (RFC 1950), or as some servers have it the bare one (RFC 1951).
final class Inflater {
    /// How much is made room for at once. 64 KiB.
    private static let room = 64 * 1024

    private let isGzip: Bool
    /// What zlib keeps has to stay where it is.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isOpen = false
    /// A first byte that came alone, before the format could be told.
    private var held: [UInt8] = []
    /// Whether the last byte ended a member.
    private(set) var isAtEnd = false

    init(isGzip: Bool) {
        self.isGzip = isGzip
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func inflate(_ bytes: [UInt8]) throws(InflateError) -> [UInt8] {
        var input = held + bytes
        held = []
        if !isOpen {
            guard isGzip || input.count >= 2 else {
                held = input
                return []
            }
            try open(input)
        }
        var output: [UInt8] = []
        let failure = input.withUnsafeMutableBufferPointer { input -> InflateError? in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(input.count)
            return run(&output)
        }
        stream.pointee.next_in = nil
        if let failure { throw failure }
        return output
    }

    private func open(_ start: [UInt8]) throws(InflateError) {
        // RFC 1950 §2.2: method 8, and two bytes that make a multiple of 31.
        let isZlib = start.count >= 2 && start[0] & 15 == 8 && (Int(start[0]) << 8 + Int(start[1])) % 31 == 0
        // 15 bits of window; 16 more ask for gzip's frame, the negative for none.
        let windowBits: Int32 = isGzip ? 15 + 16 : isZlib ? 15 : -15
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw InflateError(text: "zlib has no memory")
        }
        isOpen = true
    }

    /// Takes the input to its end.
    private func run(_ output: inout [UInt8]) -> InflateError? {
        repeat {
            // gzip may have more than one member (RFC 1952 §2.2).
            if isAtEnd {
                guard stream.pointee.avail_in > 0 else { return nil }
                guard isGzip else { return InflateError(text: "something stands behind its end") }
                inflateReset(stream)
                isAtEnd = false
            }
            let status = step(&output)
            switch status {
            case Z_STREAM_END: isAtEnd = true
            case Z_OK: break
            case Z_BUF_ERROR where stream.pointee.avail_in == 0: return nil
            default: return InflateError(text: stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(status)")
            }
        } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !isAtEnd)
        return nil
    }

    private func step(_ output: inout [UInt8]) -> Int32 {
        var status = Z_STREAM_ERROR
        output += [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = uInt(buffer.count)
            status = CZlib.inflate(stream, Z_NO_FLUSH)
            count = buffer.count - Int(stream.pointee.avail_out)
        }
        return status
    }
}
