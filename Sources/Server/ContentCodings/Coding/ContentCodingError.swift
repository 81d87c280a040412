// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why bytes could not be brought into a content coding.
package struct ContentCodingError: Error, Hashable, Sendable {
    package var coding: ContentCoding
    /// How many bytes there were.
    package var count: Int
}

extension ContentCodingError: CustomStringConvertible {
    package var description: String {
        "\(count) bytes could not be coded as \(coding.rawValue): too many, or too little memory"
    }
}
