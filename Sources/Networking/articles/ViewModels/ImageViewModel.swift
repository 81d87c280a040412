// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import NetworkingKit
import Presentables

/// An image that has been fetched.
struct ImageViewModel: TerminalView, DescribedImage {
    let data: Data
    let imageName: String
    let imageInfo: ImageInfo?
    private let source: Line

    init(url: URL, data: Data, info: ImageInfo) {
        self.data = data
        imageName = url.lastPathComponent
        imageInfo = info
        source = Line("\(data.count) bytes from \(url.absoluteString)", .secondary)
    }

    func lines(in renderer: TerminalRenderer) -> [String] {
        [renderer.image(self), renderer.text(source)]
    }
}
