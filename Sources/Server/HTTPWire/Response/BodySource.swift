// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiSystemIO

/// The content of a response, and where its bytes are.
package enum BodySource: Sendable {
    case none
    case bytes([UInt8])
    case slice([UInt8], Range<Int>)
    case file(OpenFile, Range<Int>)
    /// One after the other, for multipart/byteranges.
    indirect case parts([BodySource])

    package var count: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .slice(_, let range), .file(_, let range): range.count
        case .parts(let parts): parts.reduce(0) { $0 + $1.count }
        }
    }
}
