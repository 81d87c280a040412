// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// One article with its text, by its id or by a link.
struct ArticleItemRequest: Request {
    let url: URL
    var method: HTTPMethod { .get }

    init(id: String, of api: URL) {
        url = api.appendingPathComponent("contents").appendingPathComponent(id)
    }

    init(link: URL) {
        url = link
    }

    func decode(_ data: Data) throws -> ArticleItem {
        struct Document: Decodable {
            let data: ArticleItem
        }
        return try JSONDecoder().decode(Document.self, from: data).data
    }
}

/// An image, as the bytes of its file.
struct ImageRequest: Request {
    let url: URL
    var method: HTTPMethod { .get }
}
