// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Why bytes have no known format and size.
public enum ImageInfoError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    case unknownFormat
    /// The bytes end before the size.
    case truncated(ImageInfo.Format)
    case malformed(ImageInfo.Format, String)

    public var description: String {
        switch self {
        case .unknownFormat: "the bytes are not PNG, JPEG, GIF, WebP or SVG"
        case .truncated(let format): "the \(format) ends before its size"
        case .malformed(let format, let reason): "the \(format) is broken: \(reason)"
        }
    }

    public var errorDescription: String? { description }
}
