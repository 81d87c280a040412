// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ContentCoding {
    /// The bytes in this coding; the same bytes give the same result at every run.
    ///
    /// gzip is RFC 1952 without a time, deflate the zlib format (RFC 9110 §8.4.1.2, RFC 1950), br RFC 7932, zstd one frame of RFC 8878.
    /// - Throws: `ContentCodingError` if memory runs out, or for more than 4 GiB.
    package func encode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        switch self {
        case .gzip: try Zlib.deflate(bytes, format: .gzip)
        case .deflate: try Zlib.deflate(bytes, format: .zlib)
        #if Brotli
            case .br: try Brotli.encode(bytes)
        #endif
        #if Zstd
            case .zstd: try Zstandard.encode(bytes)
        #endif
        }
    }
}
