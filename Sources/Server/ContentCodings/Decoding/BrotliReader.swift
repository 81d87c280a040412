// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if Brotli
    import CMockapiBrotli

    /// Undoes br (RFC 7932), whose window is 16 MiB at most.
    final class BrotliReader: CodedFormat {
        private let state: OpaquePointer?
        private(set) var isAtEnd = false

        init() {
            state = BrotliDecoderCreateInstance(nil, nil, nil)
        }

        deinit {
            if let state { BrotliDecoderDestroyInstance(state) }
        }

        func step(
            _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
        ) throws(FormatError) -> (read: Int, written: Int) {
            guard let state else { throw .noMemory }
            if isAtEnd {
                // A stream has one end, and nothing may follow (RFC 7932 §9.1).
                guard input.isEmpty else { throw .trailing }
                return (0, 0)
            }
            var left = input.count
            var next = input.baseAddress
            var room = output.count
            var target = output.baseAddress
            switch BrotliDecoderDecompressStream(state, &left, &next, &room, &target, nil) {
            case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
            default:
                let code = BrotliDecoderGetErrorCode(state)
                throw FormatError(text: "brotli says " + String(cString: BrotliDecoderErrorString(code)))
            }
            return (input.count - left, output.count - room)
        }
    }
#endif
