// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request as another one is, but for its URL, which already has its query.
struct LinkedRequest<First: Request>: Request {
    let first: First
    let url: URL

    var method: HTTPMethod { first.method }
    var headers: [String: String] { first.headers }
    var body: Data? { first.body }
    var bodyFile: URL? { first.bodyFile }

    func decode(_ data: Data) throws -> First.Output { try first.decode(data) }

    func urlRequest() throws -> URLRequest {
        var request = try first.urlRequest()
        request.url = url
        return request
    }
}
