// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A page of articles, as the service sends it.
public struct Articles: Codable, Hashable, Sendable {
    public let data: [ArticleData]

    public init(data: [ArticleData]) {
        self.data = data
    }
}
