// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An item of a list: an article and what the service says about it.
public struct ArticleData: Codable, Hashable, Sendable {
    public let article: Article

    enum CodingKeys: String, CodingKey {
        case article = "attributes"
    }

    public init(article: Article) {
        self.article = article
    }
}
