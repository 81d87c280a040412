// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The format and the size of an image, as its first bytes give them; nothing is decoded.
///
///     let info = try ImageInfo(data)
///     print("\(info.format) \(info.width) × \(info.height)")
///
/// The size is the stored size: an orientation in the EXIF data of a JPEG is not applied, and an animation has the size of the whole.
/// A size of SVG is in CSS pixels of 1/96 inch, rounded.
public struct ImageInfo: Hashable, Sendable {
    public let format: Format
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    public init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// - Throws: `ImageInfoError` if the bytes are not an image of a known format, end too early or contradict their
    ///   format.
    public init(_ data: Data) throws(ImageInfoError) {
        guard let format = Format(data) else { throw .unknownFormat }
        let reader = ImageReader(data, format)
        let size =
            switch format {
            case .png: try reader.pngSize()
            case .jpeg: try reader.jpegSize()
            case .gif: try reader.gifSize()
            case .webp: try reader.webpSize()
            case .svg: try SVGRoot(data).size()
            }
        guard size.width > 0, size.height > 0 else { throw .malformed(format, "its width or its height is 0") }
        self.init(format: format, width: size.width, height: size.height)
    }
}

extension ImageInfo: CustomStringConvertible {
    /// `PNG 1200 × 750`.
    public var description: String { "\(format) \(width) × \(height)" }
}
