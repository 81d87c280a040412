// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// An image, as the bytes of its file.
public struct ImageRequest: Request {
    public let url: URL
    public var method: HTTPMethod { .get }

    public init(url: URL) {
        self.url = url
    }
}
