// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import Synchronization

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

/// JSON of the service that the app is a client of.
nonisolated enum Served {
    static func article(_ id: Int, likes: Int = 3, isLiked: Bool = false) -> String {
        """
        {"id": \(id), "title": "Article \(id)", "author": "Ann", "published": "2026-01-02T03:04:05Z", "likes": \(likes), "liked": \(isLiked)}
        """
    }

    static func articles(_ ids: [Int]) -> String { "[" + ids.map { article($0) }.joined(separator: ", ") + "]" }

    static func page(_ ids: [Int], next: String? = nil) -> String {
        #"{"items": \#(articles(ids)), "next": \#(next.map { "\"\($0)\"" } ?? "null")}"#
    }

    static let session = #"{"token": "first", "refresh": "again", "user": {"name": "Ann", "admin": false}}"#

    static let login = RequestMatch.post("/login").respond(json: session)

    /// The list of a service that takes one token alone.
    static func guarded(by token: String) -> [MockStub] {
        [
            RequestMatch.get("/articles").header("Authorization", .equalTo("Bearer \(token)"))
                .respond(json: page([1])),
            RequestMatch.get("/articles").respond(
                401, headers: ["WWW-Authenticate": "Bearer"], priority: 9),
        ]
    }
}

/// Waits that were asked for.
nonisolated final class Pauses: Sendable {
    private let taken = Mutex<[Duration]>([])
    var all: [Duration] { taken.withLock { $0 } }
    func take(_ duration: Duration) { taken.withLock { $0.append(duration) } }
}
