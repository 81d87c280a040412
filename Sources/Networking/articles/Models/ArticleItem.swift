// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// An article as the service describes it, in a list or alone.
struct ArticleItem: Hashable, Sendable {
    let id: String
    let name: String
    let summary: String
    /// The whole text as HTML, which only an article alone has.
    let body: String?
    let releasedAt: String?
    let difficulty: String?
    /// In seconds.
    let duration: Int?
    let contributors: String?
    let technology: String?
    let isFree: Bool?
    let image: URL?
    /// The page of the article alone.
    let link: URL?
}

extension ArticleItem: Decodable {
    private enum ResourceKeys: String, CodingKey {
        case id, attributes, links
    }

    private enum AttributeKeys: String, CodingKey {
        case name, summary = "description_plain_text", body, releasedAt = "released_at", difficulty, duration
        case contributors = "contributor_string", technology = "technology_triple_string", isFree = "free"
        case image = "card_artwork_url"
    }

    private enum LinkKeys: String, CodingKey {
        case link = "self"
    }

    init(from decoder: any Decoder) throws {
        let resource = try decoder.container(keyedBy: ResourceKeys.self)
        id = try resource.decode(String.self, forKey: .id)
        let attributes = try resource.nestedContainer(keyedBy: AttributeKeys.self, forKey: .attributes)
        name = try attributes.decode(String.self, forKey: .name)
        summary = try attributes.decodeIfPresent(String.self, forKey: .summary) ?? ""
        body = try attributes.decodeIfPresent(String.self, forKey: .body)
        releasedAt = try attributes.decodeIfPresent(String.self, forKey: .releasedAt)
        difficulty = try attributes.decodeIfPresent(String.self, forKey: .difficulty)
        duration = try attributes.decodeIfPresent(Int.self, forKey: .duration)
        contributors = try attributes.decodeIfPresent(String.self, forKey: .contributors)
        technology = try attributes.decodeIfPresent(String.self, forKey: .technology)
        isFree = try attributes.decodeIfPresent(Bool.self, forKey: .isFree)
        image = try attributes.decodeIfPresent(URL.self, forKey: .image)
        link =
            resource.contains(.links)
            ? try resource.nestedContainer(keyedBy: LinkKeys.self, forKey: .links).decodeIfPresent(
                URL.self, forKey: .link)
            : nil
    }
}
