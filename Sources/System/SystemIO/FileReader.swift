// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads files by plain system calls.
package enum FileReader {
    /// All bytes of a file; nil if it cannot be read, or is larger than 1 GiB.
    package static func contents(_ path: String) -> [UInt8]? {
        let limit = 1 << 30
        guard let file = try? read(path, limit: limit + 1), file.bytes.count <= limit else { return nil }
        return file.bytes
    }

    /// Bytes of the largest file that is taken, 1 PiB: lengths of responses are summed up.
    package static let sizeLimit = 1 << 50

    /// The first bytes of a file, all of them if there are no more than `limit`, and its status when it was opened.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
        let (descriptor, status) = try openFile(path)
        defer { close(descriptor) }
        let wanted = min(limit, status.size)
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            do throws(SystemError) {
                count = try fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return (bytes, status)
    }

    /// All that can be read at a path, from a pipe or a device too, even if that may take its time.
    ///
    /// - Returns: nil if there is more than `limit`.
    package static func readAnything(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor = try SystemError.check("open", open(path, O_RDONLY | O_CLOEXEC))
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = try fill(piece, from: descriptor)
            bytes += piece[..<count]
            if bytes.count > limit { return nil }
            if count < piece.count { return bytes }
        }
    }

    /// Hands over a file's content in pieces of the same size, the last one apart.
    package static func read(
        _ path: String, inPiecesOf size: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) {
        let (descriptor, _) = try openFile(path)
        defer { close(descriptor) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = try fill(piece, from: descriptor)
            body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            if count < piece.count { return }
        }
    }

    /// Opens without waiting for anybody: a pipe or a device that came in the place of a file must not hold the load up.
    private static func openFile(_ path: String) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .last("open") }
        do throws(SystemError) {
            guard let status = FileStatus(descriptor: descriptor) else { throw .last("fstat") }
            guard status.kind == .file else { throw SystemError(call: "open", code: EINVAL) }
            guard status.size <= sizeLimit else { throw SystemError(call: "open", code: EFBIG) }
            return (descriptor, status)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Reads until the buffer is full or the file ends.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws(SystemError) -> Int
    {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            #if canImport(Darwin)
                let count = Darwin.read(descriptor, base + filled, buffer.count - filled)
            #elseif canImport(Musl)
                let count = Musl.read(descriptor, base + filled, buffer.count - filled)
            #else
                let count = Glibc.read(descriptor, base + filled, buffer.count - filled)
            #endif
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read")
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
