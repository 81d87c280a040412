// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Brotli
    import CMockapiBrotli

    /// Brotli's compressor.
    enum Brotli {
        /// 5 of 11: a mebibyte in some tens of milliseconds, while 11 takes seconds.
        private static let quality: Int32 = 5

        static func encode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
            let failure = ContentCodingError(coding: .br, count: bytes.count)
            let bound = BrotliEncoderMaxCompressedSize(bytes.count)
            guard bound > 0 else { throw failure }
            var isDone = false
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
                var size = bound
                isDone =
                    bytes.withUnsafeBufferPointer { input in
                        BrotliEncoderCompress(
                            quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.count, input.baseAddress, &size,
                            output.baseAddress)
                    } == BROTLI_TRUE
                written = isDone ? size : 0
            }
            guard isDone else { throw failure }
            return output
        }
    }
#endif
