// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A page of articles; `PagedList` reads its link to the next.
struct ArticlePage: Decodable, Sendable {
    struct Meta: Decodable, Sendable {
        let total: Int?

        private enum CodingKeys: String, CodingKey {
            case total = "total_result_count"
        }
    }

    let data: [ArticleItem]
    let meta: Meta?
}
