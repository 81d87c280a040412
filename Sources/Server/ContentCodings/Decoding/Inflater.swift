// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiZlib

/// Undoes gzip (RFC 1952) or deflate, which is zlib's format (RFC 1950), or as some servers have it the bare one (RFC 1951).
final class Inflater: CodedFormat {
    private let isGzip: Bool
    /// The state of zlib, which has to stay where it is.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isOpen = false
    /// A first byte that came alone, before the format could be reported.
    private var held: UInt8?
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

    func step(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) throws(FormatError) -> (read: Int, written: Int) {
        guard isOpen else { return try open(input, output) }
        if isAtEnd {
            guard !input.isEmpty else { return (0, 0) }
            // gzip may have more than one member (RFC 1952 §2.2).
            guard isGzip else { throw .trailing }
            inflateReset(stream)
            isAtEnd = false
        }
        // zlib only reads there, though its declaration says otherwise.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = uInt(clamping: input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
        let offered = (input: stream.pointee.avail_in, output: stream.pointee.avail_out)
        let status = inflate(stream, Z_NO_FLUSH)
        let read = Int(offered.input - stream.pointee.avail_in)
        let written = Int(offered.output - stream.pointee.avail_out)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        switch status {
        case Z_STREAM_END: isAtEnd = true
        // The second only says that there is nothing to do.
        case Z_OK, Z_BUF_ERROR: break
        default:
            throw FormatError(text: stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(status)")
        }
        return (read, written)
    }

    /// Two bytes show which format it is; they are read again by it.
    private func open(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) throws(FormatError) -> (read: Int, written: Int) {
        if isGzip {
            try start(windowBits: 15 + 16)
            return try step(input, output)
        }
        guard let first = held ?? input.first else { return (0, 0) }
        guard let second = held == nil ? input.dropFirst().first : input.first else {
            held = first
            return (1, 0)
        }
        // RFC 1950 §2.2: method 8, and two bytes that make a multiple of 31.
        let isZlib = first & 15 == 8 && (Int(first) << 8 + Int(second)) % 31 == 0
        // 15 bits of window; the negative for no frame.
        try start(windowBits: isZlib ? 15 : -15)
        guard held != nil else { return try step(input, output) }
        held = nil
        let taken = try [first].withUnsafeBufferPointer { input throws(FormatError) in try step(input, output) }
        // One byte is within a header, bare or not: it is read, and makes nothing.
        guard taken == (1, 0) else { throw FormatError(text: "zlib did not take its first byte") }
        return try step(input, output)
    }

    /// - Parameter windowBits: 15 bits of window; 16 more ask for gzip's frame, the negative for none.
    private func start(windowBits: Int32) throws(FormatError) {
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .noMemory
        }
        isOpen = true
    }
}
