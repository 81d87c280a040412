// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request without a base URL, together with the one it is sent to.
struct BasedRequest<Wrapped: APIRequest>: Request {
    let wrapped: Wrapped
    let baseURL: URL

    var url: URL { wrapped.url(below: baseURL) }
    var method: HTTPMethod { wrapped.method }

    func decode(_ data: Data) throws -> Wrapped.Response { try wrapped.decode(data) }

    func urlRequest() throws -> URLRequest { try wrapped.urlRequest(baseURL: baseURL) }

    func bodyContent() throws -> BodyContent { try wrapped.bodyContent() }
}
