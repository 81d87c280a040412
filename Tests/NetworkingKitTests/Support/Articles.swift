// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingKit

/// An article of the articles API, as a list shows it.
public struct Article: Codable, Hashable, Identifiable, Sendable {
    public let name: String
    public let description: String
    /// Where its artwork is.
    public let image: URL
    /// When it was released, which is what the sample code this model is known from tells articles apart by.
    public let id: String

    enum CodingKeys: String, CodingKey {
        case name, description
        case image = "card_artwork_url"
        case id = "released_at"
    }

    public init(name: String, description: String, image: URL, id: String) {
        self.name = name
        self.description = description
        self.image = image
        self.id = id
    }
}

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

/// A page of articles, as the service sends it.
public struct Articles: Codable, Hashable, Sendable {
    public let data: [ArticleData]

    public init(data: [ArticleData]) {
        self.data = data
    }
}

/// The first page of articles.
public struct ArticleRequest: Request {
    public typealias Output = [Article]

    /// The API, such as `http://127.0.0.1:8080/api`.
    public let base: URL

    public init(base: URL) {
        self.base = base
    }

    public var url: URL { base.appendingPathComponent("contents") }
    public var method: HTTPMethod { .get }
    public var query: [URLQueryItem] { [URLQueryItem(name: "filter[content_types][]", value: "article")] }
}

/// An image, as the bytes of its file.
public struct ImageRequest: Request {
    public let url: URL
    public var method: HTTPMethod { .get }

    public init(url: URL) {
        self.url = url
    }
}

extension Array: URLSessionDecodable where Element == Article {
    public init(from output: Data) throws {
        self = try JSONDecoder().decode(Articles.self, from: output).data.map(\.article)
    }
}
