// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// A page of articles, the first or a page that a link leads to.
struct PageRequest: Request {
    typealias Output = ArticlePage

    let url: URL
    let query: [URLQueryItem]
    var method: HTTPMethod { .get }

    init(firstOf api: URL) {
        url = api.appendingPathComponent("contents")
        query = [URLQueryItem(name: "filter[content_types][]", value: "article")]
    }

    init(link: URL) {
        url = link
        query = []
    }
}
