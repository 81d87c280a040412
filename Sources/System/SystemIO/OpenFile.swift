// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file descriptor that is closed when the last response that needs it is gone.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// Takes over the descriptor.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a file without waiting for anybody: a pipe that came in its place must not hold a loop up.
    package convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    /// Reads at a place in the file.
    ///
    /// - Returns: how many bytes were read; 0 at the end, negative if it cannot be read.
    package func read(into space: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, space.baseAddress, space.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// The first bytes of the file, as many as are asked for; nil if it has fewer or cannot be read.
    package func bytes(count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes {
                self.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: filled)
            }
            guard read > 0 else { return nil }
            filled += read
        }
        return bytes
    }

    deinit {
        _ = close(descriptor)
    }
}
