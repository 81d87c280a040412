// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A content coding that bodies can be sent in (RFC 9110 §8.4.1; br: RFC 7932; zstd: RFC 8878), except those that a package trait leaves out.
package enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    #if Brotli
        case br
    #endif
    #if Zstd
        case zstd
    #endif
}
