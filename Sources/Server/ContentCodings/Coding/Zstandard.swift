// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Zstd
    import CMockapiZstd

    /// Zstandard's compressor.
    enum Zstandard {
        /// 3 of 22, the library's own choice: a mebibyte in some milliseconds, in a window of 2 MiB.
        private static let level: Int32 = 3

        static func encode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
            let failure = ContentCodingError(coding: .zstd, count: bytes.count)
            let bound = ZSTD_compressBound(bytes.count)
            guard ZSTD_isError(bound) == 0 else { throw failure }
            var isDone = false
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
                let size = bytes.withUnsafeBufferPointer { input in
                    ZSTD_compress(output.baseAddress, bound, input.baseAddress, input.count, level)
                }
                isDone = ZSTD_isError(size) == 0
                written = isDone ? size : 0
            }
            guard isDone else { throw failure }
            return output
        }
    }
#endif
