// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Zstd
    import CMockapiZstd

    /// Undoes zstd: frames one behind the other (RFC 8878 §3).
    final class ZstandardReader: CodedFormat {
        /// 8 MiB, the largest window that content may ask for (RFC 9659 §3): a frame that wants more memory is refused.
        private static let windowLog: Int32 = 23

        private let context: OpaquePointer?
        private(set) var isAtEnd = false

        init() {
            context = ZSTD_createDCtx()
            if let context { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog) }
        }

        deinit {
            ZSTD_freeDCtx(context)
        }

        func step(
            _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
        ) throws(FormatError) -> (read: Int, written: Int) {
            guard let context else { throw .noMemory }
            // Nothing to read between two frames: the library would begin another.
            if isAtEnd, input.isEmpty { return (0, 0) }
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let status = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(status) == 0 else {
                throw FormatError(text: "zstd says " + String(cString: ZSTD_getErrorName(status)))
            }
            // 0 if a frame has ended and all of it is written.
            isAtEnd = status == 0
            return (source.pos, target.pos)
        }
    }
#endif
