// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file descriptor that is closed when the last answer that needs it is gone.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// Takes over the descriptor.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Reads at a place in the file.
    ///
    /// - Returns: how many bytes were read; 0 at the end, negative where it cannot be read.
    package func read(into space: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, space.baseAddress, space.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    deinit {
        _ = close(descriptor)
    }
}
