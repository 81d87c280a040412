// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
