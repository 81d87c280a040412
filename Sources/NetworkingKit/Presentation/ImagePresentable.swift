// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is shown as an image, or where there can be none, as its name.
public protocol ImagePresentable {
    var imageName: String { get }
    /// What the bytes of the image tell; nil as long as they are not there.
    var imageInfo: ImageInfo? { get }
}

extension ImagePresentable {
    public var imageInfo: ImageInfo? { nil }
}
