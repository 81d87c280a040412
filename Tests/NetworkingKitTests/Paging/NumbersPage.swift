// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import NetworkingKit

/// A page of a list of numbers: `{"data": [1], "links": {"next": …}}`.
struct NumbersPage: Request {
    typealias Output = [Int]

    private struct Document: Decodable {
        let data: [Int]
    }

    let url: URL
    var query: [URLQueryItem] = []
    var method: HTTPMethod { .get }
    var headers: [String: String] { ["X-Page": "numbers"] }

    func decode(_ data: Data) throws -> [Int] {
        try JSONDecoder().decode(Document.self, from: data).data
    }

    /// The list that begins at a path of a server.
    static func all(of server: MockServer, _ path: String) -> PagedList<Int> {
        PagedList(NumbersPage(url: server.baseURL.appendingPathComponent(path)), networking: Networker())
    }
}
