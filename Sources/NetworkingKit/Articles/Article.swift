// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
