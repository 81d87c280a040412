// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Zstd
    import CMockapiZstd

    /// Zstandard's compressor.
    enum Zstandard {
        /// 3 of 22, the library's own choice: a mebibyte in some milliseconds, in a window of 2 MiB.
        private static let level: Int32 = 3

        static func encode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
            // No array is so long that there is no bound; a frame is never empty.
            let bound = ZSTD_compressBound(bytes.count)
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
                let size = bytes.withUnsafeBufferPointer { input in
                    ZSTD_compress(output.baseAddress, bound, input.baseAddress, input.count, level)
                }
                written = ZSTD_isError(size) == 0 ? size : 0
            }
            guard !output.isEmpty else { throw ContentCodingError(coding: .zstd, count: bytes.count) }
            return output
        }
    }
#endif
