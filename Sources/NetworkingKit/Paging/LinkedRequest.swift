// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request as another one is, but for its URL, which already has its query.
struct LinkedRequest<First: Request>: Request {
    let first: First
    let url: URL

    var method: HTTPMethod { first.method }

    func decode(_ data: Data) throws -> First.Output { try first.decode(data) }

    func output(of response: DataResponse) throws -> First.Output { try first.output(of: response) }

    func bodyContent() throws -> BodyContent { try first.bodyContent() }

    func urlRequest() throws -> URLRequest {
        var request = try first.urlRequest()
        request.url = url
        return request
    }
}
