// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Brotli
    import CMockapiBrotli

    /// Brotli's compressor.
    enum Brotli {
        /// 5 of 11: a mebibyte in some tens of milliseconds, while 11 takes seconds.
        private static let quality: Int32 = 5

        static func encode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
            // The bound of too many bytes is 0, and nothing is written then; a stream is never empty.
            let bound = BrotliEncoderMaxCompressedSize(bytes.count)
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
                var size = bound
                let status = bytes.withUnsafeBufferPointer { input in
                    BrotliEncoderCompress(
                        quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.count, input.baseAddress, &size,
                        output.baseAddress)
                }
                written = status == BROTLI_TRUE ? size : 0
            }
            guard !output.isEmpty else { throw ContentCodingError(coding: .br, count: bytes.count) }
            return output
        }
    }
#endif
