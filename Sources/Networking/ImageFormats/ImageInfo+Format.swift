// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension ImageInfo {
    /// A format that is known by its first bytes.
    public enum Format: String, CaseIterable, Sendable {
        case png, jpeg, gif, webp, svg

        /// - Returns: nil if the bytes begin like none of the formats.
        public init?(_ data: Data) {
            let start = Array(data.prefix(12))
            if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
                self = .gif
            } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBP".utf8) {
                self = .webp
            } else if SVGRoot.isFound(in: data) {
                self = .svg
            } else {
                return nil
            }
        }

        /// The media type that the format is registered as.
        public var mediaType: String {
            switch self {
            case .png: "image/png"
            case .jpeg: "image/jpeg"
            case .gif: "image/gif"
            case .webp: "image/webp"
            case .svg: "image/svg+xml"
            }
        }
    }
}

extension ImageInfo.Format: CustomStringConvertible {
    /// As people write it: `PNG`, `WebP`.
    public var description: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
