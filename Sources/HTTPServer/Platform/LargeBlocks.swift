// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if os(Linux)
    import CPlatform
#endif

/// Memory of large bodies.
package enum LargeBlocks {
    /// Bytes from which a block is mapped by itself. 1 MiB.
    private static let size: Int32 = 1024 * 1024

    /// Has large blocks go back to the system when they are freed: the bodies of a few large requests would else stay with the process
    /// for good. It holds for the whole process.
    package static func returnWhenFreed() {
        #if os(Linux)
            cplatform_map_large_blocks(size)
        #endif
    }
}
