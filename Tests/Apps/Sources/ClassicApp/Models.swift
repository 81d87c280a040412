// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

struct Article: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
    var author: String?
    var published: Date
    var likes: Int
    var isLiked: Bool

    enum CodingKeys: String, CodingKey {
        case id, title, author, published, likes
        case isLiked = "liked"
    }
}

struct ArticlePage: Decodable, Sendable {
    let items: [Article]
    /// Where the next page is; nil for the last.
    let next: String?
}

struct User: Decodable, Equatable, Sendable {
    let name: String
    let isAdmin: Bool

    enum CodingKeys: String, CodingKey {
        case name
        case isAdmin = "admin"
    }
}

struct Session: Decodable, Sendable {
    var token: String
    let refresh: String
    let user: User
}

struct Draft: Codable, Equatable, Sendable {
    var title: String
    var text: String
}

struct Photo: Decodable, Equatable, Sendable {
    let id: String
    let size: Int
}

/// What the app tells its user of a request that failed.
enum AppError: Error, Equatable {
    case signedOut
    case missing
    case refused(String)
    case tooLarge
    case tooMany
    /// Where in the response something was that the app does not understand.
    case unreadable(String)
    case offline
    case cancelled
    case failed(Int)

    var text: String {
        switch self {
        case .signedOut: "Sign in to go on."
        case .missing: "This is no longer there."
        case .refused(let reason): reason
        case .tooLarge: "The photo is too large."
        case .tooMany: "Too many requests; try again later."
        case .unreadable(let place): "The service sent something unknown at \(place)."
        case .offline: "There is no connection."
        case .cancelled: "Cancelled."
        case .failed(let status): "The service failed (\(status))."
        }
    }
}

extension Error {
    /// What the user is told.
    var shown: String { ((self as? AppError) ?? .failed(0)).text }
}
