// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension NetNamespace where Base == Data {
    /// The format and the size of an image; nil where the data is none, or a broken one.
    ///
    /// `ImageInfo(data)` says why.
    public var imageInfo: ImageInfo? { try? ImageInfo(base) }

    /// The format of an image, by its first bytes; nil where the data is none.
    public var imageFormat: ImageInfo.Format? { ImageInfo.Format(base) }
}
