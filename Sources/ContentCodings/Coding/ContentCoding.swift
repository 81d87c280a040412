// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A content coding that bodies can be sent in (RFC 9110 §8.4.1; br: RFC 7932; zstd: RFC 8878).
package enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case br
    case zstd
}
